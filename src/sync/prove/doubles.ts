import { fieldsOf } from '../../registration/changes/field-change.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { addFinding } from '../journal/findings.ts';
import type { OwnRows } from '../journal/own-rows.ts';
import { type BareRow, bareRows, noteMessage } from '../journal/sent-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { addStep } from '../journal/steps.ts';
import { isAsSent, sharersOf } from './find-sent.ts';

/** Warnings about single rows that are shown; all are in the journal. */
const WARNINGS_SHOWN = 20;

/**
 * Tells of rows without a barcode of which more registrations are listed than there are such rows, without those of
 * other rows, which may say all of it and more. Nothing tells which of them is too many, or whether two people are
 * alike: it is said as long as they are there, and the rows stay as they are. Returns how many rows those are, and the
 * names of the registrations.
 */
export function tellDoubles(
  context: SendContext,
  reading: ListReading,
  rows: OwnRows,
): { count: number; names: ReadonlySet<string> } {
  const { journal, run, target, clock, reporter, event } = context;
  const bare = reading.how === 'list' ? [...bareRows(journal, run, target)] : [];
  const fields = fieldsOf(event);
  const names = new Set<string>();
  let count = 0;
  const find = ({ registration, seq }: BareRow): string[] =>
    (sharersOf({ reading, rows, fields }, { registration, seq }).all ?? [])
      .filter((record) => isAsSent(registration, record, fields) && !rows.isOfOther(record, seq))
      .flatMap(({ id, barcode }) => id ?? barcode ?? []);
  for (const row of bare) {
    const { seq, place, hash } = row;
    const found = find(row);
    if (found.length < 2 || found.some((name) => names.has(name))) continue;
    if (found.length <= bare.filter((one) => one.hash === hash).length) continue;
    for (const name of found) names.add(name);
    count += 1;
    const message = `it may be registered twice: ${found.join(', ')} have all that was sent`;
    journal.transaction(() => {
      addStep(journal, run, seq, { at: clock.now(), what: 'audited', detail: message });
      noteMessage(journal, run, seq, message);
      addFinding(journal, run, { kind: 'doubled', seq, id: undefined, barcode: undefined, message });
    });
    if (count <= WARNINGS_SHOWN)
      reporter.report({ type: 'warning', text: `${formatPlace(place)}: ${message}.` });
  }
  return { count, names };
}
