import { changesTo, fieldsOf, type FieldsOf } from '../registration/field-change.ts';
import { type QueuedRow, queuedRow } from './journal.ts';
import { ownWayOf } from './own-way.ts';
import type { SendContext } from './send-context.ts';
import { holdsAny, unsentValues } from './unsent-fields.ts';
import { UPDATES } from './withhold-updates.ts';

/** An update that can be sent before all others. */
export interface Pilot extends QueuedRow {
  before: NonNullable<QueuedRow['before']>;
}

/** What one update can show. */
interface Shows {
  /** That anything changes: 2 where a service that takes updates has to list another value then. */
  change: 0 | 1 | 2;
  /** What becomes of what is not sent. */
  unsent: boolean;
}

/** Parents that let their members be sent. */
const PARENT_IS_THERE = `NOT EXISTS (
  SELECT 1 FROM row AS parent INDEXED BY row_barcode
  WHERE parent.run = row.run AND parent.barcode = row.parent_barcode AND parent.op = 'send'
    AND parent.state NOT IN ('done', 'accepted', 'unchanged')
    AND NOT (parent.state = 'conflict' AND parent.before IS NOT NULL))`;

/** Rows looked at a time, and how many at most: among so many the best is good enough. */
const PAGE = 100;
const LOOKED_AT = 5000;

/**
 * The pending update that shows most of what is to be learnt: guests without a parent before members, those
 * who get no message before those who do. With `thorough`, only one that also shows what becomes of fields
 * that are not sent. After `tried` fields have not changed, only one that changes others.
 */
export function choosePilot(
  context: SendContext,
  thorough: boolean,
  tried: ReadonlySet<string> = new Set(),
): Pilot | undefined {
  const fields = fieldsOf(context.event);
  let best: { row: Pilot; rank: number } | undefined;
  let looked = 0;
  for (const row of candidates(context)) {
    looked += 1;
    const shows = showsOf(row, fields, tried);
    const fits = (!thorough || shows.unsent) && (tried.size === 0 || shows.change > 0);
    const rank = shows.change * 2 + Number(shows.unsent);
    if (fits && (best === undefined || rank > best.rank)) best = { row, rank };
    if (best?.rank === BEST || looked === LOOKED_AT) break;
  }
  return best?.row;
}

const BEST = 5;

function* candidates({ journal, run }: SendContext): Generator<Pilot> {
  for (let offset = 0; ; offset += PAGE) {
    const page = journal.all<{ seq: number }>(
      `SELECT seq FROM row WHERE ${UPDATES} AND ${PARENT_IS_THERE}
       ORDER BY parent_barcode IS NOT NULL, depth, enable_comms, seq LIMIT ${PAGE} OFFSET $offset`,
      { $run: run, $offset: offset },
    );
    for (const { seq } of page) {
      const row = queuedRow(journal, run, seq);
      if (row?.before !== undefined) yield { ...row, before: row.before };
    }
    if (page.length < PAGE) return;
  }
}

function showsOf({ registration, before }: Pilot, fields: FieldsOf, tried: ReadonlySet<string>): Shows {
  const changes = changesTo(registration, before, fields) ?? [];
  if (changes.length === 0) return { change: 0, unsent: false };
  const untried = changes.filter(({ field }) => !tried.has(field));
  const change = untried.length === 0 ? 0 : untried.some((one) => ownWayOf(one) === undefined) ? 2 : 1;
  return { change, unsent: holdsAny(unsentValues(registration, before, fields)) };
}
