import { namesInBackup } from '../delete/backup.ts';
import { addFinding, readFindings } from '../journal/findings.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import { backupsOf } from '../journal/runs.ts';

/**
 * Keeps as findings of an undo what was gone after the delete that it takes back, or had lost its parent, though
 * nothing had asked for that, and is not as before by now: an undo brings back only what was asked for.
 */
export function noteStillLost(
  journal: Journal,
  run: string,
  undone: Pick<Run, 'id' | 'kind'>,
  { listed }: Pick<ListReading, 'listed'>,
): void {
  journal.run(`DELETE FROM finding WHERE run = $run AND kind = 'lost'`, { run });
  if (undone.kind !== 'delete') return;
  const isListed = ({ id, barcode }: { id: string | undefined; barcode: string | undefined }): boolean =>
    barcode === undefined ? id !== undefined && listed.byId(id).length > 0 : listed.hasBarcode(barcode);
  const isMember = ({ id, barcode }: { id: string | undefined; barcode: string | undefined }): boolean =>
    [
      ...(id === undefined ? [] : listed.byId(id)),
      ...(barcode === undefined ? [] : listed.byBarcode(barcode)),
    ].some(({ parentBarcode }) => parentBarcode !== undefined);
  const lost = readFindings(journal, undone.id).filter(
    (one) => (one.kind === 'gone' && !isListed(one)) || (one.kind === 'orphaned' && !isMember(one)),
  );
  if (lost.length === 0) return;
  const files = backupsOf(journal, undone.id).map((file) => ({ file, names: namesInBackup(file) }));
  for (const { kind, seq, id, barcode } of lost) {
    const file = files.find(({ names }) => names.has(id ?? barcode ?? ''))?.file;
    const { what, still, again } = kind === 'gone' ? GONE : ORPHANED;
    const way =
      file === undefined ? 'the backup of that run does not have it' : `eventreg push ${file} ${again}`;
    const message = `it ${what} since run ${undone.id}, and ${still}: ${way}`;
    addFinding(journal, run, { kind: 'lost', seq, id, barcode, message });
  }
}

const GONE = { what: 'is gone', still: 'is not back', again: 'adds it again' };
const ORPHANED = {
  what: 'has lost its parent',
  still: 'has not got it back',
  again: '--overwrite makes it a member again',
};
