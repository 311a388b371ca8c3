import { fieldsOf } from '../../registration/changes/field-change.ts';
import {
  hashOf,
  type RecordImage,
  type Registration,
  type RegistrationRecord,
} from '../../registration/model/registration.ts';
import { IN_DOUBT } from '../../registration/model/row-states.ts';
import type { KnownValues } from '../decide/undo-restore.ts';
import { judgeUndo, type UndoVerdict } from '../decide/undo-judge.ts';
import { BaseStore } from '../journal/base-store.ts';
import { addDeletion, deletions } from '../journal/delete-rows.ts';
import { addFinding, readUnseen } from '../journal/findings.ts';
import type { Journal } from '../journal/journal.ts';
import { readRecognition } from '../journal/learned.ts';
import type { RowOp, Run } from '../journal/run.ts';
import type { SendContext } from '../journal/send-context.ts';
import {
  layerByParent,
  earlierSends,
  LaterSends,
  type UndoneRow,
  undoneBy,
  undoneRows,
} from '../journal/undo-rows.ts';
import { isWhole } from '../snapshot/answers.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { CHEAP_PAGES, readShown } from '../snapshot/read-now.ts';
import { waitUntil } from '../snapshot/wait-until.ts';
import { PARENTS_AT_RISK } from '../plan/plan-remarks.ts';
import { addHolders, holdBack } from '../delete/hold.ts';
import { noteStillLost } from './undo-lost.ts';

/**
 * Reads what became of the registrations of a run, and puts on the list of the undo what is to be deleted
 * and sent, and what is left alone and why; each under the number of the row that it undoes. Rows that are
 * on the list already stay as they are. Returns what was read.
 */
export async function planUndo(context: SendContext, undone: Run): Promise<ListReading> {
  const { journal, run, reporter } = context;
  const rows = undoneRows(journal, undone.id);
  await waitForDoubts(context, rows);
  const reading = await readRegistrations(context, rows);
  const known = new Set(
    journal.all<{ seq: number }>('SELECT seq FROM row WHERE run = $run', { run }).map(({ seq }) => seq),
  );
  const judge = judgeWith(context, undone, reading);
  journal.transaction(() => {
    for (const row of rows) if (!known.has(row.seq)) writeVerdict(journal, run, row, judge(row));
  });
  noteStillLost(journal, run, undone, reading);
  await addHolders(context, reading, deletions(journal, run, ['pending']));
  holdBack(context, reading, { keepParents: true });
  layerByParent(journal, run, 'send');
  const updates = `FROM row WHERE run = $run AND op = 'send' AND state = 'pending' AND plan = 'update'`;
  if (!reading.parentsShown && journal.has(updates, { run }))
    reporter.report({ type: 'warning', text: PARENTS_AT_RISK });
  return reading;
}

/** Until no request of the run can land any more, and a list shows what has. */
async function waitForDoubts(context: SendContext, rows: readonly UndoneRow[]): Promise<void> {
  const { settleMs } = context.limits;
  const now = context.clock.now();
  const unseen = rows.filter(({ op, isReadBack }) => op === 'send' && !isReadBack);
  const lastAt = unseen.reduce((last, { sentAt = last }) => Math.max(last, sentAt), Number.NEGATIVE_INFINITY);
  const untilMs = Math.min(lastAt, now) + settleMs;
  if (untilMs > now) await waitUntil(context, untilMs);
}

async function readRegistrations(context: SendContext, rows: readonly UndoneRow[]): Promise<ListReading> {
  // A service that knew the person by something else may have changed the barcode.
  const barcodes = new Set(
    rows.flatMap(({ barcode, before }) => [barcode, before?.barcode].flatMap((one) => one ?? [])),
  );
  return await readShown(context, {
    barcodes: () => barcodes,
    // A short list also shows what else an undo does.
    count: Math.max(barcodes.size, CHEAP_PAGES),
    // What is registered again has to be known not to be there.
    whole: rows.some(({ op, barcode }) => op === 'delete' || barcode === undefined),
  });
}

/** Judges rows of the run that is undone by what was read, and by what the journal knows. */
function judgeWith(context: SendContext, undone: Run, reading: ListReading): (row: UndoneRow) => UndoVerdict {
  const { journal, target, event, clock } = context;
  const later = new LaterSends(journal, target, undone.id);
  const recognition = readRecognition(journal, target.service, clock.now());
  const bases = new BaseStore(journal, target, event.endDate);
  const knownOf = ({ barcode, remoteId: id }: UndoneRow): KnownValues => ({
    sentByFile: (slug, text) => bases.read({ barcode, id })?.pairs.get(slug)?.said === bases.digest(text),
  });
  return (row) => {
    const by = undoneBy(journal, undone.id, row.seq);
    return judgeUndo({
      row,
      found: findRecords(row, reading),
      undoneBy: by,
      leftBy: by === undefined ? undefined : readUnseen(journal, by, row.seq),
      sentAgainBy: later.find(row),
      unfound: whyUnfound(row, reading),
      parentsShown: reading.parentsShown,
      fields: fieldsOf(event),
      recognition,
      isTaken: (barcode) => reading.listed.hasBarcode(barcode),
      known: knownOf(row),
      earlier: () => earlierSends(journal, target, row),
    });
  };
}

/** Those with its id or its barcode, each once; of one that had another barcode before, that with its id. */
function findRecords(
  { remoteId, barcode, before }: UndoneRow,
  { listed }: ListReading,
): RegistrationRecord[] {
  const byId = remoteId === undefined ? [] : listed.byId(remoteId);
  const hadAnother = before?.barcode !== undefined && before.barcode !== barcode && before.id === remoteId;
  if (hadAnother && byId.length > 0) return byId;
  const byBarcode = barcode === undefined ? [] : listed.byBarcode(barcode);
  const others = byBarcode.filter(({ id }) => id === undefined || byId.every((record) => record.id !== id));
  return [...byId, ...others];
}

/** Why a registration of the row may not have been found though there is one; undefined where it would have been. */
function whyUnfound({ remoteId, barcode, state }: UndoneRow, reading: ListReading): string | undefined {
  if (barcode !== undefined && reading.barcodesShown) return undefined;
  if (remoteId === undefined) {
    const what = IN_DOUBT.has(state) ? 'what became of it is not known, and ' : '';
    return barcode === undefined
      ? `${what}it has no barcode, nor an id that is known, to find it by`
      : `${what}the service lists no barcodes to find it by`;
  }
  if (!reading.idsShown) return 'the service does not list the id that it answered with';
  return isWhole(reading) ? undefined : 'the list changed while it was read';
}

/** Puts on the list of an undo what becomes of a row, under its number. Call it in a transaction. */
function writeVerdict(journal: Journal, run: string, row: UndoneRow, verdict: UndoVerdict): void {
  const { seq, place, part, barcode, persona, remoteId } = row;
  const add = (own: NewRow): void =>
    journal.add('row', { run, seq, ...place, part, ...own, remoteId: own.before?.id });
  if (verdict.kind === 'delete') return addDeletion(journal, run, seq, verdict.record, place);
  if (verdict.kind === 'send') {
    const { registration, plan, unseen: message } = verdict;
    add({
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
    if (message !== undefined)
      addFinding(journal, run, { kind: 'unseen', seq, id: remoteId, barcode, message });
    return;
  }
  const record = verdict.kind === 'keep' ? verdict.record : undefined;
  add({
    op: row.op === 'send' && row.before === undefined ? 'delete' : 'send',
    state: verdict.kind === 'keep' ? 'conflict' : 'unchanged',
    persona,
    barcode,
    parentBarcode: record?.parentBarcode,
    payload: row.sent,
    before: record ?? (remoteId === undefined ? undefined : { id: remoteId }),
    message: verdict.why,
  });
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
