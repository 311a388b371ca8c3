import { hashOf, type RecordImage, type Registration } from '../../registration/model/registration.ts';
import { addDeletion } from '../../sync/journal/delete-rows.ts';
import { addFinding } from '../../sync/journal/findings.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { RowOp } from '../../sync/journal/run.ts';
import type { UndoVerdict } from '../../sync/decide/undo-judge.ts';
import type { UndoneRow } from '../../sync/decide/undo-unseen.ts';

/** Puts on the list of an undo what becomes of a row, under its number. Call it in a transaction. */
export function writeVerdict(journal: Journal, run: string, row: UndoneRow, verdict: UndoVerdict): void {
  switch (verdict.kind) {
    case 'delete':
      addDeletion(journal, run, row.seq, verdict.record, row.place);
      return;
    case 'send': {
      const { registration, plan } = verdict;
      insert(journal, run, row, {
        op: 'send',
        state: 'pending',
        plan,
        proof: plan === 'create' ? 'absent' : undefined,
        rowKey: row.rowKey ?? (registration.barcode && `b:${registration.barcode}`),
        hash: hashOf(registration),
        persona: registration.persona,
        barcode: registration.barcode,
        parentBarcode: registration.parentBarcode,
        payload: registration,
        before: verdict.record,
      });
      if (verdict.unseen !== undefined) noteUnseen(journal, run, row, verdict.unseen);
      return;
    }
    case 'nothing':
    case 'keep': {
      const record = verdict.kind === 'keep' ? verdict.record : undefined;
      insert(journal, run, row, {
        op: row.op === 'send' && row.before === undefined ? 'delete' : 'send',
        state: verdict.kind === 'keep' ? 'conflict' : 'unchanged',
        persona: row.persona,
        barcode: row.barcode,
        parentBarcode: record?.parentBarcode,
        payload: row.sent,
        before: record ?? (row.remoteId === undefined ? undefined : { id: row.remoteId }),
        message: verdict.why,
      });
    }
  }
}

function noteUnseen(
  journal: Journal,
  run: string,
  { seq, barcode, remoteId }: UndoneRow,
  message: string,
): void {
  addFinding(journal, run, { kind: 'unseen', seq, id: remoteId, barcode, message });
}

interface NewRow {
  op: RowOp;
  state: 'pending' | 'unchanged' | 'conflict';
  plan?: 'create' | 'update';
  proof?: 'absent' | undefined;
  rowKey?: string | undefined;
  hash?: string;
  persona: string | undefined;
  barcode: string | undefined;
  parentBarcode: string | undefined;
  payload: Registration | undefined;
  /** As the service lists it. */
  before: RecordImage | undefined;
  message?: string;
}

function insert(journal: Journal, run: string, { seq, place, part }: UndoneRow, row: NewRow): void {
  journal.add('row', { run, seq, ...place, part, ...row, remoteId: row.before?.id });
}
