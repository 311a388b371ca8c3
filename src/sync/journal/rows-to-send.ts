import type { RecordImage } from '../../registration/model/registration.ts';
import { among, SENT, THERE } from '../../registration/model/row-states.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import { ASIDE } from '../../sqlite/late-writes.ts';
import type { Journal } from './journal.ts';
import { QUEUED, type QueuedRow } from './queued-rows.ts';

/** Rows that are still to be sent, by what they ask for. */
const WAITING = {
  /** Their barcode is in the service already. */
  update: `(plan = 'update' OR (plan = 'unknown' AND before IS NOT NULL))`,
  create: `plan = 'create'`,
  /** Of those that register somebody: like nobody else, or like others. */
  alone: `plan = 'create' AND near IS NULL`,
  beside: `plan = 'create' AND near IS NOT NULL`,
} as const;
export type Waiting = keyof typeof WAITING;

const whereWaiting = (which: Waiting): string =>
  `run = $run AND op = 'send' AND state = 'pending' AND ${WAITING[which]}`;

export const hasWaiting = (journal: Journal, run: string, which: Waiting): boolean =>
  journal.has(`FROM row WHERE ${whereWaiting(which)}`, { run });

/** In SQL, of a row: the parent that it asks for; a row may leave somebody in the group that the service has. */
const ASKED_PARENT = `iif(row.ask IS NULL, row.parent_barcode, row.ask ->> 'parentBarcode')`;

/** In SQL, of a row of the files that others name as their parent: nobody is known to be there under that barcode. */
function isMissing(parent: string, sides = parent): string {
  const listed = `coalesce(${sides}.latest, ${sides}.before)`;
  const isListed = `${listed} IS NOT NULL AND coalesce(${listed} ->> 'barcode', ${parent}.barcode) = ${parent}.barcode`;
  return `${parent}.state NOT ${among(THERE)} AND NOT (${parent}.state = 'conflict' AND ${isListed})`;
}

/** The parent lets its members be sent. */
const PARENT_IS_THERE = `NOT EXISTS (
  SELECT 1 FROM operation AS parent INDEXED BY operation_barcode
    LEFT JOIN sides ON sides.run = parent.run AND sides.seq = parent.seq
  WHERE parent.run = row.run AND parent.barcode = ${ASKED_PARENT} AND parent.op = 'send'
    AND ${isMissing('parent', 'sides')})`;

/** Depths of which rows are to be sent, parents first. */
export const depthsOf = (journal: Journal, run: string): number[] =>
  journal
    .all<{ depth: number }>(
      `SELECT DISTINCT depth FROM row WHERE run = $run AND state = 'pending' AND op = 'send' ORDER BY depth`,
      { run },
    )
    .map(({ depth }) => depth);

/** How many updates of a depth there are on each page of the list; 0 is none. */
export function updatesByPage(journal: Journal, run: string, depth: number): Map<number, number> {
  const rows = journal.all<{ page: number; n: number }>(
    `SELECT (position + ${PER_PAGE_MAX - 1}) / ${PER_PAGE_MAX} AS page, count(*) AS n FROM row
     WHERE run = $run AND state = 'pending' AND depth = $depth AND op = 'send' AND plan = 'update' GROUP BY page`,
    { run, depth },
  );
  return new Map(rows.map(({ page, n }) => [page, n]));
}

/** Members of a depth whose parent did not get through are not sent, and say why. */
export function blockOrphanedMembers(journal: Journal, run: string, depth: number, now: number): void {
  if (depth === 0) return;
  journal.run(
    `UPDATE operation SET state = 'blocked', done_at = $now, message = blocked.message FROM (
       SELECT row.seq, 'its parent (' || parent.file || ':' || coalesce(parent.sheet || ':', '') || parent.line
           || ') did not get through: ' || coalesce(parent.message, 'it is ' || parent.state) AS message
       FROM row CROSS JOIN row AS parent ON parent.run = row.run AND parent.barcode = ${ASKED_PARENT} AND parent.op = 'send'
       WHERE row.run = $run AND row.state = 'pending' AND row.op = 'send' AND row.depth = $depth
         AND ${isMissing('parent')}) AS blocked
     WHERE operation.run = $run AND operation.seq = blocked.seq`,
    { run, depth, now },
  );
}

/** Whether a row is in the service, or can be sent by now. */
export const isSentOrReady = (journal: Journal, run: string, seq: number): boolean =>
  journal.has(
    `FROM row WHERE run = $run AND seq = $seq AND op = 'send' AND (state ${among(SENT)}
       OR (state = 'pending' AND plan IN ('create', 'update') AND ${PARENT_IS_THERE}))`,
    { run, seq },
  );

/** Whether a row of the run stands for a registration. */
export const hasRowFor = (journal: Journal, run: string, { id, barcode }: RecordImage): boolean =>
  journal.has(`FROM row WHERE run = $run AND op = 'send' AND (barcode = $barcode OR remote_id = $id)`, {
    run,
    barcode,
    id,
  });

/** Another row of the run that got the same id. */
export const rowWithId = (journal: Journal, run: string, seq: number, id: string): QueuedRow | undefined =>
  journal.readOne(
    QUEUED,
    `FROM row ${journal.departures.keepsOf(id) ? '' : ASIDE} WHERE run = $run AND remote_id = $id AND seq <> $seq AND op = 'send'
       AND (state = 'unchanged' OR (attempts > 0 AND state ${among([...SENT, 'uncertain', 'conflict'])}))`,
    { run, id, seq },
  );

/** Rows that may be sent by now: their parents are there. Parents before members; at most `limit`. */
export const readyRows = (journal: Journal, run: string, which: Waiting, limit: number): QueuedRow[] =>
  journal.read(
    QUEUED,
    `FROM row WHERE ${whereWaiting(which)} AND ${PARENT_IS_THERE} ORDER BY depth, seq LIMIT ${limit}`,
    { run },
  );

/** All rows that are still to be sent, whether they may be by now or not. */
export function* waitingRows(journal: Journal, run: string, which: Waiting): Generator<QueuedRow> {
  const from = `FROM row WHERE ${whereWaiting(which)} AND seq > $after ORDER BY seq`;
  for (const page of journal.readPages(QUEUED, from, { run }, 'seq')) yield* page;
}

/** Takes rows out of what is sent, with a step each. */
export function setAside(
  journal: Journal,
  run: string,
  seqs: readonly number[],
  { state, why, now }: { state: 'conflict' | 'postponed'; why: string; now: number },
): void {
  const which = 'run = $run AND seq IN (SELECT value FROM json_each($seqs))';
  const values = { run, seqs: JSON.stringify(seqs), now };
  journal.transaction(() => {
    journal.run(
      `INSERT INTO step (run, seq, no, at, what, detail)
       SELECT run, seq, $no, $now, 'planned', $detail FROM operation WHERE ${which} ORDER BY seq`,
      { ...values, no: journal.nextNo(), detail: `${state}: ${why}` },
    );
    journal.run(
      `UPDATE operation SET state = $state, done_at = $now, message = $why,
         plan = CASE WHEN $state = 'conflict' AND attempts = 0 THEN 'conflict' ELSE plan END
       WHERE ${which}`,
      { ...values, state, why },
    );
  });
}

/** Has the rows that a run sends go after their parents among them. */
export function sendAfterParents(journal: Journal, run: string): void {
  const rows = journal.all<{ seq: number; barcode?: string; parentBarcode?: string }>(
    `SELECT seq, barcode, parent_barcode AS parentBarcode FROM row WHERE run = $run AND op = 'send'`,
    { run },
  );
  for (const [{ seq }, depth] of depthsAmong(rows))
    journal.run('UPDATE operation SET depth = $depth WHERE run = $run AND seq = $seq', { run, seq, depth });
}

interface Member {
  barcode?: string | undefined;
  parentBarcode?: string | undefined;
}

/**
 * How deep below its parents each of some lies, among them: members are deleted before their parents, and sent after
 * them. Those that are each other's parents have no order, and lie at the top.
 */
export function depthsAmong<One extends Member>(all: readonly One[]): Map<One, number> {
  const byBarcode = new Map(all.map((one) => [one.barcode ?? one, one]));
  const parentOf = ({ parentBarcode }: One): One | undefined =>
    parentBarcode === undefined ? undefined : byBarcode.get(parentBarcode);
  const depthOf = (one: One): number => {
    const above = new Set([one]);
    for (let next = parentOf(one); next !== undefined; next = parentOf(next)) {
      if (above.has(next)) return 0;
      above.add(next);
    }
    return above.size - 1;
  };
  return new Map(all.map((one) => [one, depthOf(one)]));
}
