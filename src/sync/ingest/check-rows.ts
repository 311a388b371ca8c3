import { formatPlace, type Reason } from '../../registration/model/row.ts';
import { isMade } from '../../registration/reading/companions.ts';
import type { Reporter } from '../../report/views/events.ts';
import { plural } from '../../report/words/number.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import type { RegistrationsClient } from '../../service/client.ts';
import { type BarcodeColumns, type ByBarcode, type InputRow, isSendable, reject } from './input-row.ts';
import type { DnsResolver } from './mail-domains.ts';
import { SAME_PERSON } from './same-person.ts';

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
  for (const barcode of byBarcode.keys()) {
    const group = byBarcode.of(barcode);
    if (group.length > 1) for (const row of group) rejectDuplicate(row, barcode, group, columns.barcode);
  }
}

function rejectDuplicate(row: InputRow, barcode: string, group: readonly InputRow[], column: string): void {
  const others = group.slice(0, MOST_NAMED + 1).filter((other) => other !== row);
  const named = others.slice(0, MOST_NAMED).map(({ place }) => formatPlace(place));
  const more = group.length - 1 - MOST_NAMED;
  const stands = `stands on ${named.join(', ')}${more > 0 ? ` and ${plural(more, 'more row', 'more rows')}` : ''} too`;
  const remedy = 'give each row a barcode of its own';
  const twice = { code: 'barcode-twice', personal: false } as const;
  if (isMade(barcode)) {
    const problem = `has an e-mail or a name that ${stands}`;
    reject(row, { ...twice, problem, remedy: `${SAME_PERSON}; if they are different people, ${remedy}` });
  } else if (row.part === 0) reject(row, { ...twice, column, value: barcode, problem: stands, remedy });
  else
    reject(row, { ...twice, value: barcode, problem: `is the barcode of a companion and ${stands}`, remedy });
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

/** What is wrong with the parent that a row names. */
const reasonOf = (
  row: InputRow,
  { parentBarcode: column }: BarcodeColumns,
  what: Pick<Reason, 'code' | 'problem' | 'remedy'>,
): Reason => ({ column, value: row.parentBarcode, personal: false, ...what });

const parentOf = ({ parentBarcode }: InputRow, byBarcode: ByBarcode): InputRow | undefined =>
  byBarcode.of(parentBarcode).at(-1);

/** Barcodes that rows name as their parent although no row of the files has them. */
function parentsOutside(rows: readonly InputRow[], byBarcode: ByBarcode): string[] {
  const named = rows.flatMap(({ parentBarcode }) => (parentBarcode === undefined ? [] : [parentBarcode]));
  return [...new Set(named)].filter((barcode) => byBarcode.of(barcode).length === 0);
}

/** Rejects the rows whose parent is neither in the files nor in the service. */
function rejectOrphans(
  rows: readonly InputRow[],
  missing: ReadonlySet<string>,
  columns: BarcodeColumns,
): void {
  for (const row of rows) {
    if (row.parentBarcode === undefined || !missing.has(row.parentBarcode)) continue;
    const problem = 'is the barcode of no row in the file and of no registration in the service';
    const remedy = 'add the parent to the file, or mend the barcode';
    reject(row, reasonOf(row, columns, { code: 'parent-unknown', problem, remedy }));
  }
}

/**
 * Gives every row its depth (0: its parent is not in the files; else one more than its parent's), so that parents go
 * before members, and rejects the rows for which there is none: they hang on a circle. Every row is walked once.
 */
function layerRows(rows: readonly InputRow[], byBarcode: ByBarcode, columns: BarcodeColumns): void {
  const circling = new Set<InputRow>();
  for (const row of rows) {
    const path = new Set<InputRow>();
    const isOpen = (one: InputRow): boolean =>
      one.depth === undefined && !circling.has(one) && !path.has(one);
    let current: InputRow | undefined = row;
    for (; current !== undefined && isOpen(current); current = parentOf(current, byBarcode))
      path.add(current);
    if (current === undefined || current.depth !== undefined) {
      let depth = current?.depth ?? -1;
      for (const below of [...path].reverse()) below.depth = depth += 1;
    } else for (const one of path) circling.add(one);
  }
  for (const row of circling) reject(row, reasonOf(row, columns, CIRCLE));
}

const CIRCLE = {
  code: 'parent-circle',
  problem: 'hangs on a circle of parents',
  remedy: 'let one of the rows of the circle have no parent',
} as const;

/** A companion's parent is its row, which says itself why it is rejected. */
const COMPANION_OF_REJECTED: Reason = {
  code: 'parent-rejected',
  problem: 'is rejected, so its companions are too',
  personal: false,
};

/** Members of rejected rows cannot be sent either, nor theirs. */
function rejectMembersOfRejected(
  rows: readonly InputRow[],
  byBarcode: ByBarcode,
  columns: BarcodeColumns,
): void {
  const members = rows.filter((row) => isSendable(row) && (row.depth ?? 0) > 0);
  for (const row of members.sort((one, other) => (one.depth ?? 0) - (other.depth ?? 0))) {
    const parents = byBarcode.of(row.parentBarcode);
    const rejected = parents.find((parent) => !isSendable(parent));
    if (rejected !== undefined)
      reject(row, row.part > 0 ? COMPANION_OF_REJECTED : ofRejected(row, rejected, columns));
  }
}

function ofRejected(row: InputRow, { place }: InputRow, columns: BarcodeColumns): Reason {
  const problem = `is the barcode of a row that is rejected itself (${formatPlace(place)})`;
  return reasonOf(row, columns, { code: 'parent-rejected', problem, remedy: 'mend that row first' });
}
