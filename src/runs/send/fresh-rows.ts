import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import { expectedMs } from '../../report/progress/expectation.ts';
import { plural } from '../../report/words/number.ts';
import {
  countRows,
  isOpenRow,
  isPendingRow,
  type QueuedRow,
  queuedRow,
  queuedRows,
} from '../../sync/journal/queued-rows.ts';
import { readNow } from '../../sync/snapshot/read-now.ts';
import { Recheck, type RecheckWish } from './recheck.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

/** After this long, somebody may have edited what was read. */
const OLD_MS = 60_000;
/** Of so many rows on a page of the list, looking at the page again costs little. */
const DENSE = 20;
/** What looking at the others may cost, as a share of the updates. */
const SHARE = 0.05;

/** A row has waited for its turn so long that it has to be looked at again, or is not to be sent any more: it is taken anew. */
export class WaitedTooLongError extends Error {}

/**
 * The pending rows of one depth in the order in which they are sent: those that are new first, then updates as the
 * service lists them. Updates are looked at again where the last look was long ago. Shared by all workers: each row
 * is taken once.
 */
export class FreshRows {
  readonly #context: SendContext;
  readonly #wish: RecheckWish | undefined;
  readonly #recheck: Recheck | undefined;
  readonly #rows: Generator<QueuedRow>;
  readonly #depth: number;
  /** Rows that were kept back, by number. */
  readonly #again: number[] = [];
  /** When rows were looked at since the plan. */
  readonly #seenAt = new Map<number, number>();
  /** Updates due on each page of the list. */
  readonly #due: ReadonlyMap<number, number>;
  /** Updates on pages with few of them, or on none, that were not taken yet; and how many of them may be looked at. */
  #sparse: number;
  #looks: number;
  #line: Promise<unknown> = Promise.resolve();

  constructor(context: SendContext, depth: number, wish: RecheckWish | undefined) {
    this.#context = context;
    this.#depth = depth;
    this.#wish = wish;
    this.#recheck = wish && new Recheck(context, wish);
    this.#rows = pendingRows(context, depth);
    this.#due = this.#wish === undefined ? new Map() : dueByPage(context, depth);
    const { sparse, all } = countDue(this.#due);
    this.#sparse = sparse;
    this.#looks = Math.floor(all * SHARE);
  }

  /** The next row, looked at again if need be; undefined when there is none. Throws what reading throws. */
  next(): Promise<QueuedRow | undefined> {
    // One look at a time: it may show what the next one would.
    const turn = this.#line.then(() => this.#take());
    this.#line = turn.catch(() => undefined);
    return turn;
  }

  /** Puts a row back that was not sent. */
  putBack(seq: number): void {
    this.#again.push(seq);
  }

  /** Throws WaitedTooLongError for a row that may not leave any more as it was taken: call it in a transaction. */
  mayLeave(row: QueuedRow): void {
    const { journal, run, clock } = this.#context;
    // The answer to another row may have set it aside meanwhile.
    if (this.#isOld(row, () => clock.now()) || !isOpenRow(journal, run, row.seq))
      throw new WaitedTooLongError();
  }

  async #take(): Promise<QueuedRow | undefined> {
    const { journal, run } = this.#context;
    for (;;) {
      const seq = this.#again.shift();
      const row = seq === undefined ? this.#rows.next().value : queuedRow(journal, run, seq);
      if (seq === undefined && row === undefined) return undefined;
      if (row === undefined) continue;
      if (this.#isOld(row, this.#leavesAtMs) && this.#mayLook(row)) await this.#look(row);
      // What was looked at, alone or with others, may have come to something else.
      if (seq === undefined && !this.#seenAt.has(row.seq)) return row;
      if (isPendingRow(journal, run, row.seq)) return queuedRow(journal, run, row.seq);
    }
  }

  /** When a row that is taken now can leave: a look that waits for the budget is newer than a row that does. */
  readonly #leavesAtMs = (): number => {
    const { clock, budget, limits } = this.#context;
    const { remaining, refillsAtMs } = budget();
    const isSpent = remaining !== undefined && remaining <= limits.workers();
    return Math.max(clock.now(), isSpent ? (refillsAtMs ?? 0) : 0);
  };

  #isOld({ seq, plan, before }: QueuedRow, atMs: () => number): boolean {
    if (this.#wish === undefined || plan !== 'update' || before?.fields === undefined) return false;
    if (this.#wish.notRechecked.has(seq)) return false;
    return atMs() - (this.#seenAt.get(seq) ?? this.#wish.readAtMs) > OLD_MS;
  }

  /** Those that wait longest are looked at: the last of them. */
  #mayLook(row: QueuedRow): boolean {
    if (this.#isDense(row)) return true;
    this.#sparse -= 1;
    if (this.#sparse < this.#looks) return true;
    this.#wish?.notRechecked.add(row.seq);
    return false;
  }

  #isDense({ position }: QueuedRow): boolean {
    return position > 0 && (this.#due.get(pageOf(position)) ?? 0) >= DENSE;
  }

  /** Looks at a row, with all others that are due on its page. */
  async #look(row: QueuedRow): Promise<void> {
    if (!this.#isDense(row)) return await this.#lookAlone(row);
    await this.#lookAtPage(pageOf(row.position));
    // The list has moved: it is somewhere else in it, or gone.
    if (this.#isOld(row, () => this.#context.clock.now())) await this.#lookAlone(row);
  }

  async #lookAtPage(page: number): Promise<void> {
    const { journal, run, registrations, clock } = this.#context;
    const { records } = await registrations.page({}, page, PER_PAGE_MAX);
    const due = queuedRows(journal, run, 'pending', {
      depth: this.#depth,
      after: { position: (page - 1) * PER_PAGE_MAX, seq: Number.MAX_SAFE_INTEGER },
      limit: 2 * PER_PAGE_MAX,
    }).filter(({ position }) => pageOf(position) === page);
    const listed = new Map<number, RegistrationRecord[]>();
    for (const row of due) {
      const found = records.filter((record) => isOf(record, row));
      if (found.length > 0) listed.set(row.seq, found);
    }
    this.#note(
      listed,
      due.filter(({ seq }) => listed.has(seq)),
      clock.now(),
    );
  }

  async #lookAlone(row: QueuedRow): Promise<void> {
    const { barcode } = row.registration;
    if (barcode === undefined) return;
    const found = await readNow(this.#context, { barcode, id: row.before?.id });
    this.#note(new Map([[row.seq, found]]), [row], this.#context.clock.now());
  }

  #note(
    listed: ReadonlyMap<number, readonly RegistrationRecord[]>,
    rows: readonly QueuedRow[],
    now: number,
  ): void {
    for (const { seq } of rows) this.#seenAt.set(seq, now);
    this.#recheck?.take(listed, rows);
  }
}

/** Says before the first request how many updates will not be looked at again, where sending takes longer than a minute. */
export function tellNotRechecked(context: SendContext, wish: RecheckWish | undefined): void {
  const { journal, run, reporter, budget } = context;
  if (wish === undefined) return;
  const takesMs = expectedMs(countRows(journal, run).pending, budget());
  if (takesMs === undefined || takesMs <= OLD_MS) return;
  const { sparse, all } = countDue(depthsOf(context).flatMap((depth) => [...dueByPage(context, depth)]));
  const left = sparse - Math.floor(all * SHARE);
  if (left <= 0) return;
  const text = `Up to ${plural(left, 'update', 'updates')} will not be looked at again right before they are sent: an edit in the service meanwhile would be overwritten.`;
  reporter.report({ type: 'warning', text });
}

/** Updates that are due, and how many of them stand on no page with many others. */
function countDue(due: Iterable<readonly [page: number, n: number]>): { sparse: number; all: number } {
  let sparse = 0;
  let all = 0;
  for (const [page, n] of due) {
    all += n;
    if (page === 0 || n < DENSE) sparse += n;
  }
  return { sparse, all };
}

/** Depths of which rows are to be sent, parents first. */
export function depthsOf({ journal, run }: SendContext): number[] {
  return journal
    .all<{ depth: number }>(
      `SELECT DISTINCT depth FROM row WHERE run = $run AND state = 'pending' AND op = 'send' ORDER BY depth`,
      { run },
    )
    .map(({ depth }) => depth);
}

const pageOf = (position: number): number => Math.ceil(position / PER_PAGE_MAX);

/** By barcode or id, never by where it stands. */
function isOf({ id, barcode }: RegistrationRecord, { registration, remoteId }: QueuedRow): boolean {
  if (registration.barcode !== undefined && barcode !== undefined) return barcode === registration.barcode;
  return remoteId !== undefined && id === remoteId;
}

function* pendingRows({ journal, run }: SendContext, depth: number): Generator<QueuedRow, undefined> {
  for (let after: { position: number; seq: number } | undefined; ; ) {
    const page = queuedRows(journal, run, 'pending', { depth, after, limit: 200 });
    const last = page.at(-1);
    if (last === undefined) return undefined;
    yield* page;
    after = last;
  }
}

/** How many updates there are on each page of the list; 0 is none. */
function dueByPage({ journal, run }: SendContext, depth: number): Map<number, number> {
  const rows = journal.all<{ page: number; n: number }>(
    `SELECT (position + ${PER_PAGE_MAX - 1}) / ${PER_PAGE_MAX} AS page, count(*) AS n FROM row
     WHERE run = $run AND state = 'pending' AND depth = $depth AND op = 'send' AND plan = 'update' GROUP BY page`,
    { run, depth },
  );
  return new Map(rows.map(({ page, n }) => [page, n]));
}
