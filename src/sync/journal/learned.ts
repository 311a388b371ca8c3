import { hash } from 'node:crypto';
import { markIn } from '../../registration/model/own-names.ts';
import type { FieldsShape } from '../../service/send-registration.ts';
import { PERSON_KEYS, type PersonKey, type Recognition } from '../decide/judge-person.ts';
import type { Journal } from './journal.ts';

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
  /** Whether an update keeps the id of its registration, as was seen last. */
  ids: 'kept' | 'new';
  /** Whether an update without a parent takes a member out of its group. */
  leaves: 'yes' | 'no';
  /** See `lateMs`. */
  late: string;
  /** By what it recognises people. */
  'knows by email': 'yes' | 'no';
  'knows by email-across': 'yes' | 'no';
  'knows by case': 'yes' | 'no';
  /** Whether its list shows what it has taken of a persona. */
  [shows: `lists ${string}`]: 'no';
}

type LearnedName = keyof Rules;

/** The journal, the service that something was learnt of, and the time. */
export interface LearnContext {
  journal: Journal;
  target: { service: string };
  clock: { now(): number };
}

/** Services change: after so long, things are seen anew. */
const TRUSTED_MS = 30 * 24 * 60 * 60 * 1000;

/** Takes what was learnt of a service to be true of another one. */
export function copyLearned(memory: Journal, journal: Journal, from: string, to: string): void {
  for (const row of memory.all('SELECT name, value, at FROM learned WHERE service = $from', { from }))
    journal.add('learned', { service: to, ...row });
}

/** What was learnt of a service; undefined when nothing was, or too long ago. */
export const readLearned = <Name extends LearnedName>(
  context: LearnContext,
  name: Name,
): Learned<Rules[Name]> | undefined => readNamed(context, name) as Learned<Rules[Name]> | undefined;

const readNamed = ({ journal, target, clock }: LearnContext, name: string): Learned<string> | undefined =>
  journal.get<Learned<string>>(
    'SELECT value, at FROM learned WHERE service = $service AND name = $name AND at > $since',
    { service: target.service, name, since: clock.now() - TRUSTED_MS },
  );

export const learn = <Name extends LearnedName>(
  { journal, target, clock }: LearnContext,
  name: Name,
  value: Rules[Name],
): void => writeNamed(journal, target.service, name, { value, at: clock.now() });

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
 * What was seen of the fields of a persona when they were sent: that they come back as they were sent; that one came back
 * otherwise, which somebody may have edited; that it was the service; that an update which was to change nothing else has
 * changed nothing; or that an update may not send them back, and keeps them where it does not.
 */
type FieldFact = 'proven' | 'doubted' | 'faulty' | 'ignored' | 'untaken';

/** Of which persona something was seen, and what sends its fields. */
interface FieldsSeen {
  fact: FieldFact;
  sends: 'create' | 'update';
  persona: string;
}

const factName = ({ fact, sends, persona }: FieldsSeen): string => `${fact} ${sends} ${persona}`;

/** The fields of a persona of which something was seen not too long ago, by slug. */
export function readFields(context: LearnContext, seen: FieldsSeen): ReadonlySet<string> {
  const learned = readNamed(context, factName(seen));
  return new Set(learned && (JSON.parse(learned.value) as string[]));
}

/** Notes what was seen of fields. What is proven is faulty and ignored no more, and the other way round. */
export function learnFields(
  context: LearnContext,
  { slugs, ...seen }: FieldsSeen & { slugs: readonly string[] },
): void {
  const { journal, target, clock } = context;
  const write = (fact: FieldFact, all: Iterable<string>): void => {
    const learned = { value: JSON.stringify([...all]), at: clock.now() };
    writeNamed(journal, target.service, factName({ ...seen, fact }), learned);
  };
  write(seen.fact, new Set([...readFields(context, seen), ...slugs]));
  const unlike: Partial<Record<FieldFact, readonly FieldFact[]>> = {
    proven: ['doubted', 'faulty', 'ignored'],
    doubted: ['proven'],
    faulty: ['doubted', 'proven'],
  };
  for (const fact of unlike[seen.fact] ?? []) {
    const known = [...readFields(context, { ...seen, fact })];
    const left = known.filter((slug) => !slugs.includes(slug));
    if (left.length < known.length) write(fact, left);
  }
}

/** Forgets how the service takes updates: what was seen since contradicts it. */
export function forgetUpdateRule({ journal, target: { service } }: LearnContext): void {
  journal.run(
    `DELETE FROM learned WHERE service = $service AND (name = 'upsert' OR name LIKE 'proven update %')`,
    { service },
  );
}

/** By what a service is known to know people, or not to. */
export const readRecognition = (context: LearnContext): Recognition =>
  Object.fromEntries(
    PERSON_KEYS.map((key) => [key, readLearned(context, `knows by ${key}`)?.value]),
  ) as Recognition;

/** How long after it was done a list was seen to show what it did not at first, in milliseconds. */
export const lateMs = (context: LearnContext): number => Number(readLearned(context, 'late')?.value ?? 0);

/** `shown`: what a list shows by now, and did not at first; `mostMs`: no list is later than that. */
export function learnLate(context: LearnContext, shown: Iterable<{ doneAt: number }>, mostMs: number): void {
  const [known, now] = [lateMs(context), context.clock.now()];
  let most = known;
  for (const { doneAt } of shown) most = Math.max(most, Math.min(now - doneAt, mostMs));
  if (most > known) learn(context, 'late', String(most));
}

/** Notes by what a service was seen to know people, or not to. */
export function learnRecognised(context: LearnContext, key: PersonKey, knows: 'yes' | 'no'): void {
  learn(context, `knows by ${key}`, knows);
  // Whoever takes two of different personas for one takes two of the same for one.
  if (key === 'email-across' && knows === 'yes') learn(context, 'knows by email', 'yes');
}

/** Under which the journal keeps them among what it has learnt: they are of no service. */
const SERVICE = 'masked';
/** Shorter ones are those of other people by chance. */
const LEAST_SIGNS = 5;
const DIGEST_CHARACTERS = 12;
/** A list that was masked longer ago is of an event that is over. */
const KEPT_MS = 365 * 24 * 60 * 60_000;
const AT_ONCE = 5000;

/**
 * What lists that were masked on this machine hold, as digests: they are known again without their e-mail addresses too,
 * whatever a spreadsheet program has made of them, and also when the clone is gone.
 */
export class MaskedValues {
  readonly #journal: Journal;
  readonly #pending: string[] = [];

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get isEmpty(): boolean {
    return !this.#journal.has('FROM learned WHERE service = $service', { service: SERVICE });
  }

  /** The mark of the key by which a text is masked, where it was done here. */
  markOf(text: string): string | undefined {
    const name = digestOf(signsOf(text));
    if (name === undefined) return undefined;
    const found = this.#journal.get<{ value: string }>(
      'SELECT value FROM learned WHERE service = $service AND name = $name',
      { service: SERVICE, name },
    );
    return found?.value;
  }

  /** Notes what a text has become; what stays as it is tells nothing, and what shows its mark is known by that. */
  add(text: string, masked: string, at: { mark: string; now: number }): void {
    if (markIn(masked) !== undefined) return;
    const signs = signsOf(masked);
    const digest = signs === signsOf(text) ? undefined : digestOf(signs);
    if (digest === undefined) return;
    this.#pending.push(digest);
    if (this.#pending.length >= AT_ONCE) this.write(at);
  }

  /** Writes what is noted, and forgets what is old. */
  write({ mark, now }: { mark: string; now: number }): void {
    const digests = JSON.stringify(this.#pending.splice(0));
    this.#journal.transaction(() => {
      this.#journal.run(
        `INSERT OR REPLACE INTO learned (service, name, value, at)
         SELECT $service, value, $mark, $now FROM json_each($digests)`,
        { service: SERVICE, mark, now, digests },
      );
      this.#journal.run('DELETE FROM learned WHERE service = $service AND at < $before', {
        service: SERVICE,
        before: now - KEPT_MS,
      });
    });
  }
}

/** Letters and digits alone: `+34 600` comes back from a spreadsheet program as a number. */
const signsOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+/, '');

const digestOf = (signs: string): string | undefined =>
  signs.length < LEAST_SIGNS ? undefined : hash('sha256', signs, 'base64url').slice(0, DIGEST_CHARACTERS);
