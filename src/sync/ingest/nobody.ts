import { fullNames, partsOf } from '../../input/columns/column-names.ts';
import type { EventInfo, Persona } from '../../registration/model/persona.ts';
import type { Registration } from '../../registration/model/registration.ts';
import { isOfExample } from '../../registration/rules/example.ts';
import type { Reason } from '../../registration/model/row.ts';

/** What there is of such a row stands in columns that are not sent: a registration without anything would come of it. */
const NOBODY: Reason = {
  code: 'row-empty',
  problem: 'holds no value that is sent, so that it would register nobody',
  remedy: 'fill it in, take it out, or say what its columns are',
  personal: false,
};

/** As the lines of a sheet of notes. */
const NAMELESS: Reason = {
  ...NOBODY,
  code: 'row-nameless',
  problem: 'has no name and no e-mail address',
  remedy: 'fill one in, take the row out, or send it so with --set accept=nameless',
};

/** A guest who was written over the example row of a template, and has still something of it, would be sent under that. */
const EXAMPLE: Reason = {
  ...NOBODY,
  code: 'example-row',
  problem: 'has the barcode or the e-mail address of the example of a template',
  remedy: 'delete the row, or replace all of the example in it',
};

/** Says of registrations why they are nobody's. */
export class Nobodies {
  readonly #names: ReadonlyMap<string, readonly string[]>;

  constructor({ personas }: EventInfo) {
    this.#names = new Map(personas.map((persona) => [persona.slug, namesOf(persona)]));
  }

  /** Undefined for somebody: a barcode is, or a group to belong to, as a ticket that has no name yet. */
  whyNobody(registration: Registration, takesNameless: boolean): Reason | undefined {
    const { persona, fields, barcode, parentBarcode } = registration;
    if (isOfExample(registration)) return EXAMPLE;
    if (barcode !== undefined || parentBarcode !== undefined) return undefined;
    const isBlank = (slug: string): boolean => (fields[slug] ?? '').length === 0;
    const names = this.#names.get(persona) ?? [];
    if (names.some((slug) => !isBlank(slug))) return undefined;
    if (Object.keys(fields).every(isBlank)) return NOBODY;
    // Of a persona without names and addresses nobody has one.
    return takesNameless || names.length === 0 ? undefined : NAMELESS;
  }
}

/** Slugs of the fields that say who somebody is. */
export function namesOf(persona: Persona): string[] {
  const byKind = persona.fields.filter(({ kind }) => kind === 'name' || kind === 'email');
  const full = [...fullNames([persona], undefined).keys()].flatMap(partsOf);
  return [...byKind.map(({ slug }) => slug), ...full];
}
