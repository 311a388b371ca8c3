import type { Journal } from './journal.ts';
import { learn, readLearned } from './learned.ts';
import { PERSON_KEYS, type PersonKey } from '../judge/near.ts';
import type { Recognition } from '../judge/undo-barcode.ts';

/** What was learnt of a service not too long ago. */
export function readRecognition(journal: Journal, service: string, now: number): Recognition {
  const entries = PERSON_KEYS.map((key) => [
    key,
    readLearned(journal, service, `knows by ${key}`, now)?.value,
  ]);
  return Object.fromEntries(entries) as Recognition;
}

/** Notes by what a service was seen to know people, or not to. */
export function learnRecognised(
  journal: Journal,
  service: string,
  { key, knows }: { key: PersonKey; knows: 'yes' | 'no' },
  now: number,
): void {
  learn(journal, service, `knows by ${key}`, knows, now);
  // Whoever takes two of different personas for one takes two of the same for one.
  if (key === 'email-across' && knows === 'yes') learn(journal, service, 'knows by email', 'yes', now);
}
