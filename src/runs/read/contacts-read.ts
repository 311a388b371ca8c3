import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { Registration } from '../../registration/model/registration.ts';
import type { Reporter } from '../../report/views/events.ts';
import { emailOf, nameOf } from '../../sync/decide/near.ts';

/** Different addresses that are counted: one that many have stands among the first. */
const MOST_KNOWN = 10_000;
/** People of one address: fewer are a family. */
const MANY = 3;

/** How many people of the files can be reached, and by whose address; counted as their rows are read. */
export class ContactsRead {
  readonly #fields: FieldsOf;
  readonly #missing = { name: 0, 'e-mail address': 0 };
  /** By kind and address, the names of those who have it. */
  readonly #people = new Map<string, Set<string>>();
  #rows = 0;

  constructor(event: EventInfo) {
    this.#fields = fieldsOf(event);
  }

  add(registration: Registration): void {
    const email = emailOf(registration, this.#fields);
    const name = nameOf(registration, this.#fields);
    this.#rows += 1;
    if (name === undefined) this.#missing.name += 1;
    if (email === undefined) this.#missing['e-mail address'] += 1;
    const phone = this.#fields(registration.persona).find(({ kind }) => kind === 'phone');
    const number = phone === undefined ? undefined : registration.fields[phone.slug];
    if (email !== undefined) this.#addTo(`e-mail address ${email.toLowerCase()}`, name);
    if (typeof number === 'string' && number !== '') this.#addTo(`phone number ${number}`, name);
  }

  #addTo(key: string, name = ''): void {
    const people = this.#people.get(key) ?? new Set();
    if (this.#people.size < MOST_KNOWN) this.#people.set(key, people);
    people.add(name);
  }

  /** Who lacks what others have, and what many share, before anything is sent. */
  tell(reporter: Reporter): void {
    for (const [what, count] of Object.entries(this.#missing)) {
      if (count === 0 || count === this.#rows) continue;
      const have = count === 1 ? 'has' : 'have';
      reporter.report({ type: 'warning', text: `${count} of ${this.#rows} rows ${have} no ${what}.` });
    }
    for (const what of ['e-mail address', 'phone number']) this.#tellShared(what, reporter);
  }

  #tellShared(what: string, reporter: Reporter): void {
    const counts = [...this.#people].flatMap(([key, { size }]) => (key.startsWith(what) ? [size] : []));
    const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
    const shared = counts.filter((count) => count > 1);
    const most = Math.max(0, ...shared);
    if (most < MANY && (shared.length === 0 || sum(shared) < sum(counts))) return;
    const text = `${sum(shared)} of ${sum(counts)} people share their ${what} with somebody else of the list, up to ${most} one and the same. If it is whoever paid, --map says which column is the guests’ own.`;
    reporter.report({ type: 'note', text });
  }
}
