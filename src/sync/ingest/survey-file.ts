import type { OpenedInput } from '../../input/read-input.ts';
import type { StoredInput } from '../../input/source/stored-input.ts';
import type { InputBatch } from '../../input/source/table-record.ts';
import type { ColumnSamples } from '../../registration/evidence/column-samples.ts';
import { ColumnSurvey, type Surveyed } from '../../registration/evidence/column-survey.ts';
import { CompanionEvidence } from '../../registration/evidence/barcode-evidence.ts';
import { nothingQuestion, valuesQuestions, withBlanks } from '../../registration/evidence/values-question.ts';
import { RowsByValue } from '../../registration/evidence/rows-by-value.ts';
import { phoneQuestion } from '../../registration/evidence/phone-evidence.ts';
import { ExampleRows, TotalsRows } from '../../registration/evidence/totals-rows.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { Question } from '../../registration/model/question.ts';
import type { SourceRow } from '../../registration/model/row.ts';
import type { NationalPhones } from '../../registration/repairs/repair-phone.ts';
import type { RepairOptions } from '../../registration/repairs/repair-options.ts';
import { type MappingCache, type MappingWish, MOST_SHAPES, recalled } from './mapping-cache.ts';
import { PersonaSurvey } from './persona-question.ts';

export interface SurveyOptions extends MappingWish {
  /** With what was said of the values of columns. */
  repairs: RepairOptions;
  /** Rows that name no persona are left out with other invalid ones, and not asked about. */
  skipsInvalid: boolean;
  /** Somebody can be asked: also about what would else leave rows out. */
  asks: boolean;
  /** Loads what is known of the phone numbers of a country, by its alpha-2 code. */
  loadPhones: (country: string) => Promise<NationalPhones>;
  /** Rows that have companions and no barcode get one; undefined: asked about. */
  makeBarcodes: boolean | undefined;
  /** What rows of totals are; undefined: asked about. */
  totalsRows: 'left-out' | 'guests' | undefined;
  /** What words for nothing are; undefined: asked about. */
  nothing: 'blank' | 'kept' | undefined;
}

/** A file as it was opened. */
export interface OpenFile {
  stored: StoredInput;
  opened: OpenedInput;
}

/** A file of which everything is known that a single row does not tell. */
export interface PreparedFile extends OpenFile {
  /** With what its columns have shown: another file may write its dates otherwise. */
  repairs: RepairOptions;
  /** Lines of rows that are no guests. */
  leftOut: ReadonlySet<number>;
  byValue: RowsByValue;
  /** Lines of the example of a template: nothing is asked or concluded of it either. */
  examples: ReadonlySet<number>;
}

/** What surveying all files shares. */
export interface SurveyParts {
  event: EventInfo;
  mappings: MappingCache;
  samples: ColumnSamples;
  stopping: AbortSignal;
  /** Told how many rows there are so far. */
  onRows: (file: string, rows: number) => void;
}

/** What one file has come to. */
export interface SurveyResult {
  file: PreparedFile;
  /** What has to be answered before any row can be read. */
  questions: readonly Question[];
  /** What may be answered. */
  optional: readonly Question[];
  warnings: readonly string[];
  remarks: readonly string[];
}

/** Looks through one file: what single rows do not tell, and what its owner has to be asked. */
export class FileSurvey {
  readonly #file: OpenFile;
  readonly #options: SurveyOptions;
  readonly #parts: SurveyParts;
  readonly #isOfRecords: boolean;
  readonly #shapes = new Set<readonly string[]>();
  readonly #examples: ExampleRows;
  readonly #columns: ColumnSurvey;
  readonly #rows: RowsByValue;
  readonly #totals: TotalsRows;
  readonly #kinds: PersonaSurvey | undefined;
  readonly #companions: CompanionEvidence;

  constructor(file: OpenFile, options: SurveyOptions, parts: SurveyParts) {
    const { persona, repairs } = options;
    const { event } = parts;
    this.#file = file;
    this.#options = options;
    this.#parts = parts;
    const { format } = file.opened.style;
    this.#isOfRecords = format === 'json' || format === 'ndjson';
    this.#examples = new ExampleRows(event);
    this.#columns = new ColumnSurvey(event, repairs, persona);
    this.#rows = new RowsByValue(repairs.values, event.personas);
    this.#totals = new TotalsRows(event);
    // Whoever says who all of them are, or has one kind of guest only, is not asked.
    const asks = persona === undefined && event.personas.length > 1;
    this.#kinds = asks ? new PersonaSurvey(event) : undefined;
    this.#companions = new CompanionEvidence(event);
  }

  async run(): Promise<void> {
    const { stored, opened } = this.#file;
    const { samples, stopping, onRows } = this.#parts;
    samples.begin();
    for await (const { rows } of batchesOf(stored, opened)) {
      stopping.throwIfAborted();
      for (const row of rows) this.#add(row);
      onRows(stored.file, rows.length);
    }
  }

  #add(row: SourceRow): void {
    const { mappings, samples } = this.#parts;
    const { mapping, personaColumn } = mappings.learn(row, this.#isOfRecords);
    if (this.#examples.add(row)) return;
    if (this.#shapes.size < MOST_SHAPES) this.#shapes.add(row.columns);
    if (this.#rows.leavesOut(row, mapping)) return this.#columns.addLeftOut(row, mapping);
    const { totalsRows, nothing } = this.#options;
    const looksForTotals = totalsRows !== 'guests' && !this.#isOfRecords;
    const isOfNobody = looksForTotals && this.#totals.add(row, mapping);
    if (!isOfNobody) samples.add(row);
    if (mapping === undefined) {
      this.#kinds?.add(row, personaColumn, false);
      return;
    }
    const isGone = this.#rows.add(row, mapping);
    if (isOfNobody) return;
    if (isGone) return this.#columns.addLeftOut(row, mapping);
    const likely = this.#columns.add(row, mapping);
    const meant = nothing === 'kept' ? row : likely;
    this.#kinds?.add(meant, personaColumn, true);
    this.#companions.add(meant, mapping);
  }

  /** What is asked before columns: who the people of the file are, and which cells are read. */
  first(): Question[] {
    const { mappings, samples } = this.#parts;
    const { skipsInvalid } = this.#options;
    const cells = this.#file.opened
      .questions()
      .filter(({ answers: [one] }) => ['includeHidden', 'merged'].includes(one?.option ?? ''));
    const readings = [...this.#shapes].flatMap((columns) =>
      mappings.readHeadings(columns).map((reading, at) => [columns[at] ?? '', reading] as const),
    );
    const asked = this.#kinds?.question(this.#file.stored.file, new Map(readings), samples, skipsInvalid);
    return [asked, ...cells].flatMap((question) => this.#again(question) ?? []);
  }

  /** What there is to say after the last row, and what is left to ask. */
  async result(): Promise<SurveyResult> {
    const { stored, opened } = this.#file;
    const { repairs, nothing, totalsRows, asks } = this.#options;
    const shown = this.#columns.result(this.#parts.samples.dateOrders);
    const told = this.#totals.tell(totalsRows === 'left-out');
    const values = nothing === 'blank' ? withBlanks(repairs.values, shown.nothing) : repairs.values;
    const file: PreparedFile = {
      ...this.#file,
      repairs: { ...repairs, decisions: shown.decisions, values },
      leftOut: new Set([...this.#totals.lines, ...this.#rows.lines]),
      byValue: this.#rows,
      examples: this.#examples.lines,
    };
    const words = nothing === undefined ? nothingQuestion(stored.file, shown.nothing, this.#unit) : undefined;
    const gone = [...this.#rows.questions(stored.file, this.#unit), words];
    const questions = [...gone, ...opened.questions(), ...shown.questions, ...told.questions];
    const unknown = asks ? [] : shown.phones.flatMap((phones) => phones.unasked() ?? []);
    return {
      file,
      questions: questions.flatMap((question) => this.#again(question) ?? []),
      optional: [...this.#askAboutBarcodes(), ...(asks ? await this.#askAboutValues(shown) : [])],
      warnings: unknown.map((warning) => `${stored.file}: ${warning}`),
      remarks: [...opened.remarks(), ...shown.remarks, ...told.remarks],
    };
  }

  get #unit(): 'row' | 'line' {
    return this.#file.opened.style.format === 'xlsx' ? 'row' : 'line';
  }

  /** With what was answered for the last file of the same columns. */
  #again<Asked extends Question>(question: Asked | undefined): Asked | undefined {
    return question && recalled(question, this.#shapes, this.#options.mapping);
  }

  #askAboutBarcodes(): Question[] {
    const { makeBarcodes, asks } = this.#options;
    const asked = this.#again(makeBarcodes === undefined ? this.#companions.question() : undefined);
    return asked !== undefined && (asks || asked.remembered !== undefined) ? [asked] : [];
  }

  /** What the person may say of values that would be refused: not an error where nobody is there. */
  async #askAboutValues({ phones, choices, mends }: Surveyed): Promise<Question[]> {
    const { file } = this.#file.stored;
    const values = valuesQuestions(file, choices, this.#unit, mends);
    if (phones.length === 0) return values;
    // Any country will do: the others are known through it.
    const known = await this.#options.loadPhones('US');
    return [...values, ...phones.map((evidence) => phoneQuestion(file, evidence, known))];
  }
}

/** A file that somebody writes to looks damaged while it is read: that it was changed is the better news. */
async function* batchesOf(stored: StoredInput, opened: OpenedInput): AsyncGenerator<InputBatch> {
  try {
    yield* opened.batches();
  } catch (error) {
    await stored.checkUnchanged();
    throw error;
  }
}
