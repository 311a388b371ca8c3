import { EventregError, EXIT, ServiceError } from '../../errors.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { nameKeyOf } from '../../registration/changes/person.ts';
import { canonicalValue } from '../../registration/changes/same-value.ts';
import { Lookup } from '../../registration/model/maps.ts';
import type { RawRecord, RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { plural } from '../../report/words/number.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import { MASK } from '../decide/decide.ts';
import { foldBarcode } from '../decide/judge-person.ts';
import type { ReadContext } from '../journal/send-context.ts';

/** A registration as it is listed, and what it is found by. */
export interface Listed {
  /** Its place in the list as it was read, from 1. */
  readonly no: number;
  readonly record: RegistrationRecord;
  /** Undefined where it is none of the event's, or not shown. */
  readonly persona: string | undefined;
  /** The address that its first e-mail field shows, as it is compared; undefined where that is masked, or cut. */
  readonly email: string | undefined;
}

/**
 * One reading of the registrations that the service lists, in memory: 200,000 of ten fields take some 150 MB. What came
 * with them beside what is read of it, `raw`, is not kept.
 */
export class ListedRecords {
  readonly #fields: FieldsOf;
  readonly #personas: readonly string[];
  #all: Listed[] = [];
  #byId = new Lookup<string, Listed>();
  #byFolded = new Lookup<string, Listed>();
  #byEmail = new Lookup<string, Listed>();
  /** By persona and name; made when it is first asked for. */
  #byName: Lookup<string, Listed> | undefined;

  /** `personas`: slugs of those that records which name none may be of. */
  constructor(fields: FieldsOf, personas: readonly string[] = []) {
    this.#fields = fields;
    this.#personas = personas;
  }

  get count(): number {
    return this.#all.length;
  }

  /** Whether any of them shows a whole e-mail address, or there is none: else nobody can be looked for by it. */
  get showsEmails(): boolean {
    return this.count === 0 || this.#byEmail.size > 0;
  }

  /** Takes records as the service client gives them. */
  add(records: readonly RegistrationRecord[]): void {
    for (const record of records) this.#add(record);
  }

  #add({ id, persona, barcode, parentBarcode, parentId, enableComms, fields }: RegistrationRecord): void {
    const own = this.#personas.find((slug) => slug === persona) ?? persona;
    const isKnown = own !== undefined && this.#isPersona(own);
    const listed: Listed = {
      no: this.#all.length + 1,
      record: { id, persona: own, barcode, parentBarcode, parentId, enableComms, fields },
      persona: isKnown ? own : undefined,
      email: this.#emailOf(fields ?? {}, isKnown ? [own] : this.#personas),
    };
    this.#all.push(listed);
    this.#byId.add(id, listed);
    this.#byFolded.add(barcode && foldBarcode(barcode), listed);
    this.#byEmail.add(listed.email, listed);
    this.#byName = undefined;
  }

  #isPersona(slug: string): boolean {
    return this.#personas.includes(slug) || this.#fields(slug).length > 0;
  }

  #emailOf(fields: Readonly<Record<string, unknown>>, personas: readonly string[]): string | undefined {
    for (const persona of personas) {
      const field = this.#fields(persona).find(({ kind }) => kind === 'email');
      if (field === undefined || !Object.hasOwn(fields, field.slug)) continue;
      const email = canonicalValue(field, fields[field.slug]);
      if (email.includes('@') && !MASK.test(email)) return email;
    }
    return undefined;
  }

  hasBarcode(barcode: string): boolean {
    return this.withBarcode(barcode).length > 0;
  }

  byBarcode(barcode: string): RegistrationRecord[] {
    return this.withBarcode(barcode).map(recordOf);
  }

  byId(id: string): RegistrationRecord[] {
    return this.withId(id).map(recordOf);
  }

  /** Those of a persona, or of none that can be told, by the canonical text of their e-mail address. */
  byEmail(persona: string, email: string): RegistrationRecord[] {
    return this.withEmail(email)
      .filter((listed) => (listed.persona ?? persona) === persona)
      .map(recordOf);
  }

  withBarcode(barcode: string): readonly Listed[] {
    return this.withFolded(barcode).filter(({ record }) => record.barcode === barcode);
  }

  /** Those with a barcode but for its case. */
  withFolded(barcode: string | undefined): readonly Listed[] {
    return this.#byFolded.of(barcode && foldBarcode(barcode));
  }

  withId(id: string | undefined): readonly Listed[] {
    return this.#byId.of(id);
  }

  /** Those with an e-mail address, of whatever persona. */
  withEmail(email: string | undefined): readonly Listed[] {
    return this.#byEmail.of(email);
  }

  /** Those that have a name, as `nameKeyOf` gives it. */
  withName(name: string | undefined): readonly Listed[] {
    return (this.#byName ??= this.#named()).of(name);
  }

  #named(): Lookup<string, Listed> {
    const found = new Lookup<string, Listed>();
    for (const listed of this.#all) {
      const { persona: own, fields = {} } = listed.record;
      for (const persona of own === undefined ? this.#personas : [own])
        found.add(nameKeyOf({ persona, fields }, this.#fields), listed);
    }
    return found;
  }

  /** All in the order of the list, with what they are found by; more may come meanwhile. */
  numbered(): Iterable<Listed> {
    return this.#all;
  }

  *all(): Generator<RegistrationRecord> {
    for (const { record } of this.#all) yield record;
  }

  /** Forgets all records of this reading. */
  clear(): void {
    this.#all = [];
    this.#byId = new Lookup();
    this.#byFolded = new Lookup();
    this.#byEmail = new Lookup();
    this.#byName = undefined;
  }
}

const recordOf = ({ record }: Listed): RegistrationRecord => record;

export type KindOf = Pick<RecordImage, 'persona' | 'parentBarcode'>;

const OF_A_PARENT = ' of a parent';

/** What a way of looking may show or hide as a whole: a persona, and members of others apart. */
export const kindOf = ({ persona = '', parentBarcode }: KindOf): string =>
  `${persona}${parentBarcode === undefined ? '' : OF_A_PARENT}`;

/** Whether some kinds have one of members, or of others, whose persona passes a test, or is not shown. */
export const hasKind = (
  kinds: ReadonlySet<string>,
  isMember: boolean,
  isPersona: (persona: string) => boolean,
): boolean =>
  [...kinds].some((kind) => {
    if (kind.endsWith(OF_A_PARENT) !== isMember) return false;
    const persona = kind.replace(OF_A_PARENT, '');
    return persona === '' || isPersona(persona);
  });

/** Barcodes that are asked for to see whether a list can be believed. */
const SAMPLE = 5;

/**
 * Sees whether a list lacks what is there: some of the barcodes that it did not show are asked for by the
 * filter of the service. If one of them is found, all are asked for. `missing` walks those barcodes, `add`
 * takes what is found. Returns whether the list lacks anything, as far as that can be seen. Throws
 * EventregError when it does and the filter does not tell of a barcode whether it is there.
 */
export async function lookBehindList(
  context: ReadContext,
  missing: () => Iterable<string>,
  add: (record: RawRecord) => void,
): Promise<boolean> {
  if (!(await sampleShows(context, spread([...missing()], SAMPLE)))) return false;
  // Added at once, what is found would no longer be walked as missing.
  const found: RawRecord[] = [];
  for (const barcode of missing()) {
    const records = await ask(context, barcode);
    if (records === undefined) throw untold();
    found.push(...records);
  }
  for (const record of found) add(record);
  const count = plural(found.length, 'registration', 'registrations');
  const text = `The list of the service lacks ${count} that it finds by their barcodes: what is not in the list was asked for one by one.`;
  context.reporter.report({ type: 'warning', text });
  return true;
}

async function sampleShows(context: ReadContext, barcodes: readonly string[]): Promise<boolean> {
  for (const barcode of barcodes) {
    let records: RawRecord[] | undefined;
    try {
      records = await ask(context, barcode);
    } catch (error) {
      context.stopping.throwIfAborted();
      // A service without such a filter has nothing to say against its list.
      if (error instanceof ServiceError) return false;
      throw error;
    }
    if (records === undefined) return false;
    if (records.length > 0) return true;
  }
  return false;
}

/** What the filter finds with exactly this barcode; undefined when it finds something else only. */
async function ask(
  { registrations, stopping }: ReadContext,
  barcode: string,
): Promise<RawRecord[] | undefined> {
  stopping.throwIfAborted();
  const { records, mismatched } = await registrations.page({ barcode }, 1, PER_PAGE_MAX);
  const own = records.filter((record) => record.barcode === barcode);
  return own.length === 0 && mismatched + records.length > 0 ? undefined : own;
}

const untold = (): EventregError =>
  new EventregError(
    EXIT.failed,
    'The list of the service lacks registrations that are there, and its filter does not find each by its barcode: what is not in the list may be there all the same.',
    { hint: 'Ask whoever runs the service.' },
    'service',
  );

/** Some of many, spread over all of them. */
function spread(all: readonly string[], count: number): string[] {
  const every = Math.max(1, all.length / count);
  return all.filter((_, at) => Math.floor(at / every) > Math.floor((at - 1) / every));
}
