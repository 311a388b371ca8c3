import { hashOf, type RecordImage } from '../../registration/model/registration.ts';
import { addDeletion } from '../journal/delete-rows.ts';
import { addFinding } from '../journal/findings.ts';
import type { Journal } from '../journal/journal.ts';
import type { RowOp } from '../journal/run.ts';
import type { UndoVerdict } from '../judge/undo-judge.ts';
import type { UndoneRow } from '../judge/undo-unseen.ts';

/** Puts on the list of an undo what becomes of a row, under its number. Call it in a transaction. */
export function writeVerdict(journal: Journal, run: string, row: UndoneRow, verdict: UndoVerdict): void {
  switch (verdict.kind) {
    case 'delete':
      addDeletion(journal, run, row.seq, verdict.record, row.place);
      return;
    case 'send': {
      const { registration } = verdict;
      insert(journal, run, row, {
        op: 'send',
        state: 'pending',
        plan: verdict.plan,
        key: row.rowKey ?? (registration.barcode === undefined ? null : `b:${registration.barcode}`),
        hash: hashOf(registration),
        persona: registration.persona,
        barcode: registration.barcode,
        parent: registration.parentBarcode,
        payload: registration,
        record: verdict.record,
        message: null,
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
        plan: null,
        key: null,
        hash: null,
        persona: row.persona,
        barcode: row.barcode,
        parent: record?.parentBarcode,
        payload: row.sent,
        record: record ?? (row.remoteId === undefined ? undefined : { id: row.remoteId }),
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
  plan: 'create' | 'update' | null;
  key: string | null;
  hash: string | null;
  persona: string | undefined;
  barcode: string | undefined;
  parent: string | undefined;
  payload: unknown;
  /** As the service lists it. */
  record: RecordImage | undefined;
  message: string | null;
}

function insert(journal: Journal, run: string, { seq, place, part }: UndoneRow, row: NewRow): void {
  journal.run(
    `INSERT INTO row (run, seq, file, sheet, line, part, op, state, plan, proof, row_key, hash, persona, barcode, parent_barcode, payload, before, remote_id, message)
     VALUES ($run, $seq, $file, $sheet, $line, $part, $op, $state, $plan, $proof, $key, $hash, $persona, $barcode, $parent, $payload, $before, $id, $message)`,
    {
      $run: run,
      $seq: seq,
      $file: place.file,
      $sheet: place.sheet,
      $line: place.line,
      $part: part,
      $op: row.op,
      $state: row.state,
      $plan: row.plan,
      $proof: row.plan === 'create' ? 'absent' : null,
      $key: row.key,
      $hash: row.hash,
      $persona: row.persona,
      $barcode: row.barcode,
      $parent: row.parent,
      $payload: row.payload === undefined ? null : JSON.stringify(row.payload),
      $before: row.record === undefined ? null : JSON.stringify(row.record),
      $id: row.record?.id,
      $message: row.message,
    },
  );
}
