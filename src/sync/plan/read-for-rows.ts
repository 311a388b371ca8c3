import { BaseStore } from '../journal/base-store.ts';
import { barcodesOf, COMPARED, countCompared, DOUBTFUL, keysOf } from '../journal/run-rows.ts';
import { filesOfRun } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import type { CompareOptions } from './compare-row.ts';

type ReadContext = Pick<
  SendContext,
  'journal' | 'run' | 'event' | 'target' | 'registrations' | 'reporter' | 'stopping'
>;

/** How many requests reading the whole list may cost, to a row that is to be sent: more, and barcodes are looked up. */
const PAGES_A_ROW = 3;

/**
 * Without a barcode a row can be known by the whole list only, unless it is told to be about somebody new; so can one
 * that had none before.
 */
export async function readForRows(
  context: ReadContext,
  { match, whole }: Pick<CompareOptions, 'match'> & { whole: boolean },
): Promise<ListReading | undefined> {
  // Of rows in doubt a list tells only whether it has their e-mail.
  const which = match === 'email' ? `((${COMPARED}) OR (${DOUBTFUL}))` : COMPARED;
  const { rows, bare, count } = countCompared(context, which);
  if (rows === 0 && !whole) return undefined;
  return await readListed(context, {
    barcodes: () => barcodesOf(context),
    count,
    pages: PAGES_A_ROW * rows,
    whole: whole || (match !== 'none' && (bare > 0 || mayHaveOtherBarcodes(context))),
  });
}

/** Whether the files have barcodes that are new to this machine, and lack rows that they had. */
function mayHaveOtherBarcodes(context: ReadContext): boolean {
  const { journal, run, target, event } = context;
  const bases = new BaseStore(journal, target, event.endDate);
  const before = bases.rowKeysOf(bases.filesOf(filesOfRun(journal, run)));
  if (before.length === 0) return false;
  const rows = keysOf(context);
  const now = new Set(rows.map(({ key }) => bases.nameOf('rowKey', key)));
  if (before.every((key) => now.has(key))) return false;
  return rows.some(({ barcode }) => barcode !== null && bases.find('barcode', barcode).length === 0);
}

/** Whether what it does not show was not there: what was looked up by barcode is told by how many there are. */
export function tellsAbsent({ how, moved, total, barcodesShown }: ListReading): boolean {
  return how === 'list' ? !moved : barcodesShown && total !== undefined;
}

/** What cannot be compared is sent as the journal knows it, and that is said. */
export function warnOfHidden({ reporter }: ReadContext, { barcodesShown, fieldsShown }: ListReading): void {
  const hidden = barcodesShown ? (fieldsShown ? undefined : 'values') : 'barcodes';
  if (hidden === undefined) return;
  const text = `The service does not show the ${hidden} of its registrations, so rows cannot be compared with them`;
  const so =
    'what was sent before is not sent again, and everything else is sent: it may overwrite or empty what was entered there.';
  reporter.report({ type: 'warning', text: `${text}: ${so}` });
}
