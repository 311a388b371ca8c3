import { hash, randomBytes } from 'node:crypto';
import { type Aspect, aspectsOf, differs } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { json, rowCodec, value } from '../../sqlite/row-codec.ts';
import { type Base, type Pair, saidDigest } from '../decide/base.ts';
import type { Journal } from './journal.ts';
import { UNBASED } from './journal-tables.ts';
import type { RunKind } from './run.ts';

/** What a registration is known by: the barcode wherever there is one, for ids may be hidden. */
export interface BaseNames {
  barcode: string | undefined;
  id: string | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** So long after the end of its event nobody needs to know any more what changed. */
const KEPT_MS = 30 * DAY_MS;
const KEY_BYTES = 32;
/** Characters of base64url: 96 bits. */
const DIGEST_CHARACTERS = 16;
const DIGESTS_KEPT = 1000;
const GONE = '';

/**
 * One text where both digests are the same, two where they are not, one alone in a list where nothing was seen;
 * behind them 1 where the service has refused it.
 */
type StoredPair = string | readonly [said: string, seen?: string, refused?: 1];

/** Keeps the bases of one event in the journal, apart from its runs. */
export class BaseStore {
  readonly #journal: Journal;
  readonly #target: { service: string; event: string };
  readonly #expiresAt: number | undefined;
  readonly #key: string;
  /** Of texts seen lately: most are those of other rows too, or both said and seen. */
  readonly #digests = new Map<string, string>();

  /** `endDate` of the event, as the service tells it: 30 days after it the bases are forgotten. */
  constructor(
    journal: Journal,
    { service, eventId }: { service: string; eventId: string },
    endDate?: string,
  ) {
    this.#journal = journal;
    this.#target = { service, event: eventId };
    const endMs = endDate === undefined ? Number.NaN : Date.parse(endDate);
    this.#expiresAt = Number.isNaN(endMs) ? undefined : endMs + KEPT_MS;
    this.#key = keyOf(journal);
  }

  /** A short text that tells values apart and does not tell them. */
  digest(text: string): string {
    let digest = this.#digests.get(text);
    if (digest === undefined) {
      digest = digestOf(this.#key, text);
      if (this.#digests.size === DIGESTS_KEPT) this.#digests.clear();
      this.#digests.set(text, digest);
    }
    return digest;
  }

  /** Whether nothing is known of anybody. */
  get isEmpty(): boolean {
    return !this.#journal.has('FROM base WHERE service = $service AND event = $event', this.#target);
  }

  read(names: BaseNames): Base | undefined {
    for (const $name of this.#namesOf(names)) {
      const row = this.#journal.get<{ pairs: string }>(
        'SELECT pairs FROM base WHERE service = $service AND event = $event AND name = $name',
        { ...this.#target, $name },
      );
      if (row !== undefined) return parse(row.pairs);
    }
    return undefined;
  }

  /** Writes what is known of a registration by now, over all that was known. Call it in a transaction. */
  write(names: BaseNames, { pairs, gone }: Base, now: number): void {
    const [name, ...others] = this.#namesOf(names);
    if (name === undefined) return;
    const stored: [string, StoredPair][] = [...pairs].map(([field, pair]) => [field, pack(pair)]);
    if (gone) stored.push([GONE, GONE]);
    this.#journal.run(
      `INSERT INTO base (service, event, name, pairs, at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (service, name, event) DO UPDATE SET pairs = excluded.pairs, at = excluded.at, expires_at = excluded.expires_at
       WHERE pairs <> excluded.pairs OR expires_at IS NOT excluded.expires_at OR at < excluded.at - ${DAY_MS}`,
      [
        this.#target.service,
        this.#target.event,
        name,
        // fromEntries defines keys, so that a field called __proto__ is a key like any other.
        JSON.stringify(Object.fromEntries(stored)),
        now,
        this.#expiresAt,
      ],
    );
    // Once it shows a barcode, it is known by that alone.
    for (const $name of others) {
      const which = { ...this.#target, $name };
      this.#journal.run(
        'DELETE FROM base WHERE service = $service AND event = $event AND name = $name',
        which,
      );
    }
  }

  #namesOf(names: BaseNames): string[] {
    return digestsOf(this.#key, names);
  }
}

/** Nothing is known of a registration any more, in whatever event of the service: it was deleted from here. */
export function forgetBase(journal: Journal, service: string, names: BaseNames): void {
  for (const $name of digestsOf(keyOf(journal), names)) {
    journal.run('DELETE FROM base WHERE service = $service AND name = $name', { service, $name });
  }
}

function digestsOf(key: string, { barcode, id }: BaseNames): string[] {
  const names = [
    ...(barcode === undefined ? [] : [`b:${barcode}`]),
    ...(id === undefined ? [] : [`i:${id}`]),
  ];
  return names.map((name) => digestOf(key, name));
}

function digestOf(key: string, text: string): string {
  return hash('sha256', `${key}\n${text}`, 'base64url').slice(0, DIGEST_CHARACTERS);
}

/** Forgets the bases of events that are long over; with `before`, also those that were last true before that. */
export function forgetBases(journal: Journal, now: number, before = 0): void {
  journal.run('DELETE FROM base WHERE expires_at < $now OR at < $before', { now, before });
}

function keyOf(journal: Journal): string {
  const read = () => journal.get<{ key: Uint8Array }>('SELECT key FROM base_key');
  const stored =
    read() ??
    journal.transaction(() => {
      // Another process may have been first.
      journal.run('INSERT INTO base_key SELECT ? WHERE NOT EXISTS (SELECT 1 FROM base_key)', [
        randomBytes(KEY_BYTES),
      ]);
      return read();
    });
  return Buffer.from(stored?.key ?? new Uint8Array()).toString('hex');
}

function pack({ said, seen, refused }: Pair): StoredPair {
  if (seen === undefined) return [said];
  if (refused === true) return [said, seen, 1];
  return said === seen ? said : [said, seen];
}

function parse(json: string): Base {
  const pairs = new Map<string, Pair>();
  let gone = false;
  for (const [field, stored] of Object.entries(JSON.parse(json) as Record<string, StoredPair>)) {
    if (field === GONE) gone = true;
    else if (typeof stored === 'string') pairs.set(field, { said: stored, seen: stored });
    else
      pairs.set(field, { said: stored[0], seen: stored[1], ...(stored[2] === 1 ? { refused: true } : {}) });
  }
  return { pairs, gone };
}

interface NoteContext {
  journal: Journal;
  target: { service: string; eventId: string };
  event: EventInfo;
  clock: { now(): number };
}

const SENT_ROW = rowCodec({
  run: value<string>(),
  seq: value<number>(),
  registration: json<Registration>('coalesce(ask, payload)'),
  /** Of an undo: the registration as it was before; no file has said what it sends. */
  before: json<RecordImage | undefined>('coalesce(latest, before)'),
  kind: value<RunKind>('(SELECT kind FROM run WHERE id = row.run)'),
  barcode: value<string | undefined>(),
  id: value<string | undefined>('remote_id'),
});

const CHUNK = 500;

/**
 * Notes for the bases what any run of the event has sent and nobody has seen since: when the service holds
 * something else later, it is not known who wrote that.
 */
export function noteSent({ journal, target, event, clock }: NoteContext): void {
  const bases = new BaseStore(journal, target, event.endDate);
  const fields = fieldsOf(event);
  for (;;) {
    const rows = journal.read(
      SENT_ROW,
      `FROM row INDEXED BY row_unbased
       WHERE run IN (SELECT id FROM run WHERE service = $service AND event = $event) AND ${UNBASED}
       ORDER BY sent_no LIMIT ${CHUNK}`,
      { service: target.service, event: target.eventId },
    );
    if (rows.length === 0) return;
    journal.transaction(() => {
      for (const { run, seq, registration, before, kind, barcode, id } of rows) {
        const names = { barcode, id };
        const pairs = new Map(bases.read(names)?.pairs);
        for (const aspect of aspectsOf(registration, fields)) {
          if (kind === 'undo' && !isRestored(aspect, registration, before)) continue;
          const said = saidDigest(aspect, registration, (text) => bases.digest(text));
          if (pairs.get(aspect.key)?.said !== said) pairs.set(aspect.key, { said, seen: undefined });
        }
        bases.write(names, { pairs, gone: false }, clock.now());
        journal.run('UPDATE row SET based_no = sent_no WHERE run = ? AND seq = ?', [run, seq]);
      }
    });
  }
}

/**
 * Whether an undo has brought a value back that its run had changed. All else it sends only lest it is lost: what
 * the file said of that still counts. Of what it registers again no file has said anything.
 */
export function isRestored(
  aspect: Aspect,
  registration: Registration,
  before: RecordImage | undefined,
): boolean {
  return before !== undefined && differs(aspect, registration, before);
}
