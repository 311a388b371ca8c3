import { normaliseName } from '../../input/source/nearest-name.ts';
import { partsOf, reservedTarget, targetName } from '../../input/columns/column-names.ts';
import type { ColumnMapping, ColumnTarget } from '../../registration/model/columns.ts';
import type { Field, Persona } from '../../registration/model/persona.ts';
import type { BarcodeColumns } from './input-row.ts';
import { namesOf } from './nobody.ts';

/** Columns that are named in a line. */
const MOST_REMARKED = 3;
/** Sets of columns of which a mapping is remembered. */
const MOST_SETS = 10;

function firstOf(columns: readonly string[]): string {
  const more = columns.length - MOST_REMARKED;
  const named = columns.slice(0, MOST_REMARKED).join(', ');
  return more > 0 ? `${named} and ${more} more (--columns shows them)` : named;
}

/** What the mappings of all files have in common, for messages. */
export class ColumnFindings {
  readonly #personas: readonly Persona[];
  readonly #barcodes: { barcode?: string; parent_barcode?: string } = {};
  /** Labels by columns that go by another name. */
  readonly #taken = new Map<string, string>();
  readonly #unchecked = new Set<string>();
  readonly #companions = new Set<string>();
  /** Those that fill something, and those that are left out because somebody said so. */
  readonly #columns = new Set<string>();
  readonly #ignored = new Set<string>();
  /** By field, its columns in the order in which they count. */
  readonly #inOrder = new Map<string, readonly string[]>();
  /** Columns that fill something, and what they fill: slugs and reserved names. */
  readonly #used = new Set<string>();
  readonly #sets: ColumnMapping[] = [];
  #more = false;
  #fillsAny = false;
  #namesPeople = false;

  constructor(personas: readonly Persona[]) {
    this.#personas = personas;
  }

  /** Looks at a mapping that has not been seen before. */
  add(mapping: ColumnMapping): void {
    if (this.#sets.length < MOST_SETS) this.#sets.push(mapping);
    else this.#more = true;
    for (const persona of this.#personas) {
      for (const [at, target] of mapping.targetsFor(persona).entries()) {
        const column = mapping.columns[at] ?? '';
        this.#addUse(column, target);
        if (target.kind === 'barcode' || target.kind === 'parent_barcode') {
          this.#barcodes[target.kind] ??= column;
        }
        const slugs = target.kind === 'field' ? partsOf(targetName(target)) : [];
        const fields = persona.fields.filter(({ slug }) => slugs.includes(slug));
        this.#namesPeople ||= namesOf(persona).some((slug) => slugs.includes(slug));
        if (fields.length > 0) this.#addFields(column, fields);
        if (target.kind !== 'field' || target.among === undefined) continue;
        const inOrder = target.among.map((index) => `"${mapping.columns[index] ?? ''}"`);
        this.#inOrder.set(fields.map(({ label }) => label).join(' and '), inOrder);
      }
    }
  }

  #addUse(column: string, target: ColumnTarget): void {
    const own = target.kind === 'companion' ? target.target : target;
    if (own.kind === 'ignored' && reservedTarget(column)?.kind !== 'ignored') this.#ignored.add(column);
    if (own.kind === 'ignored' || own.kind === 'foreign') return;
    this.#columns.add(column);
    this.#used.add(column);
    for (const name of partsOf(targetName(own))) this.#used.add(name);
    if (own.kind === 'field' || own.kind === 'barcode') this.#fillsAny = true;
    if (target.kind === 'companion') this.#companions.add(column);
  }

  /** Whether any column fills a field or the barcode: rows of which nothing is sent are nobody. */
  get fillsAny(): boolean {
    return this.#fillsAny;
  }

  /** Whether any column says who somebody is. */
  get namesPeople(): boolean {
    return this.#namesPeople;
  }

  /** Whether a name is one of a column that is used, or of what a column fills. */
  uses(name: string): boolean {
    return this.#used.has(name);
  }

  /** More than one for a column of full names. */
  #addFields(column: string, fields: readonly Field[]): void {
    for (const { label, type, known } of fields) {
      if (!known) this.#unchecked.add(`${label} (${type || 'no type'})`);
    }
    const names = fields.flatMap(({ slug, label }) => [slug, label]).map(normaliseName);
    if (names.includes(normaliseName(column))) return;
    this.#taken.set(column, fields.map(({ label }) => label).join(' and '));
  }

  /** What the barcode columns are called in the first file that has them. */
  barcodeColumns(): BarcodeColumns {
    const { barcode = 'barcode', parent_barcode: parentBarcode = 'parent_barcode' } = this.#barcodes;
    return { barcode, parentBarcode };
  }

  /** One for each header of the files, or set of keys of records; undefined when there are more than ten. */
  columnMappings(): readonly ColumnMapping[] | undefined {
    return this.#more ? undefined : this.#sets;
  }

  /** Labels of the fields in use whose type is unknown: their values are not checked. */
  unchecked(): string[] {
    return [...this.#unchecked];
  }

  /** Columns that go by neither slug nor label of their field, and what they were taken for; counts, as last time. */
  remarks(recalled: boolean): string[] {
    const columns = recalled ? [] : [...this.#taken].map(([column, label]) => `"${column}" is ${label}`);
    const companions = [...this.#companions].map((column) => `"${column}"`);
    const left = this.#ignored.size === 0 ? 'none' : String(this.#ignored.size);
    return [
      ...(recalled
        ? [
            `Columns: ${this.#columns.size} used, ${left} left out, as last time (--columns shows them; --no-saved-mapping asks again).`,
          ]
        : []),
      ...(columns.length === 0 ? [] : [`Columns: ${firstOf(columns)}.`]),
      ...[...this.#inOrder].map(
        ([label, [first = '', ...more]]) =>
          `${label}: ${first}, and where it is blank ${more.join(', then ')}.`,
      ),
      ...(companions.length === 0
        ? []
        : [`Companions become registrations of their own, members of their row's: ${firstOf(companions)}.`]),
    ];
  }
}
