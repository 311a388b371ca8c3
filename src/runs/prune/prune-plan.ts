import { OFF_THE_LIST } from '../../registration/model/row-states.ts';
import { plural } from '../../report/words/number.ts';
import { refuseIfBusy } from '../../sync/journal/busy-runs.ts';
import { imageOf, type RecordImage } from '../../registration/model/registration.ts';
import { listedAs } from '../delete/delete-name.ts';
import { addDeletion, type DeleteRow, deletions, forgetUntried } from '../../sync/journal/delete-rows.ts';
import { writeDeletionOutcome } from '../delete/delete-writing.ts';
import { inChunks, type ListReading } from '../../sync/snapshot/read-listed.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { RowOutcome } from '../../sync/decide/judge-found.ts';
import { layerByParent } from '../../sync/journal/layer-by-parent.ts';
import { type KeptRegistration, PruneFinder } from './prune-find.ts';
import { findObstacles, type PruneOptions, refusal } from './prune-obstacles.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

type PruneContext = Pick<
  SendContext,
  'journal' | 'run' | 'event' | 'target' | 'clock' | 'reporter' | 'limits' | 'registrations'
>;

/** Kept registrations that are named in a message. */
const NAMED = 10;

/**
 * Puts the registrations that the service has and the file has no more, of the personas in the file, on the
 * list of what the run deletes. Throws GuardError with everything that stands against it.
 */
export function planPrune(context: PruneContext, reading: ListReading, options: PruneOptions): void {
  const { journal, run, reporter } = context;
  forgetUntried(journal, run);
  const finder = new PruneFinder(context, reading, options.match);
  const obstacles = findObstacles(context, { reading, finder }, options);
  if (obstacles.length > 0) throw refusal(obstacles);
  const kept = finder.kept();
  if (kept.length > 0) reporter.report({ type: 'note', text: describeKept(kept) });
  settleRest(context, reading, addAll(context, reading, finder).values());
  refuseIfBusy(journal, context.target, run);
}

function describeKept(kept: readonly KeptRegistration[]): string {
  const some = plural(
    kept.length,
    'registration that the file does not have stays',
    'registrations that the file does not have stay',
  );
  const named = kept.slice(0, NAMED).map(({ id, why }) => `${id} (${why})`);
  const rest = kept.length > NAMED ? ', …' : '';
  return `${some}: ${named.join(', ')}${rest}`;
}

/** Deletions that are put down in one durable write. */
const AT_ONCE = 500;

/** One that was tried before is on the list still, and stays there under its number. */
function addAll(
  { journal, run }: PruneContext,
  { listed }: ListReading,
  finder: PruneFinder,
): Map<string, DeleteRow> {
  const earlier = new Map([...deletions(journal, run)].map((row) => [row.id, row]));
  let seq = nextSeq(journal, run);
  for (const going of inChunks(finder.going, AT_ONCE)) {
    journal.transaction(() => {
      for (const names of going) {
        const [record] = listedAs(listed, names);
        if (record === undefined) continue;
        const name = names.id ?? names.barcode ?? '';
        const known = earlier.get(name);
        earlier.delete(name);
        if (known === undefined) addDeletion(journal, run, seq++, record);
        else renew(journal, run, known.seq, record);
      }
    });
  }
  layerByParent(journal, run, 'delete');
  return earlier;
}

/** What was tried when the run was interrupted, and is not to be deleted any more: it is gone, or wanted again. */
function settleRest(
  { journal, run, target, clock }: PruneContext,
  { listed }: ListReading,
  rest: Iterable<DeleteRow>,
): void {
  const about = { journal, run, service: target.service, now: clock.now() };
  for (const row of rest) {
    if (OFF_THE_LIST.has(row.state)) continue;
    const gone = listedAs(listed, row.before).length === 0;
    const outcome: RowOutcome = gone
      ? { state: 'deleted', message: 'is gone: the request that got no answer did it' }
      : { state: 'unchanged', message: 'stays: the file has it again, or it has to stay for others' };
    writeDeletionOutcome(about, row, outcome, 'looked');
  }
}

/** Numbers are not used twice: steps of a row that was taken off the list stay its own. */
function nextSeq(journal: Journal, run: string): number {
  const row = journal.get<{ seq: number }>(
    `SELECT 1 + max((SELECT coalesce(max(seq), -1) FROM row WHERE run = $run),
       (SELECT coalesce(max(seq), -1) FROM step WHERE run = $run)) AS seq`,
    { run },
  );
  return row?.seq ?? 0;
}

/** Brings a deletion on the list up to date with what is listed. */
function renew(journal: Journal, run: string, seq: number, record: RecordImage): void {
  journal.run(
    `UPDATE row SET state = 'pending', message = NULL, persona = $persona, barcode = $barcode,
       parent_barcode = $parent, before = $before WHERE run = $run AND seq = $seq`,
    {
      run,
      seq,
      persona: record.persona,
      barcode: record.barcode,
      parent: record.parentBarcode,
      before: JSON.stringify(imageOf(record)),
    },
  );
}
