import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import {
  among,
  CARRIED_OUT,
  IN_DOUBT,
  MAY_BE_LISTED,
  MAY_HAVE_LANDED,
  type RowState,
  SENT,
} from '../../registration/model/row-states.ts';
import { flag, json, place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { Lookup } from '../decide/lookup.ts';
import type { PlanAction } from '../decide/plan-decision.ts';
import type { Journal } from './journal.ts';
import type { RowOp, Run } from './run.ts';
import { listRuns, type ProcessFacts, reopenRun, type Target } from './runs.ts';

/** Rows whose request has left, and was not refused. */
const ASKED = `run = $run AND attempts > 0 AND (
  (op = 'send' AND (state ${among([...MAY_BE_LISTED, 'deleted'])}
    OR (state = 'pending' AND listed_no IS NOT NULL)))
  OR (op = 'delete' AND state ${among(['deleted', ...IN_DOUBT])}))`;

const UNDONE = rowCodec({
  seq: value<number>(),
  op: value<RowOp>(),
  place: place(),
  part: value<number>(),
  state: value<RowState>(),
  plan: value<PlanAction | 'delete' | undefined>(),
  /** What shows that it has registered somebody new. */
  proof: value<'absent' | 'unlisted' | 'new' | 'not-new' | undefined>(),
  rowKey: value<string | undefined>(),
  barcode: value<string | undefined>(),
  persona: value<string | undefined>(),
  remoteId: value<string | undefined>(),
  /** What was sent; undefined for a deletion. */
  sent: json<Registration | undefined>('coalesce(ask, payload)'),
  before: json<RecordImage | undefined>(),
  after: json<RecordImage | undefined>(),
  /** It was seen as it was sent, or as `after` has it. */
  isReadBack: flag('checked_at >= sent_at'),
  sentAt: value<number | undefined>(),
  sentNo: value<number>('coalesce(sent_no, 0)'),
  message: value<string | undefined>(),
});

/** A row of which a run has asked something of the service. */
export type UndoneRow = RowOf<typeof UNDONE>;

/** Rows of a run that there may be something to undo of. */
export const undoneRows = (journal: Journal, run: string): UndoneRow[] =>
  journal.read(UNDONE, `FROM row WHERE ${ASKED} ORDER BY seq`, { run });

/** In SQL, of a row by its alias: no undo has brought back what its registration was before. */
export const notTakenBack = (row: string): string => `NOT EXISTS (
  SELECT 1 FROM run AS back CROSS JOIN row AS restored ON restored.run = back.id AND restored.seq = ${row}.seq
  WHERE back.undoes = ${row}.run AND restored.op = 'send' AND restored.plan = 'update'
    AND restored.state ${among(SENT)})`;

/**
 * Puts an interrupted undo to work once more: what was asked of the service and not refused stays as it is, the rest is
 * forgotten, to be judged anew.
 */
export function reopenUndo(journal: Journal, run: string, self: ProcessFacts, now: number): void {
  journal.run(`DELETE FROM row WHERE run = $run AND (attempts = 0 OR state = 'failed')`, { run });
  journal.run(
    `DELETE FROM finding WHERE run = $run AND kind = 'unseen'
       AND seq NOT IN (SELECT seq FROM row WHERE run = $run)`,
    { run },
  );
  journal.run(`UPDATE row SET state = 'uncertain' WHERE run = $run AND op = 'send' AND state = 'sending'`, {
    run,
  });
  reopenRun(journal, run, self, now);
}

/** Sends of one registration that are looked at. */
const LOOKED_AT = 20;

const SEND = rowCodec({
  sent: json<Registration | undefined>(`CASE WHEN op = 'send' THEN coalesce(ask, payload) END`),
});

/**
 * What this machine had sent of a registration, and the service had taken, before a step of the journal: newest
 * first, back to when the registration was last deleted.
 */
export function earlierSends(
  journal: Journal,
  { service, eventId }: Target,
  { barcode, sentNo }: Pick<UndoneRow, 'barcode' | 'sentNo'>,
): Registration[] {
  if (barcode === undefined) return [];
  const rows = journal.read(
    SEND,
    `FROM run CROSS JOIN row ON row.run = run.id AND row.barcode = $barcode
     WHERE run.service = $service AND run.event = $event AND row.sent_no < $no
       AND ((op = 'delete' AND row.state = 'deleted') OR (op = 'send' AND row.state ${among(SENT)}))
     ORDER BY row.sent_no DESC LIMIT ${LOOKED_AT}`,
    { service, event: eventId, barcode, no: sentNo },
  );
  const deleted = rows.findIndex(({ sent }) => sent === undefined);
  return rows.slice(0, deleted === -1 ? undefined : deleted).flatMap(({ sent }) => sent ?? []);
}

const LATER = rowCodec({
  run: value<string>('row.run'),
  seq: value<number>(),
  no: value<number>('sent_no'),
  rowKey: value<string | undefined>(),
  barcode: value<string | undefined>(),
  remoteId: value<string | undefined>(),
});
type LaterSend = RowOf<typeof LATER>;

/** What other pushes have sent after a run, in memory: the journal has no index of all that a registration can be known by. */
export class LaterSends {
  readonly #journal: Journal;
  readonly #sent = new Lookup<string, LaterSend>();

  constructor(journal: Journal, { service, eventId }: Target, run: string) {
    this.#journal = journal;
    const later = journal.read(
      LATER,
      `FROM row JOIN run ON run.id = row.run
       WHERE run.service = $service AND run.event = $event AND run.kind = 'push' AND run.id <> $run
         AND row.op = 'send' AND row.attempts > 0 AND row.state ${among(MAY_HAVE_LANDED)}
         AND row.sent_no > (SELECT min(sent_no) FROM row WHERE run = $run)`,
      { service, event: eventId, run },
    );
    for (const sent of later) for (const name of namesOf(sent)) this.#sent.add(name, sent);
  }

  /** The latest push that has sent the registration of a row after it, and was not undone since. */
  find(row: UndoneRow): string | undefined {
    return [...namesOf(row)]
      .flatMap((name) => this.#sent.of(name))
      .filter(({ no }) => no > row.sentNo)
      .sort((one, other) => other.no - one.no)
      .find(({ run, seq }) => undoneBy(this.#journal, run, seq) === undefined)?.run;
  }
}

/** What a registration can be known by. */
function namesOf({
  rowKey,
  barcode,
  remoteId,
}: Pick<UndoneRow, 'rowKey' | 'barcode' | 'remoteId'>): Set<string> {
  const names = [rowKey, barcode && `b:${barcode}`, remoteId && `id:${remoteId}`];
  return new Set(names.flatMap((name) => name ?? []));
}

/** The undo that has taken back what a run did with one of its rows, unless it was itself taken back. */
export function undoneBy(journal: Journal, run: string, seq: number): string | undefined {
  return journal
    .all<{ id: string }>(
      `SELECT run.id FROM run JOIN row ON row.run = run.id AND row.seq = $seq
       WHERE run.undoes = $run AND row.attempts > 0 AND row.state ${among(CARRIED_OUT)}
       ORDER BY run.started_at DESC`,
      { run, seq },
    )
    .find(({ id }) => undoneBy(journal, id, seq) === undefined)?.id;
}

/** The newest push of an event that has asked something of the service, and that no undo has taken back. */
export function lastPush(journal: Journal, { service, eventId }: Target): Run | undefined {
  const runs = listRuns(journal).filter((run) => run.service === service && run.event === eventId);
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

/**
 * Works out how deep below its parents each row of a run lies, among those of one kind: members are deleted
 * before their parents, and sent after them.
 */
export function layerByParent(journal: Journal, run: string, op: RowOp): void {
  journal.run(
    `UPDATE row SET depth = CASE WHEN parent_barcode IN
         (SELECT barcode FROM row WHERE run = $run AND op = $op AND barcode IS NOT NULL) THEN NULL ELSE 0 END
     WHERE run = $run AND op = $op`,
    { run, op },
  );
  for (let depth = 0; ; depth += 1) {
    const placed = journal.run(
      `UPDATE row SET depth = $next WHERE run = $run AND op = $op AND depth IS NULL AND parent_barcode IN (
         SELECT barcode FROM row INDEXED BY row_depth
         WHERE run = $run AND depth = $depth AND op = $op AND barcode IS NOT NULL)`,
      { run, depth, next: depth + 1, op },
    );
    if (placed === 0) break;
  }
  // Registrations that are each other's parents have no order.
  journal.run(`UPDATE row SET depth = 0 WHERE run = $run AND op = $op AND depth IS NULL`, { run, op });
}
