import { changesTo, fieldsOf, type FieldsOf } from '../registration/field-change.ts';
import { type QueuedRow, queuedRow } from './journal.ts';
import type { SendContext } from './send-context.ts';
import { unsentValues } from './unsent-fields.ts';
import { UPDATES } from './withhold-updates.ts';

/** An update that can be sent before all others. */
export interface Pilot extends QueuedRow {
  before: NonNullable<QueuedRow['before']>;
}

/** What one update can show: that anything changes at all, and what becomes of fields that are not sent. */
const SHOWS_BOTH = 2;
const SHOWS_CHANGE = 1;

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
 * that are not sent.
 */
export function choosePilot(context: SendContext, thorough: boolean): Pilot | undefined {
  const fields = fieldsOf(context.event);
  let best: { row: Pilot; shows: number } | undefined;
  let looked = 0;
  for (const row of candidates(context)) {
    looked += 1;
    const shows = showsOf(row, fields);
    if (best === undefined || shows > best.shows) best = { row, shows };
    if (shows === SHOWS_BOTH || looked === LOOKED_AT) break;
  }
  return best === undefined || (thorough && best.shows < SHOWS_BOTH) ? undefined : best.row;
}

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

function showsOf({ registration, before }: Pilot, fields: FieldsOf): number {
  const changes = changesTo(registration, before, fields) ?? [];
  if (changes.length === 0) return 0;
  return unsentValues(registration, before, fields).size > 0 ? SHOWS_BOTH : SHOWS_CHANGE;
}
