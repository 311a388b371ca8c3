import { InputError, UsageError } from '../../errors.ts';
import { QuestionError } from '../../input/source/question-error.ts';
import type { InputBatch } from '../../input/source/table-record.ts';
import { type InputOptions, type OpenedInput, openInput } from '../../input/read-input.ts';
import { columnKnower } from '../../input/columns/column-knower.ts';
import type { StoredInput } from '../../input/source/stored-input.ts';
import { refuseUnusedFlags } from '../../input/unused-flags.ts';
import { ColumnSamples } from '../../registration/evidence/column-samples.ts';
import { CompanionEvidence } from '../../registration/evidence/companion-evidence.ts';
import { ColumnSurvey, type Surveyed } from '../../registration/evidence/column-survey.ts';
import { nothingQuestion, withBlanks } from '../../registration/evidence/nothing-question.ts';
import { phoneQuestion } from '../../registration/evidence/phone-question.ts';
import { valuesQuestions } from '../../registration/evidence/values-question.ts';
import { TotalsRows } from '../../registration/evidence/totals-rows.ts';
import { ExampleRows } from '../../registration/reading/example-row.ts';
import type { ColumnAnswers } from '../../registration/model/column-answers.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { Question } from '../../registration/model/question.ts';
import type { RepairOptions } from '../../registration/repairs/repair-options.ts';
import type { Reporter } from '../../report/views/events.ts';
import { formatCount } from '../../report/words/number.ts';
import type { ColumnFindings } from './column-findings.ts';
import { NamelessRows } from './nameless-rows.ts';
import { tellOfNames } from './name-columns.ts';
import { PersonaSurvey } from './persona-question.ts';
import { MOST_SHAPES, recalled } from './recalled.ts';
import { type LoadPhones, repairsAsSaid } from './said-of-columns.ts';
import { MappingCache, type MappingWish } from './mapping-cache.ts';

interface PrepareOptions extends MappingWish {
  input: Omit<InputOptions, 'knows'>;
  repairs: RepairOptions;
  /** What was said of the values of columns. */
  said: ColumnAnswers;
  /** Rows that name no persona, or nobody, are left out with other invalid ones, and not asked about. */
  skipsInvalid: boolean;
  /** Somebody can be asked: also about what would else leave rows out. */
  asks: boolean;
  /** It is found out what a command has to say that nobody looks at: rows with a barcode alone are asked about, too. */
  tries: boolean;
  loadPhones: LoadPhones;
  /** Rows that have companions and no barcode get one; undefined: asked about. */
  makeBarcodes: boolean | undefined;
  /** What rows of totals are; undefined: asked about. */
  totalsRows: 'left-out' | 'guests' | undefined;
  /** What words for nothing are; undefined: asked about. */
  nothing: 'blank' | 'kept' | undefined;
}

/** A file of which everything is known that a single row does not tell. */
interface PreparedFile {
  stored: StoredInput;
  opened: OpenedInput;
  /** With what its columns have shown: another file may write its dates otherwise. */
  repairs: RepairOptions;
  /** Lines of rows that are no guests. */
  leftOut: ReadonlySet<number>;
  /** Lines of the example of a template: nothing is asked or concluded of it either. */
  examples: ReadonlySet<number>;
  nameless: NamelessRows;
}

export interface PreparedInput {
  files: readonly PreparedFile[];
  /** Of their columns. */
  samples: ColumnSamples;
  /** By column, texts that are none of its options, and of which nothing is said: their rows are refused. */
  openValues: ReadonlyMap<string, readonly string[]>;
  /** What a person would have been asked of values, where nobody is there. */
  unasked: () => Promise<readonly Question[]>;
  mappings: MappingCache;
}

/**
 * Reads all files once without judging rows: what every column becomes, which order its dates have, what is
 * hidden. Throws an InputError with all that is wrong, or a QuestionError with all that is to be decided.
 */
export async function prepare(
  inputs: readonly StoredInput[],
  options: PrepareOptions,
  { event, reporter, stopping }: { event: EventInfo; reporter: Reporter; stopping: AbortSignal },
): Promise<PreparedInput> {
  const mappings = new MappingCache(options, event, inputs.length > 1);
  const knows = columnKnower(event.personas, options.mapping.companionPattern);
  const files: PreparedFile[] = [];
  const samples = new ColumnSamples();
  const questions: Question[] = [];
  const personas: Question[] = [];
  const optional: Question[] = [];
  const openValues = new Map<string, readonly string[]>();
  const unasked: (() => Promise<readonly Question[]>)[] = [];
  const said = await repairsAsSaid(options.repairs, options.said, options.loadPhones);
  const remarks: string[] = [];
  const warnings: string[] = [];
  let rows = 0;
  for (const { stored, opened } of await openAll(inputs, { ...options.input, knows })) {
    samples.begin();
    const shapes = new Set<readonly string[]>();
    const examples = new ExampleRows({ event, persona: options.persona, blank: 'omit', repairs: said });
    const survey = new ColumnSurvey(event, said, options.persona);
    const totals = new TotalsRows(event);
    const kinds = asksPersona(options, event) ? new PersonaSurvey(event, mappings) : undefined;
    const nameless = new NamelessRows(event, options.tries);
    const companions = new CompanionEvidence(event);
    const looksForTotals = options.totalsRows !== 'guests' && !isRecordFormat(opened);
    for await (const batch of batchesOf(stored, opened)) {
      stopping.throwIfAborted();
      for (const row of batch.rows) {
        const mapping = mappings.learn(row, isRecordFormat(opened));
        if (examples.add(row, mapping)) continue;
        samples.add(row);
        if (shapes.size < MOST_SHAPES) shapes.add(row.columns);
        if (mapping === undefined) kinds?.add(row, false);
        if (mapping === undefined) continue;
        const guests = looksForTotals ? totals.add(row, mapping) : [{ row, mapping }];
        for (const guest of guests) {
          const likely = survey.add(guest.row, guest.mapping);
          const meant = options.nothing === 'kept' ? guest.row : likely;
          kinds?.add(meant, true);
          if (!said.accept.has('nameless')) nameless.add(meant, guest.mapping);
          companions.add(meant, guest.mapping);
        }
      }
      rows += batch.rows.length;
      if (rows > MOST_ROWS) throw tooMany();
      reporter.report({ type: 'surveying', file: stored.file, rows });
    }
    totals.end();
    const question = kinds?.question(stored.file, options.skipsInvalid);
    if (question !== undefined) personas.push(recalled(question, shapes, options.mapping));
    const shown = survey.result();
    const unit = opened.style.format === 'xlsx' ? 'row' : 'line';
    const values = options.nothing === 'blank' ? withBlanks(said.values, shown.nothing) : said.values;
    const repairs = { ...said, decisions: shown.decisions, values };
    files.push({ stored, opened, repairs, leftOut: totals.lines, examples: examples.lines, nameless });
    if (options.tries || !options.skipsInvalid) questions.push(...nameless.questions());
    const again = (question: Question): Question => recalled(question, shapes, options.mapping);
    const nothing =
      options.nothing === undefined ? nothingQuestion(stored.file, shown.nothing, unit) : undefined;
    if (nothing !== undefined) questions.push(again(nothing));
    questions.push(...[...opened.questions(), ...shown.questions].map(again));
    for (const { column, open } of shown.choices) {
      openValues.set(column, [...(openValues.get(column) ?? []), ...open.map(({ text }) => text)]);
    }
    const asked = options.makeBarcodes === undefined ? companions.question() : undefined;
    const parents = asked && recalled(asked, shapes, options.mapping);
    if (parents !== undefined && (options.asks || parents.remembered !== undefined)) optional.push(parents);
    const aboutValues = () => askAboutValues(stored.file, shown, unit, options);
    if (options.asks) optional.push(...(await aboutValues()));
    else unasked.push(aboutValues);
    const unknown = options.asks ? [] : shown.phones.flatMap((phones) => phones.unasked() ?? []);
    const told = totals.tell(options.totalsRows === 'left-out');
    questions.push(...told.questions.map(again));
    warnings.push(...[...shown.warnings, ...unknown].map((warning) => `${stored.file}: ${warning}`));
    const of = inputs.length > 1 ? `${stored.file}: ` : '';
    remarks.push(...[...opened.remarks(), ...shown.remarks, ...told.remarks].map((remark) => of + remark));
  }
  // First: which fields there are depends on who they are.
  if (personas.length > 0) throw new QuestionError(personas);
  mappings.throwProblems(samples);
  if (rows > 0) refuseUseless(mappings.findings, options.repairs, inputs);
  const names = rows > 0 ? tellOfNames(mappings, samples) : undefined;
  warnings.push(...(names?.warnings ?? []));
  if (options.asks) optional.unshift(...(names?.questions ?? []));
  remarks.push(...mappings.findings.remarks(mappings.recalls));
  if (questions.length > 0) throw new QuestionError(questions);
  if (optional.length > 0) throw new QuestionError(optional);
  for (const text of remarks) reporter.report({ type: 'note', text });
  for (const text of warnings) reporter.report({ type: 'warning', text });
  return {
    files,
    mappings,
    samples,
    openValues,
    unasked: async () => (await Promise.all(unasked.map((ask) => ask()))).flat(),
  };
}

/** As many as are held in memory and compared in a moment; sent 30 a minute they take more than four days. */
const MOST_ROWS = 200_000;

const tooMany = (): InputError =>
  new InputError(`These are more than ${formatCount(MOST_ROWS)} rows, which are too many for one push.`, {
    hint: `Split them into files of at most ${formatCount(MOST_ROWS)} rows, each with the headings, and push one after the other, without --prune: it would delete the guests of the other files.`,
  });

/** Whoever says who all of them are, or has one kind of guest only, is not asked. */
function asksPersona({ persona }: PrepareOptions, { personas }: EventInfo): boolean {
  return persona === undefined && personas.length > 1;
}

/** What the person may say of values that would be refused: not an error where nobody is there. */
async function askAboutValues(
  file: string,
  { phones, choices }: Surveyed,
  unit: 'row' | 'line',
  { loadPhones }: PrepareOptions,
): Promise<Question[]> {
  const values = valuesQuestions(file, choices, unit);
  if (phones.length === 0) return values;
  // Any country will do: the others are known through it.
  const known = await loadPhones('US');
  return [...values, ...phones.map((evidence) => phoneQuestion(file, evidence, known))];
}

/** Rows of which nothing is sent, and zeros for a column that is not there, are slips of whoever typed the flags. */
function refuseUseless(
  findings: ColumnFindings,
  { pad }: RepairOptions,
  inputs: readonly StoredInput[],
): void {
  const files = inputs.map(({ file }) => file).join(', ');
  if (!findings.fillsAny) {
    throw new InputError(`${files}: no column fills a field or the barcode, so there is nobody to send.`, {
      hint: 'See the fields with `eventreg event fields PERSONA`, and say what columns are with --map.',
    });
  }
  const unused = [...pad.keys()].filter((name) => !findings.uses(name));
  const [first, ...more] = unused.map(
    (name) => `--set pad=${name}: no column of ${files} is called so or fills it.`,
  );
  if (first !== undefined) throw new UsageError(first, { details: more });
}

/** All of them before any is read: only then can be said whether a flag is of use to one. */
async function openAll(
  inputs: readonly StoredInput[],
  options: InputOptions,
): Promise<Pick<PreparedFile, 'stored' | 'opened'>[]> {
  const files: Pick<PreparedFile, 'stored' | 'opened'>[] = [];
  for (const stored of inputs) files.push({ stored, opened: await openInput(stored, options) });
  const formats = files.map(({ stored, opened }) => ({ file: stored.file, format: opened.style.format }));
  refuseUnusedFlags(formats, options);
  return files;
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

/** Whether each row has columns of its own. */
function isRecordFormat({ style }: OpenedInput): boolean {
  return style.format === 'json' || style.format === 'ndjson';
}
