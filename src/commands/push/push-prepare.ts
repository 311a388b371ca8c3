import { GuardError, InputError } from '../../errors.ts';
import { parseMapFlags } from '../../input/columns/column-wishes.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';
import { QuestionError, tellCommand } from '../../input/source/question-error.ts';
import type { InputSource } from '../../input/source/input-source.ts';
import { type StoredInput, storeInput } from '../../input/source/stored-input.ts';
import type { PlanHeader } from '../../sync/plan/plan-file.ts';
import { prepare, type PreparedInput } from '../../sync/ingest/prepare.ts';
import type { PushOptions } from '../../sync/push/begin-push.ts';
import type { QuestionRow } from '../../registration/model/question.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { Reporter } from '../../report/views/events.ts';
import type { Runtime } from '../../runtime.ts';
import {
  readRemembered,
  recallColumns,
  recalls,
  rememberFiles,
  withRememberedValues,
} from './push-mappings.ts';
import { isUnknown, tellAllOpen, type Work, workAnyhow } from './push-unasked.ts';
import { recallFile, recallSamePerson, recallSheet } from './remembered.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import { toRepairs, loadNationalPhones } from './push-repairs.ts';
import { isInteractive, type Call } from '../terminal/terminal.ts';
import { reopened } from './said-meanings.ts';
import { type Asked, workAsking } from './push-questions.ts';
import { refuseSlips } from './where-flag.ts';
import { toInputOptions } from '../options/reading-options.ts';
import type { WorkContext } from '../../sync/journal/send-context.ts';
import { MaskedValues } from '../../sync/journal/learned.ts';
import { MaskedRows } from '../../sync/ingest/masked-rows.ts';
import { cloneMaskedBy } from '../connect/clone-files.ts';

/** A barcode alone may be somebody, but no command says so for its owner. */
const NOBODY_NAMED = 'No column says who somebody is.';

/** What the files are prepared with. */
interface PrepareParts {
  reporter: Reporter;
  runtime: Runtime;
  /** What registrations are kept apart by. */
  service: string;
  event: EventInfo;
  /** The plan that says how the files are read. */
  header: PlanHeader | undefined;
}

/** Files that were read once. */
export interface Prepared {
  input: PreparedInput;
  /** With what was answered on the way. */
  options: PushCommandOptions;
  /** What values and phone numbers most likely mean, with what was said of them. */
  likely: () => Promise<Pick<PushCommandOptions, 'values' | 'phones'>>;
  /** How to say what values mean of which nobody could be asked. */
  meant?: () => Promise<string | undefined>;
}

/** Opens all sources, or none of them. Streams are read to their end, which may take as long as they like. Close them. */
export async function openAll(sources: readonly InputSource[], reporter: Reporter): Promise<StoredInput[]> {
  const inputs: StoredInput[] = [];
  try {
    for (const source of sources) {
      reporter.report({ type: 'surveying', file: source.file, rows: 0 });
      inputs.push(await storeInput(source));
    }
    return inputs;
  } catch (error) {
    await closeAll(inputs);
    throw error;
  }
}

/** Closes every one, whatever becomes of the others. Never throws: there is nothing left to do about it. */
export async function closeAll(inputs: readonly Pick<StoredInput, 'close'>[]): Promise<void> {
  await Promise.allSettled(inputs.map((input) => input.close()));
}

/**
 * Reads the files once, asking about what they leave open where somebody can be asked. A plan has the
 * answers: what it leaves open is an error.
 */
export async function prepareAsking(
  options: PushCommandOptions,
  inputs: readonly StoredInput[],
  { reporter, runtime, service, event, header }: PrepareParts,
): Promise<Prepared> {
  const target = { service, event: event.eventId };
  const kept = readRemembered(header === undefined ? options : { savedMapping: false }, target, runtime);
  const work: Work<PreparedInput> = async (typed, workReporter, tries = false) => {
    const current = withRememberedValues(typed, kept);
    const mapping = {
      overrides: parseMapFlags(current.map),
      ignore: current.ignoreColumn,
      recall: recallColumns(kept, current.persona),
      recallFile: (columns: readonly string[]) => recallFile(kept, columns),
    };
    const { persona, totalsRows, nothing, invalid } = current;
    const input = await prepare(
      inputs,
      {
        input: {
          ...toInputOptions(current),
          recallSheet: (names) => recallSheet(kept, names),
          recallFile: mapping.recallFile,
        },
        mapping,
        persona,
        totalsRows,
        nothing,
        skipsInvalid: invalid === 'skip',
        repairs: await toRepairs(current, runtime.clock.now()),
        asks: header === undefined && (tries || isInteractive(runtime)),
        loadPhones: loadNationalPhones,
        makeBarcodes: current.makeBarcodes,
      },
      { event, reporter: workReporter, stopping: runtime.stopping },
    );
    if (tries && !input.mappings.findings.namesPeople) throw new InputError(NOBODY_NAMED);
    return input;
  };
  if (header !== undefined) {
    const input = await asPlanned(() => work(options, reporter));
    return { input, options, likely: async () => options };
  }
  const keep = async (asked: Asked<PreparedInput>, isWhole: boolean): Promise<PushCommandOptions> => {
    const samePerson = asked.options.samePerson ?? recallSamePerson(kept, asked.result);
    const answered = { ...asked.options, samePerson };
    const used = ofTheseFiles(withRememberedValues(answered, kept), asked.result);
    // What nobody knew may be known the next time.
    const known = { options: reopened(used), answers: asked.answers, isWhole };
    await rememberFiles(asked.result, known, target, reporter, runtime);
    return used;
  };
  const asking = {
    work,
    keep: (stopped: Asked<PreparedInput>) => keep(stopped, false),
    recalls: ({ mappings }: PreparedInput) =>
      mappings.findings.columnMappings().some(({ columns }) => recalls(kept, columns, options)),
  };
  const asked = await workAsking(options, asking, reporter, runtime);
  refuseSlips(asked.options, asked.result);
  const used = await keep(asked, true);
  const meant = (): Promise<string | undefined> => tellMeanings(used, work);
  const likely = async () => (await workAnyhow(used, work)).options;
  return { input: asked.result, options: used, likely, meant };
}

/** The command that says what refused values mean, else how it is said; undefined where nothing is open. */
async function tellMeanings<Result>(
  options: PushCommandOptions,
  work: Work<Result>,
): Promise<string | undefined> {
  const { questions, proposal } = await tellAllOpen(options, work);
  if (questions.length === 0) return undefined;
  if (questions.some(isUnknown) || proposal === undefined) return SAY_MEANINGS;
  const meant = questions.flatMap((one) => (one.kind === 'table' ? one.rows.flatMap(meaningOf) : []));
  const more = meant.length > MOST_MEANT ? ', …' : '';
  const said = meant.length === 0 ? '' : ` (${meant.slice(0, MOST_MEANT).join(', ')}${more})`;
  return tellCommand(`what these values most likely mean${said}`, proposal);
}

const MOST_MEANT = 6;

/** `"WAHR": true` */
const meaningOf = ({ answers, chosen = -1 }: QuestionRow): string[] => {
  const { value } = answers[chosen] ?? {};
  return typeof value === 'object' ? [`"${value[1]}": ${value[2]}`] : [];
};

const SAY_MEANINGS =
  'To say what these values mean, add --write-mapping FILE, say what stands there as null ("" is blank), and push with --mapping FILE.';

/** Without what is remembered of headings that these files do not have. */
function ofTheseFiles(options: PushCommandOptions, { mappings }: PreparedInput): PushCommandOptions {
  const shapes = mappings.findings.columnMappings();
  const headings = new Set(shapes.flatMap(({ columns }) => columns.map(normaliseName)));
  const own = <Said>(said: Readonly<Record<string, Said>>): Record<string, Said> =>
    Object.fromEntries(Object.entries(said).filter(([heading]) => headings.has(normaliseName(heading))));
  const { values, phones } = options;
  const leaveOut = options.leaveOut.filter((heading) => headings.has(normaliseName(heading)));
  return { ...options, values: own(values), phones: own(phones), leaveOut };
}

/** Files that leave something open are not those that were planned: there, everything was answered. */
async function asPlanned(work: () => Promise<PreparedInput>): Promise<PreparedInput> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof QuestionError)) throw error;
    throw new GuardError('plan', 'The plan no longer holds: the files leave open what they did not then.', {
      details: error.questions.map(({ text }) => text),
      hint: 'Make a new plan with --plan-out, look at it with --diff, and run that.',
    });
  }
}

/** What the core is told, of flags and of what is known by now. */
export function toPushOptions(
  options: PushCommandOptions,
  prepared: PreparedInput,
  told: Pick<PushOptions, 'rejects' | 'resolver'>,
): PushOptions {
  return {
    ...told,
    prepared,
    persona: options.persona,
    blank: options.blank,
    makesBarcodes: options.makeBarcodes === true,
    samePerson: options.samePerson,
    invalid: options.invalid,
    dryRun: options.dryRun,
    again: options.again,
    match: options.match,
    winner: options.overwrite ? 'file' : options.keep ? 'service' : 'ask',
    planned: options.plan !== undefined,
    only: options.only.length === 0 ? undefined : options.only,
    prune: options.prune ? options.maxDelete : undefined,
    audit: options.audit,
  };
}

/** What looks whether the lists of a push are masked for the service that they go to. */
export function lookForMasks(
  { journal, maskedBy, isSandbox }: WorkContext,
  inputs: readonly StoredInput[],
  { options: { accept }, runtime: { paths } }: Call<PushCommandOptions>,
): MaskedRows {
  return new MaskedRows(new MaskedValues(journal), {
    files: inputs.map(({ file }) => file),
    targetMark: maskedBy,
    takesSample: isSandbox,
    accepts: accept.includes('masked'),
    cloneOf: (mark) => cloneMaskedBy(paths.state, mark),
  });
}
