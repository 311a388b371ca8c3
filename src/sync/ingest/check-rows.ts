import { formatPlace } from '../../registration/model/row.ts';
import type { Reporter } from '../../report/views/events.ts';
import { plural } from '../../report/words/number.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import type { RegistrationsClient } from '../../service/registrations.ts';
import type { DnsResolver } from './mail-domains.ts';
import { layerRows, parentsOutside, rejectMembersOfRejected, rejectOrphans } from './parents.ts';
import { type BarcodeColumns, type ByBarcode, type InputRow, reject } from './input-row.ts';

export interface CheckOptions {
  /** What invalid rows do: stop everything, or be left out. */
  invalid: 'stop' | 'skip';
  /** Undefined: e-mail domains are not looked up. */
  resolver: DnsResolver | undefined;
}

/** What the checks ask, and whom they tell. */
export interface CheckContext {
  registrations: Pick<RegistrationsClient, 'findByBarcode'>;
  reporter: Reporter;
  stopping: AbortSignal;
}

/** The checks that need parents, or the world outside. All of them run before anything is said. */
export async function checkRows(
  { rows, byBarcode }: { rows: readonly InputRow[]; byBarcode: ByBarcode },
  columns: BarcodeColumns,
  { invalid, resolver }: CheckOptions,
  context: CheckContext,
): Promise<void> {
  const outside = parentsOutside(rows, byBarcode);
  if (outside.length > 0) rejectOrphans(rows, await missingIn(outside, context), columns);
  layerRows(rows, byBarcode, columns);
  if (resolver !== undefined) {
    const { checkMailDomains } = await import('./mail-domains.ts');
    await checkMailDomains(rows, resolver, context);
  }
  if (invalid === 'skip') rejectMembersOfRejected(rows, byBarcode, columns);
}

/** More places than these only make a message longer. */
const MOST_NAMED = 3;

/** Rows that share a barcode are all rejected: nothing says which one is meant. */
export function rejectDuplicates(byBarcode: ByBarcode, columns: BarcodeColumns): void {
  for (const [barcode, group] of byBarcode) {
    if (group.length > 1) for (const row of group) rejectDuplicate(row, barcode, group, columns);
  }
}

function rejectDuplicate(
  row: InputRow,
  barcode: string,
  group: readonly InputRow[],
  columns: BarcodeColumns,
): void {
  const others = group.slice(0, MOST_NAMED + 1).filter((other) => other !== row);
  const named = others.slice(0, MOST_NAMED).map(({ place }) => formatPlace(place));
  const more = group.length - 1 - MOST_NAMED;
  const stands = `stands on ${named.join(', ')}${more > 0 ? ` and ${plural(more, 'more row', 'more rows')}` : ''} too`;
  reject(row, {
    column: row.part === 0 ? columns.barcode : undefined,
    value: barcode,
    code: 'barcode-twice',
    problem: row.part === 0 ? stands : `is the barcode of a companion and ${stands}`,
    remedy: 'give each row a barcode of its own',
    personal: false,
  });
}

/** The barcodes that no registration of the service has; none when it does not show barcodes. */
async function missingIn(
  barcodes: readonly string[],
  { registrations, reporter }: CheckContext,
): Promise<ReadonlySet<string>> {
  reporter.report({ type: 'checking', what: 'parents in the service', done: 0, total: barcodes.length });
  try {
    const found = await registrations.findByBarcode(barcodes);
    return new Set(barcodes.filter((barcode) => found.get(barcode)?.length === 0));
  } catch (error) {
    if (!(error instanceof BarcodesHiddenError)) throw error;
    const some = plural(barcodes.length, 'parent', 'parents');
    reporter.report({ type: 'warning', text: `${some} outside the file not checked. ${error.message}` });
    return new Set();
  }
}
