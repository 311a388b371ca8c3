import { isCalledOff } from '../../errors.ts';
import { imageOf, type RecordImage, type RegistrationRecord } from '../../registration/model/registration.ts';
import { expectedMs } from '../../report/progress/expectation.ts';
import { plural } from '../../report/words/number.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import { countIn, type QueuedRow, queuedRows } from '../journal/queued-rows.ts';
import { depthsOf, updatesByPage } from '../journal/rows-to-send.ts';
import type { SendContext } from '../journal/send-context.ts';
import { readNow } from '../snapshot/read-now.ts';

/** After this long, somebody may have edited what was read. */
const OLD_MS = 60_000;
/** Within so long nobody edits anything. */
const NEW_MS = 1000;
/** Of so many rows on a page of the list, looking at the page again costs little. */
const DENSE = 20;
/** What looking at the others may cost, as a share of the updates; one look costs nobody anything. */
const SHARE = 0.05;
const FREE = 1;

/** How updates are looked at again before they are sent. */
export interface LookWish {
  /** When the plan read the service, in milliseconds since 1970. */
  readAtMs: number;
  /** Takes the numbers of updates that were sent without a second look, though the first was long ago. */
  notRechecked: Set<number>;
  /** Plans rows anew from what is listed for them by now, by their numbers; nothing listed: it is gone. */
  replan: (listed: ReadonlyMap<number, readonly RegistrationRecord[]>, rows: readonly QueuedRow[]) => void;
}

/**
 * Looks at updates once more right before they go. Those that stand together on a page of the list are looked at
 * together, however new the plan is; others once it is old, as far as that is cheap.
 */
export class Looks {
  readonly #context: SendContext;
  readonly #depth: number;
  readonly #wish: LookWish;
  /** When rows were looked at since the plan. */
  readonly #seenAt = new Map<number, number>();
  /** Updates due on each page of the list; 0: on none that is known. */
  #due: ReadonlyMap<number, number> | undefined;
  /** Looks at pages with few updates, or at single ones, that would still be wanted; and how many there may be. */
  #wanted = 0;
  #allowed = 0;
  /** Pages that were looked at. */
  readonly #pages = new Set<number>();
  /** Whether a page with few updates is looked at. */
  readonly #isAllowed = new Map<number, boolean>();

  constructor(context: SendContext, depth: number, wish: LookWish) {
    this.#context = context;
    this.#depth = depth;
    this.#wish = wish;
  }

  hasSeen(seq: number): boolean {
    return this.#seenAt.has(seq);
  }

  /** Whether a row was looked at too long ago to leave at a moment. */
  isOld(row: QueuedRow, atMs: () => number): boolean {
    if (!isCompared(row) || this.#wish.notRechecked.has(row.seq)) return false;
    return atMs() - (this.#seenAt.get(row.seq) ?? this.#wish.readAtMs) > OLD_MS;
  }

  /** Looks at a row, with all others that are due on its page, where that is called for. */
  async lookBefore(row: QueuedRow, leavesAtMs: () => number): Promise<void> {
    const isOld = this.isOld(row, leavesAtMs);
    const page = isCompared(row) && this.#dueBeside(row) > 1 ? pageOf(row.position) : 0;
    const isNewPage = page > 0 && !this.#pages.has(page);
    if (!isOld && !isNewPage) return;
    if (!this.#mayLook(row)) {
      if (isOld) this.#wish.notRechecked.add(row.seq);
      return;
    }
    if (page > 0) await this.lookAtPage(page);
    // The list has moved: it is somewhere else in it, or gone.
    if (isOld && this.isOld(row, () => this.#context.clock.now())) await this.lookAlone(row);
  }

  /** Looks at a row that goes first, unless the plan was made just now. */
  async lookAtFirst(row: QueuedRow): Promise<void> {
    if (this.#context.clock.now() - this.#wish.readAtMs > NEW_MS) await this.lookAlone(row);
  }

  /** Looks at a row by its barcode. */
  async lookAlone(row: QueuedRow): Promise<void> {
    const { barcode } = row.registration;
    if (barcode === undefined || !isCompared(row)) return;
    const found = await readNow(this.#context, { barcode, id: row.before?.id });
    this.#note(new Map([[row.seq, found]]), [row]);
  }

  #dueBeside({ position }: QueuedRow): number {
    if (this.#due === undefined) {
      this.#due = updatesByPage(this.#context.journal, this.#context.run, this.#depth);
      const { looks, all } = countLooks(this.#due);
      this.#wanted = looks;
      this.#allowed = Math.max(FREE, Math.floor(all * SHARE));
    }
    return position > 0 ? (this.#due.get(pageOf(position)) ?? 0) : 0;
  }

  /** Those that wait longest are looked at: the last of them. */
  #mayLook(row: QueuedRow): boolean {
    const due = this.#dueBeside(row);
    if (due >= DENSE) return true;
    const page = due > 1 ? pageOf(row.position) : -row.seq - 1;
    const known = this.#isAllowed.get(page);
    if (known !== undefined) return known && !this.#seenAt.has(row.seq);
    this.#wanted -= 1;
    const isAllowed = this.#wanted < this.#allowed;
    this.#isAllowed.set(page, isAllowed);
    return isAllowed;
  }

  /** Reads a page of the list, and takes what it shows now of all rows that are due on it. */
  async lookAtPage(page: number): Promise<readonly RegistrationRecord[]> {
    const { journal, run, registrations } = this.#context;
    this.#pages.add(page);
    const { records } = await registrations.page({}, page, PER_PAGE_MAX);
    const due = queuedRows(journal, run, {
      depth: this.#depth,
      after: { position: (page - 1) * PER_PAGE_MAX, seq: Number.MAX_SAFE_INTEGER },
      limit: 2 * PER_PAGE_MAX,
    }).filter(({ position }) => pageOf(position) === page);
    const listed = new Map<number, RegistrationRecord[]>();
    for (const row of due) {
      const found = records.filter((record) => isOf(record, row));
      if (found.length > 0) listed.set(row.seq, found);
    }
    const found = due.filter(({ seq }) => listed.has(seq));
    this.#note(listed, found);
    return records;
  }

  #note(listed: ReadonlyMap<number, readonly RegistrationRecord[]>, rows: readonly QueuedRow[]): void {
    const now = this.#context.clock.now();
    for (const { seq } of rows) this.#seenAt.set(seq, now);
    this.#wish.replan(listed, rows);
  }
}

/** Says before the first request how many updates will not be looked at again, where sending takes longer than a minute. */
export function tellNotRechecked(context: SendContext, wish: LookWish | undefined): void {
  const { journal, run, reporter, budget } = context;
  if (wish === undefined) return;
  const takesMs = expectedMs(countIn(journal, run, ['pending'], 'send'), budget());
  if (takesMs === undefined || takesMs <= OLD_MS) return;
  const due = depthsOf(journal, run).flatMap((depth) => [...updatesByPage(journal, run, depth)]);
  const { sparse, all } = countLooks(due);
  const left = sparse - Math.floor(all * SHARE);
  if (left <= 0) return;
  const text = `Up to ${plural(left, 'update', 'updates')} will not be looked at again right before they are sent: an edit in the service meanwhile would be overwritten.`;
  reporter.report({ type: 'warning', text });
}

/** Updates that are due, how many of them stand on no page with many others, and how many looks these would take. */
function countLooks(due: Iterable<readonly [page: number, n: number]>): {
  all: number;
  sparse: number;
  looks: number;
} {
  const counts = { all: 0, sparse: 0, looks: 0 };
  for (const [page, n] of due) {
    counts.all += n;
    if (page > 0 && n >= DENSE) continue;
    counts.sparse += n;
    counts.looks += page > 0 ? 1 : n;
  }
  return counts;
}

/** An update that was compared with what is listed. */
const isCompared = ({ plan, before }: QueuedRow): boolean =>
  plan === 'update' && before?.fields !== undefined;

export const pageOf = (position: number): number => Math.ceil(position / PER_PAGE_MAX);

/** By barcode or id, never by where it stands. */
export function isOf(
  { id, barcode }: RegistrationRecord,
  { registration, remoteId }: Pick<QueuedRow, 'registration' | 'remoteId'>,
): boolean {
  if (registration.barcode !== undefined && barcode !== undefined) return barcode === registration.barcode;
  return remoteId !== undefined && id === remoteId;
}

/** Empty also when it cannot be read. */
export async function listedNow(
  context: SendContext,
  names: Parameters<typeof readNow>[1],
): Promise<readonly RegistrationRecord[]> {
  try {
    return await readNow(context, names);
  } catch (error) {
    if (isCalledOff(error)) throw error;
    return [];
  }
}

/** The registration that an answer is about, as it was listed before. */
export function listedAs(
  { before }: SendContext,
  { id, barcode }: Pick<RecordImage, 'id' | 'barcode'>,
): RecordImage | undefined {
  const byId = id === undefined ? [] : (before?.listed.byId(id) ?? []);
  const found = byId.length === 1 || barcode === undefined ? byId : (before?.listed.byBarcode(barcode) ?? []);
  const [record, another] = found;
  // What is not unique is no id.
  return record === undefined || another !== undefined ? undefined : imageOf(record);
}
