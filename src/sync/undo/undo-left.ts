import { fieldsOf } from '../../registration/changes/field-change.ts';
import { namedBy } from '../decide/what-is-sent.ts';
import type { Journal } from '../journal/journal.ts';
import { namesInBackup } from '../delete/backup.ts';
import { addFinding, type Finding, readFindings } from '../journal/steps.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import type { Run } from '../journal/run.ts';
import { backupsOf } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { type ToldRow, toldRows } from '../journal/told-rows.ts';
import { changeRow } from '../journal/row-tables.ts';

/**
 * Keeps as findings of an undo what was gone after the delete that it takes back, or had lost its parent, though
 * nothing had asked for that, and is not as before by now: an undo brings back only what was asked for.
 */
export function noteStillLost(
  { journal, run }: SendContext,
  undone: Pick<Run, 'id' | 'kind'>,
  { listed }: Pick<ListReading, 'listed'>,
): void {
  if (undone.kind !== 'delete') return;
  const isLost = ({ kind, id, barcode }: Finding): boolean => {
    const found = [...listed.byId(id ?? ''), ...listed.byBarcode(barcode ?? '')];
    if (kind === 'gone') return found.length === 0;
    return kind === 'orphaned' && found.every(({ parentBarcode }) => parentBarcode === undefined);
  };
  const lost = readFindings(journal, undone.id).filter(isLost);
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

/** Keeps as a finding what of a row stays as the run has left it, though the rest is brought back. */
export function noteLeft(
  journal: Journal,
  run: string,
  { seq, remoteId: id, barcode }: Pick<ToldRow, 'seq' | 'remoteId' | 'barcode'>,
  message: string | undefined,
): void {
  if (message !== undefined) addFinding(journal, run, { kind: 'unseen', seq, id, barcode, message });
}

/**
 * Puts back on the list of an undo what the service has refused because of values that it names, without those: a
 * refusal has changed nothing, and the rest can be brought back. Returns whether there is any.
 */
export function sendWithoutRefused({ journal, run, event }: SendContext): boolean {
  const failed = [...toldRows(journal, run, 'problems')].filter(
    ({ op, plan, state }) => op === 'send' && plan === 'update' && state === 'failed',
  );
  const again = failed.filter((row) => {
    const { sent } = row;
    if (sent === undefined) return false;
    const { persona, fields } = sent;
    const refused = namedBy(row.message ?? '', Object.keys(fields), fieldsOf(event)(persona));
    const rest = Object.entries(fields).filter(([slug]) => !refused.includes(slug));
    if (refused.length === 0 || rest.length === 0) return false;
    journal.transaction(() => {
      const ask = { ...sent, fields: Object.fromEntries(rest) };
      changeRow(journal, run, row.seq, { state: 'pending', ask });
      noteLeft(
        journal,
        run,
        row,
        `what ${refused.join(', ')} held is refused by the service: ${row.message}`,
      );
    });
    return true;
  });
  return again.length > 0;
}
