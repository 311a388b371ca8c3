import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { emailOf, nameOf } from '../../registration/changes/person.ts';
import type { Registration } from '../../registration/model/registration.ts';
import type { Reporter } from '../../report/views/events.ts';

/** Different addresses that are counted: one that many have stands among the first. */
const MOST_KNOWN = 10_000;
/** People of one address: fewer are a family. */
const MANY = 3;

/** Counts how many people can be reached, and who shares an address with others. */
export class Contacts {
  readonly #fields: FieldsOf;
  readonly #missing = { name: 0, 'e-mail address': 0 };
  /** By address, the names of those who have it. */
  readonly #namesBy = {
    'e-mail address': new Map<string, Set<string>>(),
    'phone number': new Map<string, Set<string>>(),
  };
  #people = 0;

  constructor(fields: FieldsOf) {
    this.#fields = fields;
  }

  /** Called for the registration of each row, without those who come along. */
  add(registration: Registration): void {
    this.#people += 1;
    const email = emailOf(registration, this.#fields)?.toLowerCase();
    if (!this.#hasName(registration)) this.#missing.name += 1;
    if (email === undefined) this.#missing['e-mail address'] += 1;
    this.#noteName('e-mail address', email, registration);
    this.#noteName('phone number', phoneOf(registration, this.#fields), registration);
  }

  #hasName({ persona, fields }: Registration): boolean {
    return this.#fields(persona).some(({ kind, slug }) => kind === 'name' && (fields[slug] ?? '') !== '');
  }

  #noteName(what: 'e-mail address' | 'phone number', address: string | undefined, of: Registration): void {
    const names = this.#namesBy[what];
    if (address === undefined || (names.size >= MOST_KNOWN && !names.has(address))) return;
    const known = names.get(address) ?? new Set();
    names.set(address, known.add(nameOf(of, this.#fields) ?? ''));
  }

  /** Told before anything is sent. */
  tell(reporter: Reporter): void {
    for (const [what, count] of Object.entries(this.#missing)) {
      if (count === 0 || count === this.#people) continue;
      const have = count === 1 ? 'has' : 'have';
      reporter.report({ type: 'warning', text: `${count} of ${this.#people} rows ${have} no ${what}.` });
    }
    for (const [what, names] of Object.entries(this.#namesBy)) {
      const text = sharedText(
        what,
        [...names.values()].map(({ size }) => size),
      );
      if (text !== undefined) reporter.report({ type: 'note', text });
    }
  }
}

function phoneOf({ persona, fields }: Registration, fieldsOf: FieldsOf): string | undefined {
  const number = fields[fieldsOf(persona).find(({ kind }) => kind === 'phone')?.slug ?? ''];
  return typeof number === 'string' && number !== '' ? number : undefined;
}

/** `counts`: by address, how many people have it. */
function sharedText(what: string, counts: readonly number[]): string | undefined {
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  const shared = counts.filter((count) => count > 1);
  const most = shared.reduce((one, other) => Math.max(one, other), 0);
  if (most < MANY && (shared.length === 0 || sum(shared) < sum(counts))) return undefined;
  return `${sum(shared)} of ${sum(counts)} people share their ${what} with somebody else of the list, up to ${most} one and the same. If it is whoever paid, --map says which column is the guests’ own.`;
}
