import { among, IN_DOUBT } from '../../registration/model/row-states.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { json, rowCodec } from '../../sqlite/row-codec.ts';
import type { Target } from '../../sync/journal/runs.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

/** A row that has left something out, of which it is not known yet whether it is still there. */
interface LeftOutRow {
  run: string;
  seq: number;
}

/** Notes, with the intent, what a row leaves out to see what becomes of it. */
export function noteLeftOut(journal: Journal, run: string, seq: number, things: readonly string[]): void {
  journal.run('UPDATE row SET left_out = $things WHERE run = $run AND seq = $seq', {
    run,
    seq,
    things: JSON.stringify(things),
  });
}

/** All that the row had left out was seen to be there, or cannot be given back. */
export function settleLeftOut(journal: Journal, run: string, seq: number): void {
  journal.run('UPDATE row SET left_out = NULL WHERE run = $run AND seq = $seq', { run, seq });
}

/**
 * Gives back what rows have left out and lost, where that was not seen to its end: a run was killed, or an answer did
 * not come. Also for other runs of the event that nobody works on. Throws what stops the run.
 */
export async function finishTrials(context: SendContext): Promise<void> {
  const { journal, target, stopping } = context;
  for (const { run, seq } of rowsLeftOut(journal, target)) {
    stopping.throwIfAborted();
    if (run !== context.run && journal.locks.isHeld(run)) continue;
    const { finishTrial } = await import('./finish-trial.ts');
    await finishTrial({ ...context, run }, seq);
  }
}

/** Rows of whatever run of the event that have left something out and may have landed, oldest first. */
function rowsLeftOut(journal: Journal, { service, eventId }: Target): LeftOutRow[] {
  return journal.all<LeftOutRow>(
    `SELECT row.run, row.seq FROM run CROSS JOIN row INDEXED BY row_left_out ON row.run = run.id
     WHERE run.service = $service AND run.event = $event AND row.left_out IS NOT NULL
       AND row.state NOT ${among(IN_DOUBT)} ORDER BY row.sent_no`,
    { service, event: eventId },
  );
}

const LEFT_OUT = rowCodec({ leftOut: json<readonly string[] | undefined>() });

/** What a row has left out, by name. */
export function leftOutOf(journal: Journal, run: string, seq: number): ReadonlySet<string> {
  const row = journal.readOne(LEFT_OUT, 'FROM row WHERE run = $run AND seq = $seq', { run, seq });
  return new Set(row?.leftOut);
}
