import { decide, type DoubtfulRow, findDoubtful } from '../../sync/prove/decide-row.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { visible } from '../../report/words/escape.ts';
import type { RunsOptionsOf } from './runs-options.ts';
import { findRun, refuseHeld } from './runs-find.ts';
import { requireYes, say, tellPrograms, type Call } from '../terminal/terminal.ts';

/** Settles an uncertain row as a person found it. Throws UsageError for a row of which there is nothing to decide. */
export async function decideRow(journal: Journal, call: Call<RunsOptionsOf<'decide'>>): Promise<void> {
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
