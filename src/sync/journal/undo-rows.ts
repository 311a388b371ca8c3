import { hashOf, type RecordImage, type Registration } from '../../registration/model/registration.ts';
import {
  among,
  CARRIED_OUT,
  IN_DOUBT,
  MAY_BE_LISTED,
  MAY_HAVE_LANDED,
  SENT,
} from '../../registration/model/row-states.ts';
import { flag, json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { Lookup } from '../../registration/model/maps.ts';
import type { PlanAction } from '../decide/plan-decision.ts';
import type { UndoVerdict } from '../decide/undo-judge.ts';
import { addDeletion } from './delete-rows.ts';
import type { Journal } from './journal.ts';
import type { Run } from './run.ts';
import { listRuns, type Target } from './runs.ts';
import { columns, addRow } from './row-tables.ts';

/** Rows whose request has left, and was not refused. */
const ASKED = `run = $run AND attempts > 0 AND (
  (op = 'send' AND (state ${among([...MAY_BE_LISTED, 'deleted'])}
    OR (state = 'pending' AND listed_no IS NOT NULL)))
  OR (op = 'delete' AND state ${among(['deleted', ...IN_DOUBT])}))`;

const UNDONE = rowCodec({
  ...columns('seq', 'op', 'place', 'part', 'state', 'proof', 'rowKey', 'barcode', 'persona', 'remoteId'),
  ...columns('after', 'sentAt', 'sentNo', 'message'),
  plan: value<PlanAction | 'delete' | undefined>(),
  /** What was sent; undefined for a deletion. */
  sent: json<Registration | undefined>('coalesce(ask, payload)'),
  before: json<RecordImage | undefined>(),
  /** It was seen as it was sent, or as `after` has it. */
  isReadBack: flag('checked_at >= sent_at'),
});

/** A row of which a run has asked something of the service. */
export type UndoneRow = RowOf<typeof UNDONE>;

/** Rows of a run that there may be something to undo of. */
export const undoneRows = (journal: Journal, run: string): UndoneRow[] =>
  journal.read(UNDONE, `FROM row WHERE ${ASKED} ORDER BY seq`, { run });

/** Puts on the list of an undo what becomes of a row, under its number. Call it in a transaction. */
export function addUndo(journal: Journal, run: string, row: UndoneRow, verdict: UndoVerdict): void {
  const { seq, place, part, op, persona, barcode, remoteId, sent, before } = row;
  if (verdict.kind === 'delete') return addDeletion(journal, run, seq, verdict.record, place);
  const common = { run, seq, ...place, part };
  if (verdict.kind === 'send') return addRow(journal, { ...common, ...toSend(row, verdict) });
  const record = verdict.kind === 'keep' ? verdict.record : undefined;
  addRow(journal, {
    ...common,
    persona,
    barcode,
    op: op === 'send' && before === undefined ? 'delete' : 'send',
    state: verdict.kind === 'keep' ? 'conflict' : 'unchanged',
    parentBarcode: record?.parentBarcode,
    payload: sent,
    before: record ?? (remoteId === undefined ? undefined : { id: remoteId }),
    remoteId: record?.id ?? remoteId,
    message: verdict.why,
  });
}

function toSend({ rowKey }: UndoneRow, { registration, plan, record }: UndoVerdict & { kind: 'send' }) {
  const { persona, barcode, parentBarcode } = registration;
  return {
    op: 'send',
    state: 'pending',
    plan,
    proof: plan === 'create' ? 'absent' : undefined,
    rowKey: rowKey ?? (barcode && `b:${barcode}`),
    hash: hashOf(registration),
    persona,
    barcode,
    parentBarcode,
    payload: registration,
    before: record,
    remoteId: record?.id,
  };
}

/** In SQL, of a row by its alias: no undo has brought back what its registration was before. */
export const notTakenBack = (row: string): string => `NOT EXISTS (
  SELECT 1 FROM run AS back CROSS JOIN row AS restored ON restored.run = back.id AND restored.seq = ${row}.seq
  WHERE back.undoes = ${row}.run AND restored.op = 'send' AND restored.plan = 'update'
    AND restored.state ${among(SENT)})`;

const LATER = rowCodec({
  ...columns('run', 'seq', 'sentNo', 'op', 'state', 'rowKey', 'barcode', 'remoteId'),
  undoes: value<string | undefined>('run.undoes'),
  /** The id that it had before. */
  wasId: value<string | undefined>("coalesce(row.latest, row.before) ->> 'id'"),
});
type Later = RowOf<typeof LATER>;

/** What other pushes and undos have asked of the service since a run, in memory: no index has all names of somebody. */
export class Since {
  readonly #byName = new Lookup<string, Later>();
  readonly #undos = new Lookup<string, Later>();

  constructor(journal: Journal, { service, eventId }: Target, run: string) {
    const later = journal.read(
      LATER,
      `FROM row JOIN run ON run.id = row.run
       WHERE run.service = $service AND run.event = $event AND run.kind <> 'delete' AND run.id <> $run
         AND row.attempts > 0 AND row.state ${among([...MAY_HAVE_LANDED, 'deleted'])}
         AND row.sent_no > (SELECT min(sent_no) FROM row WHERE run = $run)
       ORDER BY row.sent_no DESC`,
      { service, event: eventId, run },
    );
    for (const one of later) {
      if (one.op === 'send' && MAY_HAVE_LANDED.has(one.state))
        for (const name of namesOf(one)) this.#byName.add(name, one);
      if (one.undoes !== undefined && CARRIED_OUT.has(one.state))
        this.#undos.add(`${one.undoes} ${one.seq}`, one);
    }
  }

  /** The undo that has taken back what a run did with one of its rows, unless it was itself taken back. */
  undoneBy(run: string, seq: number): string | undefined {
    const undos = this.#undos.of(`${run} ${seq}`);
    return undos.find((undo) => this.undoneBy(undo.run, seq) === undefined)?.run;
  }

  /** The latest push that has sent the registration of a row after it, and was not undone since. */
  sentAgainBy(row: UndoneRow): string | undefined {
    return this.laterOf(row)
      .sort((one, other) => other.sentNo - one.sentNo)
      .find(({ run, seq, undoes }) => undoes === undefined && this.undoneBy(run, seq) === undefined)?.run;
  }

  /** All that was sent of the registration of a row after it, by whatever name it had by then. */
  laterOf(row: UndoneRow): Later[] {
    const names = namesOf(row);
    const found = new Set<Later>();
    // A set also walks what is added to it meanwhile.
    for (const name of names)
      for (const one of this.#byName.of(name).filter(({ sentNo }) => sentNo > row.sentNo)) {
        found.add(one);
        for (const other of namesOf(one)) names.add(other);
      }
    return [...found];
  }
}

/** What a registration can be known by. */
function namesOf(row: Pick<UndoneRow, 'rowKey' | 'barcode' | 'remoteId'> & Partial<Later>): Set<string> {
  const { rowKey, barcode, remoteId, wasId } = row;
  const names = [rowKey, barcode && `b:${barcode}`, remoteId && `id:${remoteId}`, wasId && `id:${wasId}`];
  return new Set(names.flatMap((name) => name ?? []));
}

/** The newest push of an event that has asked something of the service, and that no undo has taken back. */
export function lastPush(journal: Journal, target: Target): Run | undefined {
  const runs = listRuns(journal, target);
  const undone = new Set(runs.flatMap(({ state, undoes }) => (state === 'finished' ? [undoes] : [])));
  return runs.find(({ id, kind }) => kind === 'push' && !undone.has(id) && hasAsked(journal, id));
}

/**
 * The runs that went on from each other because their file was edited after an interruption, newest first; only
 * those that have asked something of the service, and the given one.
 */
export function chainOf(journal: Journal, run: Run): Run[] {
  const runs = listRuns(journal);
  const chain = new Set([run.id]);
  // Newest first: whoever went on from a run comes before it.
  for (const one of [...runs].reverse()) {
    if (chain.has(one.id) && one.continuedBy !== undefined) chain.add(one.continuedBy);
  }
  for (const one of runs) if (one.continuedBy !== undefined && chain.has(one.continuedBy)) chain.add(one.id);
  return runs.filter(({ id }) => id === run.id || (chain.has(id) && hasAsked(journal, id)));
}

const hasAsked = (journal: Journal, run: string): boolean =>
  journal.has('FROM row WHERE run = $run AND attempts > 0', { run });
