import type { DocumentBody } from '../../documents/documents.ts';
import { EXIT, type ExitCode, UsageError } from '../../errors.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Run } from '../../sync/journal/run.ts';
import { runUndo } from '../../sync/undo/undo.ts';
import type { RemovalContext } from '../../sync/delete/removal-run.ts';
import { removalEntries, removalExitCode, type RemovalSummary } from '../../sync/delete/removal-summary.ts';
import { visible } from '../../report/words/escape.ts';
import { formatCount } from '../../report/words/number.ts';
import { fieldsLine } from '../../report/summary/summary-lines.ts';
import { problemRecords } from '../../report/summary/row-problems.ts';
import type { RecordWriter } from '../../report/records/record-writer.ts';
import { cloneIn, isSandbox, serviceName } from '../../report/words/service-name.ts';
import { openEvents } from '../connect/event-stream.ts';
import { settleReports } from '../connect/report-files.ts';
import {
  removalContext,
  type Workplace,
  workWithService,
  tellComingBack,
  tellFlaws,
} from '../connect/workplace.ts';
import type { RunsOptionsOf } from './runs-options.ts';
import { findRun } from './runs-list.ts';
import {
  openRecords,
  say,
  tellPrograms,
  type Call,
  confirm,
  isInteractive,
  requireYes,
} from '../terminal/terminal.ts';
import type { Target } from '../../sync/journal/runs.ts';
import { utcMinute } from '../../report/words/time-words.ts';
import { didIn } from '../../sync/tell/run-words.ts';
import { chainOf, lastPush } from '../../sync/journal/undo-rows.ts';
import { typedCommand } from '../options/help.ts';

/** Prints what was deleted, restored and kept as records, and a summary on stderr. Throws UsageError for an unknown run. */
export async function undo(journal: Journal, call: Call<RunsOptionsOf<'undo'>>): Promise<ExitCode> {
  const { options } = call;
  const events = openEvents(call);
  const given = options.id === undefined ? undefined : findRun(journal, options.id);
  if (given !== undefined && isSandbox(given.service) && !options.sandbox) {
    const clone = cloneIn(given.service);
    throw new UsageError(`Run ${given.id} was at ${serviceName(given.service)}.`, {
      hint: `Add --sandbox${clone === undefined ? '' : `=${clone}`}.`,
    });
  }
  const lists = createLists(journal, call);
  const reports = await settleReports(call, { kind: 'undo', inputs: [] });
  try {
    const work = async (place: Workplace): Promise<ExitCode[]> => {
      const wanted = given ?? (await offerLast(journal, place.context.target, call));
      const runs = await offerChain(journal, wanted, call);
      return await undoAll(runs, lists, removalContext(place, call, reports, lists), call);
    };
    const codes = await reports.around(() => workWithService(call, { journal, events, reports }, work));
    reports.end();
    await events?.end();
    return codes.reduce((worst, code) => (code > worst ? code : worst), EXIT.done);
  } finally {
    await lists.end();
  }
}

/** One after the other, until one is stopped. */
async function undoAll(
  runs: readonly Run[],
  lists: Lists,
  context: RemovalContext,
  call: Call<RunsOptionsOf<'undo'>>,
): Promise<ExitCode[]> {
  const { maxDelete: most, dryRun } = call.options;
  const codes: ExitCode[] = [];
  for (const undone of runs) {
    const summary = await runUndo({ undone, maxDelete: most, dryRun }, context);
    tell(undone.id, summary, call);
    if (summary.run !== undefined && undone.kind === 'push') tellComingBack(undone.files, call);
    lists.undone.push({ ...summary, undone: undone.id });
    if (summary.error !== undefined && summary.state !== 'interrupted') throw summary.error;
    codes.push(removalExitCode(summary, summary.kept > 0));
    if (summary.state === 'interrupted') break;
  }
  return codes;
}

const COLUMNS = ['result', 'place', 'barcode', 'persona', 'registration_id', 'why'];

type Lists = ReturnType<typeof createLists>;

/** The records of all that is undone, as one document. */
function createLists(journal: Journal, call: Call<RunsOptionsOf<'undo'>>) {
  const { options } = call;
  let writer: RecordWriter | undefined;
  const open = (): RecordWriter => (writer ??= openRecords(call, COLUMNS, ['runs-undo@1', 'results']));
  const undone: (RemovalSummary & { undone: string })[] = [];
  return {
    undone,
    async print(run: string): Promise<void> {
      const records = open();
      for (const entry of removalEntries(journal, run, options.dryRun)) {
        await records.write({
          result: entry.result,
          place: entry.place ?? null,
          barcode: entry.barcode ?? null,
          persona: entry.persona ?? null,
          registration_id: entry.registrationId ?? null,
          why: entry.why ?? '',
        });
      }
    },
    async end(): Promise<void> {
      if (options.output === 'json' && undone.length > 0) open();
      await writer?.end();
      if (undone.length === 0) return;
      const records = undone.map((one) => summaryRecord(one, options.showValues));
      await tellPrograms(call, 'runs-undo@1', { run: records.at(-1)?.run ?? null, undone: records });
    },
  };
}

function summaryRecord(
  summary: RemovalSummary & { undone: string },
  showValues: boolean,
): DocumentBody<'runs-undo@1'>['undone'][number] {
  const { state, run = null, undone, tooMany = null } = summary;
  const { deleted, restored, settled, kept, uncertain, open } = summary;
  const problems = summary.flaws.flatMap((flaw) => problemRecords(flaw, showValues));
  const counts = { deleted, restored, settled, kept, uncertain, open };
  return { undoes: undone, run, state, ...counts, too_many: tooMany, problems };
}

function tell(undone: string, summary: RemovalSummary, call: Call<RunsOptionsOf<'undo'>>): void {
  const { state, deleted, restored, settled, kept, uncertain, open, audit, tooMany } = summary;
  const rest = [
    ...(kept > 0 ? [`${formatCount(kept)} kept`] : []),
    ...(settled > 0 ? [`${formatCount(settled)} gone or as before already`] : []),
    ...(uncertain > 0 ? [`${formatCount(uncertain)} in doubt`] : []),
    ...(open > 0 ? [`${formatCount(open)} not tried`] : []),
  ];
  if (state === 'nothing') {
    const empty = kept + settled === 0 ? 'it has sent and deleted nothing' : 'everything is undone already';
    const more = summary.flaws.length > 0 ? 'nothing more of it can be undone' : empty;
    const all = kept > 0 ? 'nothing of it can be undone' : more;
    say(call, `Run ${undone}: ${all}${rest.length > 0 ? ` (${rest.join(', ')})` : ''}.`);
    tellFlaws(summary, call);
    return;
  }
  const planned = state === 'planned';
  const counts = [
    `${formatCount(deleted)} ${planned ? 'would be ' : ''}deleted`,
    `${formatCount(restored)} restored`,
    ...rest,
  ].join(', ');
  const over = tooMany === undefined ? '' : `; ${tooMany}`;
  say(call, `${planned ? 'Dry run of undoing run' : 'Run'} ${undone}: ${counts}${over}.`);
  tellFlaws(summary, call);
  for (const line of fieldsLine('not shown by the service, sent as before', audit?.hidden ?? []))
    say(call, line);
  if (audit?.skipped !== undefined) say(call, `Not read back: ${audit.skipped}.`);
  if (state === 'stopped' || state === 'interrupted' || open > 0)
    say(call, 'To go on: run the same command again.');
}

/** `run 20270301-4f9a2c of 2027-03-01 08:15 (guests.csv: 5 new, 1 changed)` */
function describe(journal: Journal, run: Run): string {
  return visible(
    `run ${run.id} of ${utcMinute(run.startedAt)} (${run.files.join(', ')}: ${didIn(journal, run)})`,
  );
}

/**
 * The last push that can be undone, once the person has said that it is meant. Throws UsageError with its id when
 * nobody can be asked, and when there is none; GuardError without a yes.
 */
async function offerLast(journal: Journal, target: Target, call: Call<RunsOptionsOf<'undo'>>): Promise<Run> {
  const { options, runtime } = call;
  const last = lastPush(journal, target);
  if (last === undefined) throw new UsageError(`No push to ${visible(target.eventName)} can be undone.`);
  const what = `The last push is ${describe(journal, last)}.`;
  if (options.dryRun) {
    say(call, what);
    return last;
  }
  if (!isInteractive(runtime)) {
    const hint = typedCommand(['runs', 'undo', last.id], options);
    throw new UsageError(`Which run is to be undone? ${what}`, { hint });
  }
  await requireYes(call, `${what} Undo it?`, 'Nothing was undone.');
  return last;
}

/** The run, or all that went on from each other, newest first, when the person wants them undone together. */
async function offerChain(journal: Journal, run: Run, call: Call<RunsOptionsOf<'undo'>>): Promise<Run[]> {
  const { options, runtime } = call;
  const chain = chainOf(journal, run);
  const others = chain.filter(({ id }) => id !== run.id);
  if (others.length === 0) return [run];
  const list = others.map((one) => describe(journal, one)).join(', ');
  const text = `Run ${run.id} is one of several that went on from each other; the others: ${list}.`;
  if (options.dryRun || options.yes || options.report.length > 0 || !isInteractive(runtime)) {
    say(call, `${text} Undo each by its id, the newest first.`);
    return [run];
  }
  return (await confirm(call, `${text} Undo all of them?`)) ? chain : [run];
}
