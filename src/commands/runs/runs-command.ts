import { EXIT, type ExitCode } from '../../errors.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Runtime } from '../../runtime.ts';
import { listAllRuns, findRun, refuseHeld } from './runs-list.ts';
import type { RunsOptions, RunsOptionsOf } from './runs-options.ts';
import { showRun } from './runs-show.ts';
import { OPEN } from '../../registration/model/row-states.ts';
import { countIn } from '../../sync/journal/queued-rows.ts';
import { forgetRun, oldRuns, purgeRuns } from '../../sync/journal/forget-runs.ts';
import { plural } from '../../report/words/number.ts';
import { requireYes, say, tellPrograms, type Call, printRecords } from '../terminal/terminal.ts';
import { decide, type DoubtfulRow, findDoubtful } from '../../sync/prove/decide-row.ts';
import { visible } from '../../report/words/escape.ts';
import { type JournalUse, READS, withJournal } from '../connect/shared-journal.ts';

/** Reads the journal, or changes what it says. Throws UsageError for an unknown run. */
export async function runRuns(options: RunsOptions, runtime: Runtime): Promise<ExitCode> {
  return await withJournal({ options, runtime }, useOf(options), async (journal, runtime) => {
    switch (options.action) {
      case 'list':
        await listAllRuns(journal, { options, runtime });
        break;
      case 'show':
        await showRun(journal, { options, runtime });
        break;
      case 'why':
        await (await import('./runs-why.ts')).tellWhy(journal, { options, runtime });
        break;
      case 'report':
        await reportRun(journal, { options, runtime });
        break;
      case 'bundle':
        await (await import('./runs-bundle.ts')).bundleRun(journal, { options, runtime });
        break;
      case 'decide':
        await decideRow(journal, { options, runtime });
        break;
      case 'undo':
        return await (await import('./runs-undo.ts')).undo(journal, { options, runtime });
      case 'purge':
        await purge(journal, { options, runtime });
    }
    return EXIT.done;
  });
}

/** What others are told who wait; most only reads. */
function useOf(options: RunsOptions): JournalUse {
  const { action } = options;
  if (action === 'undo' && !options.dryRun)
    return { reads: false, does: 'undoes a run', maxWaitMs: options.maxWait };
  if (action === 'decide' || action === 'purge')
    return { reads: false, does: DOES[action], maxWaitMs: undefined };
  return READS;
}

const DOES = { decide: 'settles a row', purge: 'forgets runs' };

const DAY_MS = 24 * 60 * 60_000;

/** Forgets runs. Throws GuardError without a yes for rows whose fate is open. */
async function purge(journal: Journal, call: Call<RunsOptionsOf<'purge'>>): Promise<void> {
  const { options } = call;
  if (options.id === undefined) {
    await purgeOld(journal, call);
    return;
  }
  const run = findRun(journal, options.id);
  refuseHeld(journal, run);
  const left = openRows(journal, run.id);
  const question = `Run ${run.id} has ${plural(left, 'row', 'rows')} not sent or uncertain. Forget it?`;
  if (left > 0) await requireYes(call, question, 'Nothing was forgotten.');
  forgetRun(journal, run.id);
  journal.compact();
  say(call, `Run ${run.id} forgotten.`);
  await tellPrograms(call, 'runs-purge@1', { forgotten: 1 });
}

/** Runs with open rows are more than history: forgetting one means that its rows may be sent twice. */
async function purgeOld(journal: Journal, call: Call<RunsOptionsOf<'purge'>>): Promise<void> {
  const { options, runtime } = call;
  const before = runtime.clock.now() - options.olderThan * DAY_MS;
  const open = oldRuns(journal, before).filter(({ id }) => openRows(journal, id) > 0);
  const question = `${plural(open.length, 'run has', 'runs have')} rows not sent or uncertain. Forget all the same?`;
  if (open.length > 0) await requireYes(call, question, 'Nothing was forgotten.');
  const forgotten = purgeRuns(journal, before);
  say(call, `${plural(forgotten, 'run', 'runs')} forgotten.`);
  await tellPrograms(call, 'runs-purge@1', { forgotten });
}

const openRows = (journal: Journal, run: string): number => countIn(journal, run, OPEN, 'send');

/** Settles an uncertain row as a person found it. Throws UsageError for a row of which there is nothing to decide. */
async function decideRow(journal: Journal, call: Call<RunsOptionsOf<'decide'>>): Promise<void> {
  const { options, runtime } = call;
  const run = findRun(journal, options.id);
  refuseHeld(journal, run);
  const row = findDoubtful(journal, run, options.row);
  const who = visible(row.barcode === undefined ? row.place : `${row.place} (barcode ${row.barcode})`);
  const consequence =
    options.verdict === 'sent'
      ? 'it counts as done and is not sent again'
      : 'the next push sends it, and if it is there after all it may be there twice';
  await requireYes(call, `${who}: ${consequence}. Go on?`, 'Nothing was decided.');
  const runs = decide(journal, row, options.verdict, runtime.clock.now());
  await tellPrograms(call, 'runs-decide@1', {
    run: run.id,
    place: row.place,
    barcode: row.barcode ?? null,
    verdict: options.verdict,
    runs,
  });
  say(call, `${who} is settled: ${describe(row, options, runs)}.`);
}

function describe(
  { run }: DoubtfulRow,
  { verdict }: RunsOptionsOf<'decide'>,
  runs: readonly string[],
): string {
  const others = runs.filter((one) => one !== run);
  const also = others.length === 0 ? '' : `, also in ${others.map((one) => `run ${one}`).join(', ')}`;
  return `${verdict === 'sent' ? 'done' : 'still to send'}${also}`;
}

/** Writes reports of a run as the journal has it. Throws UsageError for an unknown run. */
async function reportRun(journal: Journal, call: Call<RunsOptionsOf<'report'>>): Promise<void> {
  const { options } = call;
  const run = findRun(journal, options.id);
  const { settleReports } = await import('../connect/report-files.ts');
  const reports = await settleReports(call, { kind: 'report', inputs: [], tellsJob: false });
  await reports.write(journal, run.id);
  reports.end();
  if (options.output === 'table') return;
  const records = reports.files.map(({ format, file }) => ({ run: run.id, format, file }));
  await printRecords(records, call, ['run', 'format', 'file'], ['runs-report@1', 'reports']);
}
