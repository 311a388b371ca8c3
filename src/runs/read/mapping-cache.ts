import { InputError } from '../../errors.ts';
import { reservedTarget } from '../../input/columns/column-names.ts';
import { HeadingReader } from '../../input/columns/heading-reader.ts';
import { mapColumns, type MappingProblems } from '../../input/columns/header-mapping.ts';
import type { MappingOptions } from '../../input/columns/column-wishes.ts';
import type { ColumnMapping } from '../../registration/model/columns.ts';
import type { EventInfo, Persona } from '../../registration/model/persona.ts';
import type { SourceRow } from '../../registration/model/row.ts';
import { ColumnFindings } from './column-findings.ts';
import { firstLines, QuestionError } from '../../input/source/question-error.ts';
import { columnQuestion } from '../../input/columns/column-question.ts';
import { showName } from '../../input/columns/show-cells.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';

/** Sets of columns that are kept at once: records may have as many as there are rows. */
const MOST_KEPT = 1000;

/** Personas, and what reads headings against them. */
interface Against {
  personas: readonly Persona[];
  reader: HeadingReader;
}

export interface MappingWish {
  mapping: Pick<MappingOptions, 'overrides' | 'ignore' | 'companionPattern'> & { recall: Recall };
  /** Persona of rows that name none, by slug. */
  persona: string | undefined;
}

/** The mapping of each set of columns, and what is wrong with all of them. */
export class MappingCache {
  readonly findings: ColumnFindings;
  readonly #options: Omit<MappingOptions, 'personas'>;
  readonly #all: Against;
  /** The persona given for the whole file, for rows that have no column for it. */
  readonly #named: Against | undefined;
  readonly #severalFiles: boolean;
  readonly #recall: Recall;
  readonly #known = new Map<string, ColumnMapping | undefined>();
  /** The array of the row before: rows of one set share it, and it needs no key. */
  #last: { columns: readonly string[]; mapping: ColumnMapping | undefined } | undefined;
  readonly #problems: ColumnProblems;

  constructor({ mapping, persona }: MappingWish, event: EventInfo, severalFiles: boolean) {
    const { recall, ...options } = mapping;
    const against = (personas: readonly Persona[]): Against => ({
      personas,
      reader: new HeadingReader(personas, options.companionPattern),
    });
    const named = event.personas.filter((one) => one.slug === persona);
    this.#options = options;
    this.#recall = recall;
    this.#all = against(event.personas);
    this.#named = named.length === 0 ? undefined : against(named);
    this.#severalFiles = severalFiles;
    this.findings = new ColumnFindings(event.personas);
    this.#problems = new ColumnProblems(this.#named?.personas ?? event.personas);
  }

  /** Undefined when the header has problems; they are thrown together once everything is read. */
  learn({ columns, place }: SourceRow, optionalColumns: boolean): ColumnMapping | undefined {
    if (this.#last?.columns === columns) return this.#last.mapping;
    const key = JSON.stringify(columns);
    if (!this.#known.has(key)) {
      if (this.#known.size >= MOST_KEPT) this.#known.clear();
      this.#known.set(key, this.#learnColumns(columns, place.file, optionalColumns));
    }
    const mapping = this.#known.get(key);
    this.#last = { columns, mapping };
    return mapping;
  }

  /** The mapping of a row whose columns were learnt without problems. */
  mappingOf(row: SourceRow): ColumnMapping {
    const mapping = this.learn(row, true);
    if (mapping === undefined) {
      throw new InputError(`${row.place.file}: the file was changed while it was read.`, {
        hint: 'Run the command again when nothing writes to it. Nothing was sent.',
      });
    }
    return mapping;
  }

  /** An InputError with everything that is wrong, if anything is. */
  throwProblems(): void {
    this.#problems.throwAll();
  }

  #learnColumns(columns: readonly string[], file: string, optional: boolean): ColumnMapping | undefined {
    const mapped = this.#map(columns, optional || this.#severalFiles);
    if ('mapping' in mapped) {
      this.findings.add(mapped.mapping);
      return mapped.mapping;
    }
    this.#problems.add(mapped, file);
    return undefined;
  }

  /** Against the named persona, unless rows may name others themselves. */
  #map(columns: readonly string[], optionalColumns: boolean): ReturnType<typeof mapColumns> {
    const options = { ...this.#withSaved(columns), optionalColumns };
    const mapAgainst = ({ personas, reader }: Against) =>
      mapColumns(columns, { ...options, personas }, reader);
    if (this.#named === undefined) return mapAgainst(this.#all);
    const named = mapAgainst(this.#named);
    if ('mapping' in named && named.mapping.personaColumn < 0) return named;
    const all = mapAgainst(this.#all);
    const names = [...columns, ...options.overrides.values()];
    const mayNameOthers = names.some((name) => reservedTarget(name)?.kind === 'persona');
    return 'mapping' in all || mayNameOthers ? all : named;
  }

  /** What is remembered for these headings, as far as no flag says otherwise. */
  #withSaved(columns: readonly string[]): Omit<MappingOptions, 'personas'> {
    const saved = this.#recall(columns);
    if (saved === undefined) return this.#options;
    const { overrides: map, ignore } = this.#options;
    const merged = mergeMappings(saved, { map, ignore });
    return { ...this.#options, overrides: merged.map, ignore: merged.ignore };
  }
}

/** Columns that an error explains, and names that it lists of all. */
const MOST_EXPLAINED = 4;
const MOST_NAMES = 30;
/** Columns that a person is asked about; a file with more is better mapped with a file of its own. */
const MOST_ASKED = 50;
/** Beyond these the rest of the file only repeats them. */
const MOST_COLLECTED = 1000;

/** Everything that is wrong with the columns of all files. */
class ColumnProblems {
  readonly #personas: readonly Persona[];
  readonly #problems = new Set<string>();
  /** Columns that match nothing, with the last file that has them and the targets it fills otherwise. */
  readonly #unmatched = new Map<string, { file: string; taken: ReadonlySet<string> }>();
  #onlyUnmatched = true;

  constructor(personas: readonly Persona[]) {
    this.#personas = personas;
  }

  /** Throws what there is when it is enough. */
  add({ problems, unmatched, taken }: MappingProblems, file: string): void {
    for (const problem of problems) this.#problems.add(`${file}: ${problem}`);
    for (const column of unmatched) this.#unmatched.set(column, { file, taken });
    this.#onlyUnmatched &&= problems.length === unmatched.length;
    if (this.#problems.size >= MOST_COLLECTED) this.throwAll();
  }

  /** An InputError with all problems; columns that match nothing can be asked about when they are all there is. */
  throwAll(): void {
    const problems = [...this.#problems];
    if (problems.length === 0) return;
    const what = problems.length === 1 ? 'A column cannot' : `${problems.length} columns cannot`;
    const message = `${what} be matched to the fields of the event.`;
    const facts = {
      details: [...firstLines(problems, MOST_EXPLAINED, 'columns'), ...this.#allNames(problems.length)],
      hint: 'See the fields with `eventreg event fields PERSONA`. Nothing was sent.',
    };
    if (!this.#onlyUnmatched || this.#unmatched.size > MOST_ASKED) throw new InputError(message, facts);
    const questions = [...this.#unmatched].map(([column, { file, taken }]) =>
      columnQuestion(column, this.#personas, taken, file),
    );
    throw new QuestionError(questions, { message, ...facts });
  }

  /** The names of all columns that match nothing, when too few of them are explained. */
  #allNames(problems: number): string[] {
    const names = [...this.#unmatched.keys()];
    if (problems <= MOST_EXPLAINED || names.length === 0) return [];
    const shown = names.slice(0, MOST_NAMES).map((name) => `"${showName(name)}"`);
    return [`Columns that match nothing: ${shown.join(', ')}${names.length > MOST_NAMES ? ', …' : ''}`];
  }
}

/** What the columns of a set of headings become, as far as somebody had to say it. */
export interface SavedMapping {
  /** Header → slug, label or reserved name. */
  map: ReadonlyMap<string, string>;
  ignore: readonly string[];
}

/** What was remembered for a set of headings, if anything. */
export type Recall = (columns: readonly string[]) => SavedMapping | undefined;

/** Two mappings in one; of a column that both name, the later one says what it becomes. */
export function mergeMappings(earlier: SavedMapping, later: SavedMapping): SavedMapping {
  const named = new Set([...later.map.keys(), ...later.ignore].map(normaliseName));
  const isFree = (column: string): boolean => !named.has(normaliseName(column));
  return {
    map: new Map([...[...earlier.map].filter(([column]) => isFree(column)), ...later.map]),
    ignore: [...earlier.ignore.filter(isFree), ...later.ignore],
  };
}
