import { hash } from 'node:crypto';
import { markIn } from '../../registration/model/own-names.ts';
import type { Journal } from './journal.ts';

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
