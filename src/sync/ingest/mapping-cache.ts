import { InputError } from '../../errors.ts';
import { HeadingReader, type HeadingReading } from '../../input/columns/heading-reader.ts';
import { ELSE, partsOf } from '../../input/columns/column-names.ts';
import { type MappingProblems, mapColumns } from '../../input/columns/header-mapping.ts';
import { type MappingOptions, readWishes } from '../../input/columns/column-wishes.ts';
import type { ColumnSamples } from '../../registration/evidence/column-samples.ts';
import type { ColumnMapping } from '../../registration/model/columns.ts';
import type { EventInfo, Persona } from '../../registration/model/persona.ts';
import type { Answer, Question } from '../../registration/model/question.ts';
import type { SourceRow } from '../../registration/model/row.ts';
import { ColumnFindings } from './column-findings.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';
import { QuestionError, firstLines } from '../../input/source/question-error.ts';
import { columnsQuestion } from '../../input/columns/column-question.ts';
import type { ColumnState } from '../../input/columns/column-states.ts';
import { withoutMisnamed } from '../../input/columns/contact-columns.ts';
import { proposeColumns } from '../../input/columns/propose-columns.ts';

/** Sets of columns, and problems, that are kept at once: records may have as many as there are rows. */
const MOST_KEPT = 1000;

/** What a set of columns has come to. */
interface Learnt {
  /** Undefined when the header has problems; they are thrown together once everything is read. */
  mapping: ColumnMapping | undefined;
  /** Index of the column in which rows name their persona; or -1. */
  personaColumn: number;
}

export interface MappingWish {
  mapping: Pick<MappingOptions, 'overrides' | 'ignore'> & {
    recall: Recall;
    /** What was answered for the last file that had these columns, by option. */
    recallFile?: (columns: readonly string[]) => Readonly<Record<string, string | boolean>>;
  };
  /** Persona of rows that name none, by slug. */
  persona: string | undefined;
}

/** The mapping of each set of columns, and what is wrong with all of them. */
export class MappingCache {
  readonly findings = new ColumnFindings();
  readonly #options: Omit<MappingOptions, 'personas'>;
  readonly #all: HeadingReader;
  /** The persona given for the whole file, for rows that have no column for it. */
  readonly #named: HeadingReader | undefined;
  readonly #severalFiles: boolean;
  readonly #recall: Recall;
  #recalls: boolean | undefined;
  readonly #known = new Map<string, Learnt>();
  /** The array of the row before: rows of one set share it, and it needs no key. */
  #last: { columns: readonly string[]; learnt: Learnt } | undefined;
  readonly #problems: ColumnProblems;

  constructor({ mapping, persona }: MappingWish, event: EventInfo, severalFiles: boolean) {
    const { recall, recallFile: _, ...options } = mapping;
    const named = event.personas.filter((one) => one.slug === persona);
    this.#options = options;
    this.#recall = recall;
    this.#all = new HeadingReader(event.personas);
    this.#named = named.length === 0 ? undefined : new HeadingReader(named);
    this.#severalFiles = severalFiles;
    this.#problems = new ColumnProblems(this.#named ?? this.#all);
  }

  learn({ columns, place }: SourceRow, optionalColumns: boolean): Learnt {
    if (this.#last?.columns === columns) return this.#last.learnt;
    const key = JSON.stringify(columns);
    const learnt = this.#known.get(key) ?? this.#learn(columns, place.file, optionalColumns);
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    this.#known.set(key, learnt);
    this.#last = { columns, learnt };
    return learnt;
  }

  /** The mapping of a row whose columns were learnt without problems. */
  mappingOf(row: SourceRow): ColumnMapping {
    const { mapping } = this.learn(row, true);
    if (mapping === undefined) {
      throw new InputError(`${row.place.file}: the file was changed while it was read.`, {
        hint: 'Run the command again when nothing writes to it. Nothing was sent.',
      });
    }
    return mapping;
  }

  /** Whether what is remembered was used, and no flag says otherwise. */
  get recalls(): boolean {
    return this.#recalls === true;
  }

  /** Whether a heading alone says what its column is. */
  knows(heading: string): boolean {
    return (this.#named ?? this.#all).knows(heading);
  }

  /** What headings and flags say of columns, whatever is wrong with them, for each persona of the event. */
  readHeadings(columns: readonly string[]): readonly HeadingReading[] {
    const reader = this.#all;
    const options = { ...this.#withSaved(columns), personas: reader.personas, optionalColumns: true };
    return readWishes(columns, options, reader, []).map((wish) => reader.read(wish));
  }

  /** Those that a mapping was made for. */
  personasOf({ personaColumn }: ColumnMapping): readonly Persona[] {
    return (personaColumn < 0 ? (this.#named ?? this.#all) : this.#all).personas;
  }

  /** Throws what is wrong, or open, with the columns of all files, if anything is. */
  throwProblems(samples: ColumnSamples): void {
    this.#problems.throwAll(samples);
  }

  /** Against the named persona, unless rows may name others themselves. */
  #learn(columns: readonly string[], file: string, optional: boolean): Learnt {
    const headings = this.readHeadings(columns);
    const personaColumn = headings.findIndex(({ shared }) => shared.targets[0]?.kind === 'persona');
    const reader = personaColumn < 0 ? (this.#named ?? this.#all) : this.#all;
    const optionalColumns = optional || this.#severalFiles;
    const options = { ...this.#withSaved(columns), optionalColumns, personas: reader.personas };
    const mapped = mapColumns(columns, options, reader);
    if ('mapping' in mapped) {
      this.findings.add(mapped.mapping, reader.personas);
      return { mapping: mapped.mapping, personaColumn: mapped.mapping.personaColumn };
    }
    this.#problems.add(mapped, file);
    return { mapping: undefined, personaColumn };
  }

  /** What is remembered for these headings, as far as no flag says otherwise. */
  #withSaved(columns: readonly string[]): Omit<MappingOptions, 'personas'> {
    const saved = this.#recall(columns);
    if (saved === undefined) return this.#options;
    const { overrides: map, ignore } = this.#options;
    const reader = this.#named ?? this.#all;
    const isUnsaid = (column: string): boolean => !saved.map.has(column) && !saved.ignore.includes(column);
    const own = new Set(columns.filter(isUnsaid).flatMap((column) => reader.targetsOf(column)));
    // What was said of other files may name what there is not for these people, or what another column is by its name.
    const isFree = (target: string): boolean =>
      target.startsWith(ELSE) || !partsOf(target).some((part) => own.has(part));
    const known = [...saved.map].filter(([, target]) => reader.knowsTarget(target) && isFree(target));
    const merged = mergeMappings({ ...saved, map: new Map(known) }, { map, ignore });
    const isSame = JSON.stringify([...merged.map]) === JSON.stringify([...saved.map]);
    this.#recalls = this.#recalls !== false && isSame && ignore.every((one) => saved.ignore.includes(one));
    return { ...this.#options, overrides: merged.map, ignore: merged.ignore };
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

/** Two mappings in one; of a column or a field that both name, the later one says what it is. */
function mergeMappings(earlier: SavedMapping, later: SavedMapping): SavedMapping {
  const named = new Set([...later.map.keys(), ...later.ignore].map(normaliseName));
  const isFree = (column: string): boolean => !named.has(normaliseName(column));
  const filled = new Set([...later.map.values()].map(normaliseName));
  return {
    map: new Map([
      ...[...earlier.map].filter(([column, target]) => isFree(column) && !filled.has(normaliseName(target))),
      ...later.map,
    ]),
    ignore: [...earlier.ignore.filter(isFree), ...later.ignore],
  };
}

/** Sets of columns of a file that are looked at: records may have one each. */
export const MOST_SHAPES = 10;

/** The question with the answer that was given for the last file that had the same columns. */
export function recalled<Asked extends Question>(
  question: Asked,
  shapes: ReadonlySet<readonly string[]>,
  { recallFile }: MappingWish['mapping'],
): Asked {
  const files = [...shapes].map((columns) => recallFile?.(columns) ?? {});
  const remembered = answersOf(question).find(({ option, value }) =>
    files.every((said) => said[option] === String(value)),
  );
  return files.length === 0 || remembered === undefined ? question : { ...question, remembered };
}

/** Of a table, the one that is said of all its rows at once. */
export function answersOf(question: Question): readonly Answer[] {
  if (question.kind !== 'table') return question.answers;
  return question.restAnswer === undefined ? [] : [question.restAnswer];
}

/** Columns that an error explains. */
const MOST_EXPLAINED = 5;
/** Open columns that a person is asked about; a file with more is better mapped with a file of its own. */
const MOST_ASKED = 50;

/** Everything that is wrong with the columns of all files. */
class ColumnProblems {
  readonly #reader: HeadingReader;
  readonly #problems = new Set<string>();
  readonly #files = new Set<string>();
  /** By heading, as the last file has it. */
  readonly #states = new Map<string, ColumnState>();
  #isBlocked = false;

  constructor(reader: HeadingReader) {
    this.#reader = reader;
  }

  /** Keeps what is wrong with a set of columns. */
  add({ problems, blocking, states }: MappingProblems, file: string): void {
    if (this.#problems.size >= MOST_KEPT) return;
    for (const problem of problems) this.#problems.add(`${file}: ${problem}`);
    this.#files.add(file);
    for (const state of states) this.#states.set(state.column, state);
    this.#isBlocked ||= blocking.length > 0;
  }

  /** An InputError with all problems; a QuestionError where the owner of the file can say what columns are. */
  throwAll(samples: ColumnSamples): void {
    const problems = [...this.#problems];
    if (problems.length === 0) return;
    const { personas } = this.#reader;
    const states = withoutMisnamed([...this.#states.values()], personas, this.#reader, samples);
    const open = states.filter(({ certain }) => !certain).length;
    if (this.#isBlocked || open > MOST_ASKED) throw refuse(problems);
    const found = proposeColumns(states, personas, this.#reader, samples);
    throw new QuestionError([columnsQuestion([...this.#files], states, personas, samples, found)]);
  }
}

function refuse(problems: readonly string[]): InputError {
  const what = problems.length === 1 ? 'A column cannot' : `${problems.length} columns cannot`;
  return new InputError(`${what} be matched to the fields of the event.`, {
    details: firstLines(problems, MOST_EXPLAINED, 'columns'),
    hint: 'See the fields with `eventreg event fields PERSONA`. Nothing was sent.',
  });
}
