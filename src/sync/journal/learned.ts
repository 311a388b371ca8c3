import type { FieldsShape } from '../../service/send-registration.ts';
import type { Journal } from './journal.ts';
import { PERSON_KEYS, type PersonKey, type Recognition } from '../decide/near.ts';

export interface Learned<Value extends string> {
  value: Value;
  /** When it was seen, in milliseconds since 1970. */
  at: number;
}

/** What a service does with a registration whose barcode it has already. */
export type UpdateRule = 'update' | 'double' | 'refuse' | 'ignore';

/** What is learnt, by name. */
interface Rules {
  /** How the service takes updates. */
  upsert: UpdateRule;
  /** What deletes name a registration by where it shows no id. */
  deletesBy: 'barcode';
  /** By what deletes that name a registration were seen to delete it and nothing else. */
  deletes: 'id' | 'barcode';
  /** The shape that it wants; `unproven`: it took one that it did not list as sent, so no other is tried. */
  fields: FieldsShape | 'unproven';
  /** What an update that does not ask for messages makes of those that were asked for. */
  messages: 'kept' | 'taken back';
  /** Whether an update gives its registration another id: told once. */
  ids: 'new';
  /** Whether an update without a parent takes a member out of its group. */
  leaves: 'yes' | 'no';
  /** By what it recognises people. */
  'knows by email': 'yes' | 'no';
  'knows by email-across': 'yes' | 'no';
  'knows by case': 'yes' | 'no';
  /** Whether its list shows what it has taken of a persona. */
  [shows: `lists ${string}`]: 'no';
}

type LearnedName = keyof Rules;
type RuleOf<Name extends LearnedName> = Rules[Name];

/** Services change: after so long, things are seen anew. */
const TRUSTED_MS = 30 * 24 * 60 * 60 * 1000;

/** Takes what was learnt of a service to be true of another one. */
export const copyLearned = (journal: Journal, from: string, to: string): number =>
  journal.run(
    `INSERT OR REPLACE INTO learned (service, name, value, at)
     SELECT $to, name, value, at FROM learned WHERE service = $from`,
    { from, to },
  );

/** What was learnt of a service; undefined when nothing was, or too long ago. */
export function readLearned<Name extends LearnedName>(
  journal: Journal,
  service: string,
  name: Name,
  now: number,
): Learned<RuleOf<Name>> | undefined {
  return readNamed(journal, service, name, now) as Learned<RuleOf<Name>> | undefined;
}

function readNamed(
  journal: Journal,
  service: string,
  name: string,
  now: number,
): Learned<string> | undefined {
  return journal.get<Learned<string>>(
    'SELECT value, at FROM learned WHERE service = $service AND name = $name AND at > $since',
    { service, name, since: now - TRUSTED_MS },
  );
}

export function learn<Name extends LearnedName>(
  journal: Journal,
  service: string,
  name: Name,
  value: RuleOf<Name>,
  now: number,
): void {
  writeNamed(journal, service, name, { value, at: now });
}

function writeNamed(journal: Journal, service: string, name: string, learned: Learned<string>): void {
  journal.run(
    `INSERT INTO learned (service, name, value, at) VALUES ($service, $name, $value, $at)
     ON CONFLICT (service, name) DO UPDATE SET value = excluded.value, at = excluded.at`,
    { service, name, ...learned },
  );
}

const pushedTo = (eventId: string): string => `pushed to event ${eventId}`;

/** Whether somebody has said yes to pushing to an event. For ever: unlike what is learnt of a service, a yes does not grow old. */
export const isAgreed = (journal: Journal, service: string, eventId: string): boolean =>
  journal.has('FROM learned WHERE service = $service AND name = $name', { service, name: pushedTo(eventId) });

export const agree = (journal: Journal, service: string, eventId: string, now: number): void => {
  writeNamed(journal, service, pushedTo(eventId), { value: 'yes', at: now });
};

/**
 * What was seen of the fields of a persona when they were sent: that they come back as they were sent, that they come
 * back otherwise, or that an update may not send them back, and keeps them where it does not.
 */
type FieldFact = 'proven' | 'faulty' | 'untaken';
/** What sends the fields. */
type Sends = 'create' | 'update';

const factName = (fact: FieldFact, sends: Sends, persona: string): string => `${fact} ${sends} ${persona}`;

/** The fields of a persona of which something was seen not too long ago, by slug. */
export function readFields(
  journal: Journal,
  service: string,
  { fact, sends, persona }: { fact: FieldFact; sends: Sends; persona: string },
  now: number,
): ReadonlySet<string> {
  const learned = readNamed(journal, service, factName(fact, sends, persona), now);
  return new Set(learned && (JSON.parse(learned.value) as string[]));
}

/** Notes what was seen of fields. What is proven is faulty no more, and the other way round. */
export function learnFields(
  journal: Journal,
  service: string,
  {
    fact,
    sends,
    persona,
    slugs,
  }: { fact: FieldFact; sends: Sends; persona: string; slugs: readonly string[] },
  now: number,
): void {
  const write = (which: FieldFact, all: Iterable<string>): void =>
    writeNamed(journal, service, factName(which, sends, persona), {
      value: JSON.stringify([...all]),
      at: now,
    });
  const read = (which: FieldFact): ReadonlySet<string> =>
    readFields(journal, service, { fact: which, sends, persona }, now);
  write(fact, new Set([...read(fact), ...slugs]));
  if (fact === 'untaken') return;
  const other = fact === 'proven' ? 'faulty' : 'proven';
  const known = read(other);
  if (slugs.some((slug) => known.has(slug)))
    write(
      other,
      [...known].filter((slug) => !slugs.includes(slug)),
    );
}

/** Forgets how the service takes updates: what was seen since contradicts it. */
export function forgetUpdateRule(journal: Journal, service: string): void {
  journal.run(
    `DELETE FROM learned WHERE service = $service AND (name = 'upsert' OR name LIKE 'proven update %')`,
    { service },
  );
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
