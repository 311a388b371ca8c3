import { InputError, UsageError } from '../../errors.ts';
import { columnKnower } from '../../input/columns/heading-reader.ts';
import { type InputOptions, openInput } from '../../input/read-input.ts';
import { QuestionError } from '../../input/source/question-error.ts';
import type { StoredInput } from '../../input/source/stored-input.ts';
import { ColumnSamples } from '../../registration/evidence/column-samples.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { Question } from '../../registration/model/question.ts';
import type { RepairOptions } from '../../registration/repairs/repair-options.ts';
import type { Reporter } from '../../report/views/events.ts';
import { formatCount } from '../../report/words/number.ts';
import type { ColumnFindings } from './column-findings.ts';
import { MappingCache } from './mapping-cache.ts';
import {
  FileSurvey,
  type OpenFile,
  type PreparedFile,
  type SurveyOptions,
  type SurveyResult,
} from './survey-file.ts';

interface PrepareOptions extends SurveyOptions {
  input: Omit<InputOptions, 'knows'>;
}

export interface PreparedInput {
  files: readonly PreparedFile[];
  /** Of their columns. */
  samples: ColumnSamples;
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
  const knows = columnKnower(event.personas);
  const samples = new ColumnSamples();
  let rows = 0;
  const onRows = (file: string, more: number): void => {
    rows += more;
    if (rows > MOST_ROWS) throw tooMany();
    reporter.report({ type: 'surveying', file, rows });
  };
  const surveys: FileSurvey[] = [];
  for (const file of await openAll(inputs, { ...options.input, knows })) {
    const survey = new FileSurvey(file, options, { event, mappings, samples, stopping, onRows });
    surveys.push(survey);
    await survey.run();
  }
  // Which columns there are depends on what is hidden, and which fields on who they are.
  throwAny(surveys.flatMap((survey) => survey.first()));
  mappings.throwProblems(samples);
  if (rows > 0) refuseUseless(mappings.findings, options.repairs, inputs);
  const found: SurveyResult[] = [];
  for (const survey of surveys) found.push(await survey.result());
  throwAny(found.flatMap(({ questions, optional }) => [...questions, ...optional]));
  const of = ({ stored }: PreparedFile): string => (inputs.length > 1 ? `${stored.file}: ` : '');
  const notes = found.flatMap(({ file, remarks }) => remarks.map((remark) => of(file) + remark));
  notes.push(...mappings.findings.remarks(mappings.recalls));
  for (const text of notes) reporter.report({ type: 'note', text });
  const warnings = [
    ...found.flatMap((one) => one.warnings),
    ...(rows > 0 ? mappings.findings.warnings(samples) : []),
  ];
  for (const text of warnings) reporter.report({ type: 'warning', text });
  return { files: found.map(({ file }) => file), mappings, samples };
}

function throwAny(questions: readonly Question[]): void {
  if (questions.length > 0) throw new QuestionError(questions);
}

/** As many as are held in memory and compared in a moment; sent 30 a minute they take more than four days. */
const MOST_ROWS = 200_000;

const tooMany = (): InputError =>
  new InputError(`These are more than ${formatCount(MOST_ROWS)} rows, which are too many for one push.`, {
    hint: `Split them into files of at most ${formatCount(MOST_ROWS)} rows, each with the headings, and push one after the other, without --prune: it would delete the guests of the other files.`,
  });

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

async function openAll(inputs: readonly StoredInput[], options: InputOptions): Promise<OpenFile[]> {
  const files: OpenFile[] = [];
  for (const stored of inputs) files.push({ stored, opened: await openInput(stored, options) });
  return files;
}
