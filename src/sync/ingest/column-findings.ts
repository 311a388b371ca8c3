import { fullNames, partsOf, reservedTarget, targetName } from '../../input/columns/column-names.ts';
import { flagWord, showName } from '../../input/source/shell-word.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';
import type { ColumnSamples } from '../../registration/evidence/column-samples.ts';
import { areFullNames } from '../../registration/evidence/field-evidence.ts';
import type { ColumnMapping, ColumnTarget } from '../../registration/model/columns.ts';
import type { EventInfo, Field, Persona } from '../../registration/model/persona.ts';
import type { Registration } from '../../registration/model/registration.ts';
import type { Reason } from '../../registration/model/row.ts';
import { isOfExample } from '../../registration/rules/example.ts';
import type { BarcodeColumns } from './input-row.ts';

/** Columns that are named in a line. */
const MOST_REMARKED = 3;
/** Sets of columns of which a mapping is remembered. */
const MOST_SETS = 10;

/** What a column is to a persona. */
interface ColumnUse {
  column: string;
  persona: Persona;
  target: ColumnTarget;
  /** Whoever it is of, the row's person or one who comes along. */
  own: ColumnTarget;
  /** The row's, without those of companions; two for a column of full names. */
  fields: readonly Field[];
  /** The columns of the field, where several fill it. */
  inOrder: string | undefined;
}

/** What the mappings of all files have in common, for messages. */
export class ColumnFindings {
  readonly #uses = new Map<string, ColumnUse>();
  readonly #sets: ColumnMapping[] = [];
  #more = false;

  /** Looks at a mapping that has not been seen before, and was made for these personas. */
  add(mapping: ColumnMapping, personas: readonly Persona[]): void {
    if (this.#sets.length < MOST_SETS) this.#sets.push(mapping);
    else this.#more = true;
    for (const persona of personas) {
      for (const [at, target] of mapping.targetsFor(persona).entries()) {
        const use = useOf(mapping, at, target, persona);
        const name = JSON.stringify([persona.slug, use.column, targetName(target)]);
        if (!this.#uses.has(name)) this.#uses.set(name, use);
      }
    }
  }

  /** Whether any column fills a field or the barcode: rows of which nothing is sent are nobody. */
  get fillsAny(): boolean {
    return this.#some(({ own }) => own.kind === 'field' || own.kind === 'barcode');
  }

  /** Whether any column says who somebody is. */
  get namesPeople(): boolean {
    return this.#some(({ persona, fields }) => fields.some(({ slug }) => namesOf(persona).includes(slug)));
  }

  /** Whether a name is one of a column that is used, or of what a column fills. */
  uses(name: string): boolean {
    return this.#some((use) => isUsed(use) && [use.column, ...partsOf(targetName(use.own))].includes(name));
  }

  #some(is: (use: ColumnUse) => boolean): boolean {
    return [...this.#uses.values()].some(is);
  }

  /** What the barcode columns are called in the first file that has them. */
  barcodeColumns(): BarcodeColumns {
    const columnOf = (kind: 'barcode' | 'parent_barcode'): string =>
      [...this.#uses.values()].find(({ target }) => target.kind === kind)?.column ?? kind;
    return { barcode: columnOf('barcode'), parentBarcode: columnOf('parent_barcode') };
  }

  /** One for each header of the files, or set of keys of records; none when there are more than ten. */
  columnMappings(): readonly ColumnMapping[] {
    return this.#more ? [] : this.#sets;
  }

  /** Labels of the fields in use whose type is unknown: their values are not checked. */
  unchecked(): string[] {
    const fields = [...this.#uses.values()].flatMap((use) => use.fields.filter(({ known }) => !known));
    return [...new Set(fields.map(({ label, type }) => `${label} (${type || 'no type'})`))];
  }

  /** Columns that go by neither slug nor label of their field, and what they were taken for; counts, as last time. */
  remarks(recalled: boolean): string[] {
    const uses = [...this.#uses.values()];
    const ignored = columnsOf(uses.filter(isIgnored)).length;
    const taken = uses.filter(({ column, fields }) => fields.length > 0 && !isNamedSo(column, fields));
    const labels = new Map(taken.map(({ column, fields }) => [column, labelOf(fields)]));
    const columns = recalled ? [] : [...labels].map(([column, label]) => `"${column}" is ${label}`);
    const companions = columnsOf(uses.filter(({ target }) => target.kind === 'companion'));
    // Of full names and their parts the former say it.
    const byLabel = [...uses].sort((one, other) => one.fields.length - other.fields.length);
    const inOrder = new Map(byLabel.map(({ fields, inOrder }) => [inOrder, labelOf(fields)]));
    return [
      ...(recalled
        ? [
            `Columns: ${columnsOf(uses.filter(isUsed)).length} used, ${ignored || 'none'} left out, as last time (--columns shows them; --no-saved-mapping asks again).`,
          ]
        : []),
      ...(columns.length === 0 ? [] : [`Columns: ${firstOf(columns)}.`]),
      ...[...inOrder].flatMap(([order, label]) => (order === undefined ? [] : `${label}: ${order}.`)),
      ...(companions.length === 0
        ? []
        : [
            `Companions become registrations of their own, members of their row's: ${firstOf(companions.map((column) => `"${column}"`))}.`,
          ]),
    ];
  }

  /** Names that no column gives. Of files that name people by a barcode alone none is missing: they change what is there. */
  warnings(samples: ColumnSamples): string[] {
    const uses = [...this.#uses.values()];
    const hasBarcodes = uses.some(({ target }) => target.kind === 'barcode');
    const missing = [...new Set(uses.map(({ persona }) => persona))].flatMap((persona) => {
      const filled = new Map(
        uses
          .filter((use) => use.persona === persona)
          .flatMap(({ column, fields }) => fields.map(({ slug }) => [slug, column])),
      );
      const [as = ''] = fullNames([persona], undefined).keys();
      const both = persona.fields.filter(({ slug }) => partsOf(as).includes(slug));
      const open = both.filter(({ slug }) => !filled.has(slug));
      if (open.length === both.length && hasBarcodes) return [];
      const beside = both.flatMap(({ slug }) => filled.get(slug) ?? [])[0];
      return open.map((field) => [labelOf([field]), splitHint(beside, as, samples)] as const);
    });
    return [...new Map(missing)].map(
      ([label, hint]) => `No column gives the ${label}, so people are registered without it.${hint}`,
    );
  }
}

function useOf(mapping: ColumnMapping, at: number, target: ColumnTarget, persona: Persona): ColumnUse {
  const slugs = target.kind === 'field' ? partsOf(targetName(target)) : [];
  const among = target.kind === 'field' ? target.among : undefined;
  return {
    column: mapping.columns[at] ?? '',
    persona,
    target,
    own: target.kind === 'companion' ? target.target : target,
    fields: persona.fields.filter(({ slug }) => slugs.includes(slug)),
    inOrder: among
      ?.map((all) => all.map((index) => `"${mapping.columns[index] ?? ''}"`).join(' and '))
      .join(', then ')
      .replace(', then ', ', and where it is blank '),
  };
}

const isUsed = ({ own }: ColumnUse): boolean => own.kind !== 'ignored' && own.kind !== 'foreign';

/** Because somebody said so. */
const isIgnored = ({ own, column }: ColumnUse): boolean =>
  own.kind === 'ignored' && reservedTarget(column)?.kind !== 'ignored';

const columnsOf = (uses: readonly ColumnUse[]): string[] => [...new Set(uses.map(({ column }) => column))];

const labelOf = (fields: readonly Field[]): string =>
  fields.map(({ label, slug }) => label || slug).join(' and ');

function isNamedSo(column: string, fields: readonly Field[]): boolean {
  const names = fields.flatMap(({ slug, label }) => [slug, label]).map(normaliseName);
  return names.includes(normaliseName(column));
}

function firstOf(columns: readonly string[]): string {
  const more = columns.length - MOST_REMARKED;
  const named = columns.slice(0, MOST_REMARKED).join(', ');
  return more > 0 ? `${named} and ${more} more (--columns shows them)` : named;
}

/** What to say of the column that fills the other name, where it holds full ones. */
function splitHint(column: string | undefined, as: string, samples: ColumnSamples): string {
  if (column === undefined || !areFullNames(samples.of(column), false)) return '';
  return ` If "${showName(column)}" has full names: --map ${flagWord(`${column}=${as}`)}.`;
}

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
function namesOf(persona: Persona): string[] {
  const byKind = persona.fields.filter(({ kind }) => kind === 'name' || kind === 'email');
  const full = [...fullNames([persona], undefined).keys()].flatMap(partsOf);
  return [...byKind.map(({ slug }) => slug), ...full];
}
