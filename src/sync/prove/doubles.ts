import { fieldsOf } from '../../registration/changes/field-change.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { emailOf } from '../../registration/changes/person.ts';
import { addFinding } from '../journal/findings.ts';
import { type BareRow, bareRows, noteMessage } from '../journal/sent-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { withEmail } from '../snapshot/answers.ts';
import { KnownIds } from '../snapshot/known-ids.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { addStep } from '../journal/steps.ts';
import { isAsSent } from './find-sent.ts';

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
): { count: number; names: ReadonlySet<string> } {
  const { journal, run, target, clock, reporter } = context;
  const rows = [...bareRows(journal, run, target)];
  const names = new Set<string>();
  let count = 0;
  const find = finder(context, reading, rows);
  for (const row of reading.how === 'list' ? rows : []) {
    const found = find(row);
    if (found.length === 0 || found.some((name) => names.has(name))) continue;
    for (const name of found) names.add(name);
    count += 1;
    const message = `it may be registered twice: ${found.join(', ')} have all that was sent`;
    const { seq, place } = row;
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

/** Names of the registrations that have all of a row, where there are too many of them. */
function finder(
  { journal, run, event }: SendContext,
  reading: ListReading,
  rows: readonly BareRow[],
): (row: BareRow) => string[] {
  const fields = fieldsOf(event);
  const ids = new KnownIds(journal, run);
  const alike = new Map<string, number>();
  for (const { hash } of rows) alike.set(hash, (alike.get(hash) ?? 0) + 1);
  return ({ registration, seq, hash }) => {
    const email = emailOf(registration, fields);
    const all = email === undefined ? undefined : withEmail(reading, registration.persona, email);
    const found = (all ?? []).filter(
      (record) => isAsSent(registration, record, fields) && !ids.isOfOther(record, seq),
    );
    const names = found.flatMap(({ id, barcode }) => id ?? barcode ?? []);
    return names.length < 2 || names.length <= (alike.get(hash) ?? 0) ? [] : names;
  };
}
