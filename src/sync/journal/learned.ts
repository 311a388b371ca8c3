import type { FieldsShape } from '../../service/send-registration.ts';
import type { Journal } from './journal.ts';
import type { UpdateRule } from '../decide/judge-trial.ts';
import type { UnsentRule, UnsentRules } from '../decide/unsent-things.ts';
import { PERSON_KEYS, type PersonKey } from '../decide/near.ts';
import type { Recognition } from '../decide/undo-barcode.ts';

export interface Learned<Value extends string> {
  value: Value;
  /** When it was seen, in milliseconds since 1970. */
  at: number;
}

/** What is learnt, by name. */
interface Rules {
  /** How the service takes updates. */
  upsert: UpdateRule;
  /** What deletes name a registration by where it shows no id. */
  deletesBy: 'barcode';
  /** The shape that it wants; `unproven`: it took one that it did not list as sent, so no other is tried. */
  fields: FieldsShape | 'unproven';
  /** What becomes of each thing that an update leaves out. */
  [unsent: `unsent:${string}`]: UnsentRule;
  /** By what it recognises people. */
  'knows by email': 'yes' | 'no';
  'knows by email-across': 'yes' | 'no';
  'knows by case': 'yes' | 'no';
}

type LearnedName = keyof Rules;
type RuleOf<Name extends LearnedName> = Rules[Name];

/** Services change: after so long, things are seen anew. */
const TRUSTED_MS = 30 * 24 * 60 * 60 * 1000;

/** What was learnt of a service; undefined when nothing was, or too long ago. */
export function readLearned<Name extends LearnedName>(
  journal: Journal,
  service: string,
  name: Name,
  now: number,
): Learned<RuleOf<Name>> | undefined {
  return journal.get<Learned<RuleOf<Name>>>(
    'SELECT value, at FROM learned WHERE service = $service AND name = $name AND at > $since',
    { service, name, since: now - TRUSTED_MS },
  );
}

const UNSENT = 'unsent:';
const IS_UNSENT = `name >= 'unsent:' AND name < 'unsent;'`;

/** What was learnt of all that an update may leave out. */
export function readUnsentRules(journal: Journal, service: string, now: number): UnsentRules {
  const rows = journal.all<{ name: string; value: UnsentRule }>(
    `SELECT name, value FROM learned WHERE service = $service AND ${IS_UNSENT} AND at > $since`,
    { service, since: now - TRUSTED_MS },
  );
  return new Map(rows.map(({ name, value }) => [name.slice(UNSENT.length), value]));
}

export function learn<Name extends LearnedName>(
  journal: Journal,
  service: string,
  name: Name,
  value: RuleOf<Name>,
  now: number,
): void {
  journal.run(
    `INSERT INTO learned (service, name, value, at) VALUES ($service, $name, $value, $at)
     ON CONFLICT (service, name) DO UPDATE SET value = excluded.value, at = excluded.at`,
    { service, name, value, at: now },
  );
}

/** Forgets how the service takes updates: what was seen since contradicts it. */
export function forgetUpdateRule(journal: Journal, service: string): void {
  journal.run(`DELETE FROM learned WHERE service = $service AND (name = 'upsert' OR ${IS_UNSENT})`, {
    service,
  });
}

/** Forgets that the service takes updates, so that the next one is read back before the others. */
export function doubtUpdateRule(journal: Journal, service: string): void {
  journal.run(`DELETE FROM learned WHERE service = $service AND name = 'upsert' AND value = 'update'`, {
    service,
  });
}

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
