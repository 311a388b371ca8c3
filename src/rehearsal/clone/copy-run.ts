import { hashOf, type Registration } from '../../registration/model/registration.ts';
import { NEVER_SENT, THERE } from '../../registration/model/row-states.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { beginRun, endRun, type ProcessFacts, type Target } from '../../sync/journal/runs.ts';
import { addCopy, toldOfEvent, type ToldRow } from '../../sync/journal/told-rows.ts';

interface CopyRun {
  from: Target;
  to: Target;
  mask: (registration: Registration) => Registration;
  now: number;
  self: ProcessFacts;
}

/**
 * Notes what was sent as it is now, masked, as one run at the clone: rows that no list shows are known by
 * that. What is in doubt, or failed, is left out. Call it in a transaction.
 */
export function copyRun(memory: Journal, journal: Journal, { from, to, mask, now, self }: CopyRun): void {
  const rows = latestRows(memory, from).filter(
    ({ op, state, payload }) => op === 'send' && THERE.has(state) && payload !== undefined,
  );
  if (rows.length === 0) return;
  const files = [...new Set(rows.map(({ place }) => place.file))];
  const run = beginRun(journal, { kind: 'push', target: to, files }, now, self);
  for (const [seq, row] of rows.entries()) addCopy(journal, { run, seq }, masked(row, mask));
  endRun(journal, run, 'finished', now, 'copied with the clone: what was sent to the live event');
}

/** Of each registration the row that this machine has dealt with it last. */
function latestRows(journal: Journal, from: Target): ToldRow[] {
  const latest = new Map<string, ToldRow>();
  for (const row of toldOfEvent(journal, from)) {
    if (row.rowKey === undefined || NEVER_SENT.has(row.state)) continue;
    const known = latest.get(row.rowKey);
    if (known === undefined || dealtWith(row) > dealtWith(known)) latest.set(row.rowKey, row);
  }
  return [...latest.values()];
}

const dealtWith = ({ sentNo = 0, listedNo = 0 }: ToldRow): number => Math.max(sentNo, listedNo);

/** A row without a barcode is named after what it holds. */
function masked(row: ToldRow, mask: CopyRun['mask']): ToldRow {
  const { rowKey = '', payload } = row;
  if (payload === undefined) return row;
  const said = mask(payload);
  const nth = rowKey.slice(rowKey.lastIndexOf(':'));
  const named = said.barcode === undefined ? `h:${hashOf(said)}${nth}` : `b:${said.barcode}`;
  return { ...row, rowKey: named, payload: said };
}
