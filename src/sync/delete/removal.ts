import type { RecordImage } from '../../registration/model/registration.ts';
import { UNFINISHED } from '../../registration/model/row-states.ts';
import { deletions } from '../journal/delete-rows.ts';
import { readFindings } from '../journal/steps.ts';
import { noteDeletion } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { proveFirst } from './first.ts';
import { holdBack, membersOf } from './hold.ts';
import { proveAll } from './proof.ts';
import { Remover, type RemoverOptions } from './remover.ts';

/** Keeps registrations where push can take them back from; durable when it returns. Returns where. */
export type BackUp = (records: readonly RecordImage[]) => string;

export interface RemovalOptions extends RemoverOptions {
  /** What the service lists right before; undefined where that is not known. */
  before: ListReading | undefined;
  backUp: BackUp;
  /** Keeps what was listed beside that before a first deletion of its kind; `backUp` unless given. */
  backUpMore?: BackUp;
}

/**
 * What becomes of the registrations that a run is to delete, whoever has chosen them: they are held against what is
 * listed now, kept in a backup, deleted, the first of a kind alone, and looked for again, with those that must not
 * change. Ends early without an error on Ctrl-C. Throws what stops it.
 */
export async function removeAll(context: SendContext, options: RemovalOptions): Promise<void> {
  const { journal, run, reporter, stopping } = context;
  const { before, keepParents, backUp, backUpMore = backUp } = options;
  if (before !== undefined) holdBack(context, before, { keepParents });
  const rows = deletions(journal, run, UNFINISHED);
  if (rows.length === 0 || stopping.aborted) return;
  const members = before === undefined ? [] : membersOf(before, rows);
  const file = backUp([...rows.map((row) => row.before), ...members]);
  reporter.report({ type: 'note', text: `Backup: ${file}` });
  const remover = new Remover(context, options);
  await proveFirst(context, remover, { ...options, backUp: backUpMore });
  await remover.removeAll();
  await proveAll(context, before);
  noteGone(context, members);
}

/** Pushing the backup adds those again that went with their parent: it was this run that has deleted them. */
function noteGone({ journal, run, target }: SendContext, members: readonly RecordImage[]): void {
  const gone = readFindings(journal, run).filter(({ kind }) => kind === 'gone');
  for (const { id, barcode } of members) {
    const isGone = gone.some((one) => one.id === id && one.barcode === barcode);
    if (isGone) noteDeletion(journal, target.service, { id, barcode }, 'deleted');
  }
}
