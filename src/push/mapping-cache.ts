import { InputError } from '../errors.ts';
import { reservedTarget } from '../input/column-names.ts';
import { firstLines } from '../input/first-lines.ts';
import { columnQuestion, type MappingOptions, mapColumns } from '../input/header-mapping.ts';
import { normaliseName } from '../input/nearest.ts';
import { QuestionError } from '../input/question-error.ts';
import { showName } from '../input/show-cells.ts';
import type { ColumnMapping } from '../registration/columns.ts';
import type { EventInfo, Field, Persona } from '../registration/persona.ts';
import type { SourceRow } from '../registration/row.ts';
import type { PrepareOptions } from './prepare.ts';
import { mergeMappings, type Recall } from './saved-mapping.ts';
import type { BarcodeColumns } from './reject-rows.ts';

const MOST_REMARKED = 20;
/** Columns that an error explains, and names that it lists of all. */
const MOST_PROBLEMS = 4;
const MOST_NAMES = 30;

const fieldOf = (persona: Persona, slug: string): Field | undefined =>
  persona.fields.find((field) => field.slug === slug);

function isNameOf(column: string, { slug, label }: Field): boolean {
  return [slug, label].some((name) => normaliseName(name) === normaliseName(column));
}

/** The mapping of each row shape, and all problems of all headers. */
export class MappingCache {
  readonly #options: MappingOptions;
  /** The persona given for the whole file, for rows that have no column for it. */
  readonly #named: readonly Persona[];
  readonly #severalFiles: boolean;
  readonly #recall: Recall | undefined;
  readonly #known = new Map<string, ColumnMapping | undefined>();
  /** The array of the row before: rows of one shape share it, and it needs no key. */
  #last: { columns: readonly string[]; mapping: ColumnMapping | undefined } | undefined;
  readonly #problems = new Set<string>();
  /** Columns that match nothing, with the last file that has them and the targets it fills otherwise. */
  readonly #unmatched = new Map<string, { file: string; taken: ReadonlySet<string> }>();
  #onlyUnmatched = true;

  constructor({ mapping, persona }: PrepareOptions, event: EventInfo, severalFiles: boolean) {
    const { recall, ...options } = mapping;
    this.#options = { ...options, personas: event.personas };
    this.#recall = recall;
    this.#named = event.personas.filter((one) => one.slug === persona);
    this.#severalFiles = severalFiles;
  }

  /** Undefined when the header has problems; they are thrown together once everything is read. */
  learn(row: SourceRow, optionalColumns: boolean): ColumnMapping | undefined {
    const { columns, place } = row;
    if (this.#last?.columns === columns) return this.#last.mapping;
    const key = JSON.stringify(columns);
    if (!this.#known.has(key)) this.#known.set(key, this.#learnShape(columns, place.file, optionalColumns));
    const mapping = this.#known.get(key);
    this.#last = { columns, mapping };
    return mapping;
  }

  /** The mapping of a row whose shape was learnt without problems. */
  mappingOf(row: SourceRow): ColumnMapping {
    const mapping = this.learn(row, true);
    if (mapping === undefined) {
      throw new InputError(`${row.place.file}: the file was changed while it was read.`, {
        hint: 'Run the command again when nothing writes to it. Nothing was sent.',
      });
    }
    return mapping;
  }

  #learnShape(columns: readonly string[], file: string, optionalColumns: boolean): ColumnMapping | undefined {
    const mapped = this.#map(columns, optionalColumns || this.#severalFiles);
    if ('mapping' in mapped) return mapped.mapping;
    for (const problem of mapped.problems) this.#problems.add(`${file}: ${problem}`);
    for (const column of mapped.unmatched) this.#unmatched.set(column, { file, taken: mapped.taken });
    this.#onlyUnmatched &&= mapped.problems.length === mapped.unmatched.length;
    return undefined;
  }

  /** Against the named persona, unless rows may name others themselves. */
  #map(columns: readonly string[], optionalColumns: boolean): ReturnType<typeof mapColumns> {
    const options = { ...this.#withSaved(columns), optionalColumns };
    if (this.#named.length === 0) return mapColumns(columns, options);
    const named = mapColumns(columns, { ...options, personas: this.#named });
    if ('mapping' in named && named.mapping.personaColumn < 0) return named;
    const all = mapColumns(columns, options);
    const names = [...columns, ...options.overrides.values()];
    const mayNameOthers = names.some((name) => reservedTarget(name)?.kind === 'persona');
    return 'mapping' in all || mayNameOthers ? all : named;
  }

  /** What is remembered for these headings, as far as no flag says otherwise. */
  #withSaved(columns: readonly string[]): MappingOptions {
    const saved = this.#recall?.(columns);
    if (saved === undefined) return this.#options;
    const { overrides: map, ignore } = this.#options;
    const merged = mergeMappings(saved, { map, ignore });
    return { ...this.#options, overrides: merged.map, ignore: merged.ignore };
  }

  /** What the barcode columns are called in the first file that has them. */
  barcodeColumns(): BarcodeColumns {
    return { barcode: this.#columnOf('barcode'), parentBarcode: this.#columnOf('parent_barcode') };
  }

  #columnOf(kind: 'barcode' | 'parent_barcode'): string {
    const [persona] = this.#options.personas;
    for (const mapping of this.#known.values()) {
      if (mapping === undefined || persona === undefined) continue;
      const at = mapping.targetsFor(persona).findIndex((target) => target.kind === kind);
      if (at >= 0) return mapping.columns[at] ?? kind;
    }
    return kind;
  }

  /** The headers of the files; of records, every set of keys that occurs. */
  shapes(): readonly (readonly string[])[] {
    return [...this.#known.keys()].map((key) => JSON.parse(key) as string[]);
  }

  /** Columns that go by neither slug nor label of their field, and what they were taken for. */
  remarks(): string[] {
    const taken = new Map<string, string>();
    for (const mapping of this.#known.values()) {
      for (const persona of mapping === undefined ? [] : this.#options.personas) {
        for (const [at, target] of (mapping?.targetsFor(persona) ?? []).entries()) {
          const column = mapping?.columns[at] ?? '';
          const field = target.kind === 'field' ? fieldOf(persona, target.slug) : undefined;
          if (field !== undefined && !isNameOf(column, field)) taken.set(column, field.label);
        }
      }
    }
    if (taken.size === 0) return [];
    const columns = [...taken].map(([column, label]) => `"${column}" is ${label}`);
    const more = columns.length > MOST_REMARKED ? ` and ${columns.length - MOST_REMARKED} more` : '';
    return [`Columns: ${columns.slice(0, MOST_REMARKED).join(', ')}${more}.`];
  }

  /** Labels of the fields in use whose type is unknown: their values are not checked. */
  unchecked(): string[] {
    const labels = new Set<string>();
    for (const mapping of this.#known.values()) {
      if (mapping === undefined) continue;
      for (const persona of this.#options.personas) {
        const targets = mapping.targetsFor(persona);
        const slugs = new Set(targets.map((target) => (target.kind === 'field' ? target.slug : undefined)));
        for (const field of persona.fields) {
          if (!field.known && slugs.has(field.slug))
            labels.add(`${field.label} (${field.type || 'no type'})`);
        }
      }
    }
    return [...labels];
  }

  /** The names of all columns that match nothing, when too few of them are explained. */
  #allNames(problems: number): string[] {
    const names = [...this.#unmatched.keys()];
    if (problems <= MOST_PROBLEMS || names.length === 0) return [];
    const shown = names.slice(0, MOST_NAMES).map((name) => `"${showName(name)}"`);
    return [`Columns that match nothing: ${shown.join(', ')}${names.length > MOST_NAMES ? ', …' : ''}`];
  }

  /** An InputError with all problems; columns that match nothing can be asked about when they are all there is. */
  throwProblems(): void {
    const problems = [...this.#problems];
    if (problems.length === 0) return;
    const what = problems.length === 1 ? 'A column cannot' : `${problems.length} columns cannot`;
    const message = `${what} be matched to the fields of the event.`;
    const facts = {
      details: [...firstLines(problems, MOST_PROBLEMS, 'columns'), ...this.#allNames(problems.length)],
      hint: 'See the fields with `eventreg event fields PERSONA`. Nothing was sent.',
    };
    if (!this.#onlyUnmatched) throw new InputError(message, facts);
    const personas = this.#named.length > 0 ? this.#named : this.#options.personas;
    const questions = [...this.#unmatched].map(([column, { file, taken }]) =>
      columnQuestion(column, personas, taken, file),
    );
    throw new QuestionError(questions, { message, ...facts });
  }
}
