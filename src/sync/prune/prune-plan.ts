import { OFF_THE_LIST } from '../../registration/model/row-states.ts';
import { plural } from '../../report/words/number.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { refuseIfBusy } from '../journal/busy-runs.ts';
import {
  addDeletions,
  deletions,
  forgetUntried,
  renewDeletion,
  writeDeletionOutcome,
} from '../journal/delete-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { goneOutcome } from '../delete/hold.ts';
import { listedAs, nameOf, wordForBarcodes } from '../delete/names.ts';
import { FileRows } from './file-rows.ts';
import { findPrunable, type Prunable } from './prune-find.ts';
import { findObstacles, type PruneOptions, refusal } from './prune-obstacles.ts';

type PruneContext = Pick<
  SendContext,
  'journal' | 'run' | 'event' | 'target' | 'clock' | 'reporter' | 'limits' | 'registrations'
>;

/**
 * Puts the registrations that the service has and the file has no more, of the personas in the file, on the
 * list of what the run deletes. Throws GuardError with everything that stands against it.
 */
export function planPrune(context: PruneContext, reading: ListReading, options: PruneOptions): void {
  const { journal, run, target, reporter } = context;
  forgetUntried(journal, run);
  const rows = new FileRows(context);
  const prunable = findPrunable(context, rows, reading, options.match);
  const obstacles = findObstacles({ rows, reading, prunable, word: wordForBarcodes(context) }, options);
  if (obstacles.length > 0) throw refusal(obstacles);
  if (prunable.kept.size > 0) reporter.report({ type: 'note', text: describeKept(prunable.kept) });
  journal.transaction(() => list(context, reading, prunable));
  refuseIfBusy(journal, target, run);
}

/** Kept registrations that are named in a message. */
const NAMED = 10;

function describeKept(kept: Prunable['kept']): string {
  const some = plural(
    kept.size,
    'registration that the file does not have stays',
    'registrations that the file does not have stay',
  );
  const named = [...kept].slice(0, NAMED).map(([one, why]) => `${nameOf(one)} (${why})`);
  return `${some}: ${named.join(', ')}${kept.size > NAMED ? ', …' : ''}`;
}

/** One that was tried before is on the list still, under its number. */
function list(context: PruneContext, { listed }: ListReading, { going }: Prunable): void {
  const { journal, run } = context;
  const wanted = new Map(going.map((one) => [nameOf(one), one.listed.record]));
  for (const row of deletions(journal, run)) {
    const record = wanted.get(row.id);
    wanted.delete(row.id);
    if (record !== undefined) renewDeletion(journal, run, row.seq, record);
    else if (!OFF_THE_LIST.has(row.state)) {
      const isGone = listedAs(listed, row.before).length === 0;
      writeDeletionOutcome(context, row, isGone ? goneOutcome(row) : STAYS, 'looked');
    }
  }
  addDeletions(journal, run, wanted.values());
}

const STAYS: RowOutcome = {
  state: 'unchanged',
  message: 'stays: the file has it again, or it has to stay for others',
};
