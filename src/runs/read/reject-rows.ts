import type { ProblemCode } from '../../codes.ts';
import { describeCycle, findCycles, type Member } from './parent-cycles.ts';
import { EXAMPLE_BARCODE, EXAMPLE_EMAIL } from '../../registration/model/own-names.ts';
import { formatPlace, type Place, type Reason } from '../../registration/model/row.ts';
import { plural } from '../../report/words/number.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { rejectRow } from '../../sync/journal/queued-rows.ts';

/** What the columns of barcodes are called in the user's files. */
export interface BarcodeColumns {
  barcode: string;
  parentBarcode: string;
}

/** More places than these only make a message longer. */
const MOST_NAMED = 3;

function barcodeReason(
  code: ProblemCode,
  column: string | undefined,
  value: string,
  problem: string,
  remedy: string,
): Reason {
  return { column, value, code, problem, remedy, personal: false };
}

/** A guest who was written over the example row of a template, and has still something of it, would be sent under that. */
export function rejectExample(
  journal: Journal,
  run: string,
  examples: readonly number[],
  columns: BarcodeColumns,
): void {
  if (examples.length === 0) return;
  const found = journal.all<{ seq: number; barcode?: string }>(
    `SELECT seq, barcode FROM row WHERE run = $run AND seq IN (SELECT value FROM json_each($examples))`,
    { run, examples: JSON.stringify(examples) },
  );
  const problem = 'is of the example of a template, and no guest’s';
  const remedy = 'delete the row, or replace all of the example in it';
  for (const { seq, barcode } of found) {
    const [column, value] =
      barcode === EXAMPLE_BARCODE ? [columns.barcode, barcode] : [undefined, EXAMPLE_EMAIL];
    rejectRow(journal, run, seq, [barcodeReason('example-row', column, value, problem, remedy)]);
  }
}

/** Rows that share a barcode are all rejected: nothing says which one is meant. */
export function rejectDuplicates(journal: Journal, run: string, columns: BarcodeColumns): void {
  const rows = journal.all<Place & { seq: number; part: number; barcode: string }>(
    `SELECT seq, part, file, sheet, line, barcode FROM row WHERE run = $run AND barcode IN (
       SELECT barcode FROM row WHERE run = $run AND barcode IS NOT NULL GROUP BY barcode HAVING count(*) > 1)
     ORDER BY barcode, seq`,
    { run },
  );
  const byBarcode = new Map<string, typeof rows>();
  for (const row of rows) {
    const group = byBarcode.get(row.barcode);
    if (group === undefined) byBarcode.set(row.barcode, [row]);
    else group.push(row);
  }
  for (const [barcode, group] of byBarcode) {
    for (const row of group) {
      const stands = `stands on ${namePlaces(row, group)} too`;
      const remedy = 'give each row a barcode of its own';
      const [column, problem] =
        row.part === 0
          ? [columns.barcode, stands]
          : [undefined, `is the barcode of a companion and ${stands}`];
      const reason = barcodeReason('barcode-twice', column, barcode, problem, remedy);
      rejectRow(journal, run, row.seq, [reason]);
    }
  }
}

/** Where the other rows of a group are; the first three, when there are many. */
function namePlaces<Row extends Place>(row: Row, group: readonly Row[]): string {
  const others = group.slice(0, MOST_NAMED + 1).filter((other) => other !== row);
  const named = others.slice(0, MOST_NAMED).map(formatPlace).join(', ');
  const more = group.length - 1 - MOST_NAMED;
  return more > 0 ? `${named} and ${plural(more, 'more row', 'more rows')}` : named;
}

/** Barcodes that rows name as their parent although no row of the file has them. */
export function parentsOutsideFile(journal: Journal, run: string): string[] {
  return journal
    .all<{ parent_barcode: string }>(
      `SELECT DISTINCT parent_barcode FROM row WHERE run = $run AND parent_barcode IS NOT NULL
         AND parent_barcode NOT IN (SELECT barcode FROM row WHERE run = $run AND barcode IS NOT NULL)`,
      { run },
    )
    .map((row) => row.parent_barcode);
}

/** Rejects the rows whose parent is neither in the file nor in the service. */
export function rejectOrphans(
  journal: Journal,
  run: string,
  missing: readonly string[],
  columns: BarcodeColumns,
): void {
  for (const parent of missing) {
    const rows = journal.all<{ seq: number }>(
      'SELECT seq FROM row WHERE run = $run AND parent_barcode = $parent',
      { run, parent },
    );
    const reason = barcodeReason(
      'parent-unknown',
      columns.parentBarcode,
      parent,
      'is the barcode of no row in the file and of no registration in the service',
      'add the parent to the file, or mend the barcode',
    );
    for (const { seq } of rows) rejectRow(journal, run, seq, [reason]);
  }
}

/**
 * Gives every row that names a parent its depth (0: it is not in the file; else one more than its parent's; reading gave
 * the others 0), so that parents go before members, and rejects the rows for which there is none: they hang on a cycle.
 */
export function layerRows(journal: Journal, run: string, columns: BarcodeColumns): void {
  if (!journal.has('FROM row WHERE run = $run AND parent_barcode IS NOT NULL', { run })) return;
  journal.indexDepths();
  journal.run(
    `UPDATE row SET depth = 0 WHERE run = $run AND parent_barcode IS NOT NULL
       AND parent_barcode NOT IN (SELECT barcode FROM row WHERE run = $run AND barcode IS NOT NULL)`,
    { run },
  );
  for (let depth = 0; ; depth += 1) {
    const placed = journal.run(
      // Unasked, SQLite reads all rows once for each layer, which a long chain makes quadratic.
      `UPDATE row INDEXED BY row_parent SET depth = $next WHERE run = $run AND depth IS NULL AND parent_barcode IN (
         SELECT barcode FROM row INDEXED BY row_depth WHERE run = $run AND depth = $depth AND barcode IS NOT NULL)`,
      { run, depth, next: depth + 1 },
    );
    if (placed === 0) break;
  }
  const left = journal.all<Member>(
    'SELECT seq, file, sheet, line, barcode, parent_barcode FROM row WHERE run = $run AND depth IS NULL ORDER BY seq',
    { run },
  );
  const cycles = findCycles(left);
  for (const row of left) {
    const problem = describeCycle(row, cycles.get(row) ?? []);
    const { parent_barcode: parent } = row;
    const remedy = 'let one of these rows have no parent';
    rejectRow(journal, run, row.seq, [
      barcodeReason('parent-circle', columns.parentBarcode, parent, problem, remedy),
    ]);
  }
}

/** A companion's parent is its row, which says itself why it is rejected. */
const COMPANION_OF_REJECTED: Reason = {
  code: 'parent-rejected',
  problem: 'is rejected, so its companions are too',
  personal: false,
};

function ofRejected(row: Place & { parent_barcode: string }, columns: BarcodeColumns): Reason {
  const problem = `is the barcode of a row that is rejected itself (${formatPlace(row)})`;
  return barcodeReason(
    'parent-rejected',
    columns.parentBarcode,
    row.parent_barcode,
    problem,
    'mend that row first',
  );
}

/** Members of rejected rows cannot be sent either. Returns when no more rows are touched. */
export function rejectMembersOfRejected(journal: Journal, run: string, columns: BarcodeColumns): void {
  for (;;) {
    const rows = journal.all<Place & { seq: number; part: number; parent_barcode: string }>(
      `SELECT member.seq, member.part, member.parent_barcode, parent.file, parent.sheet, parent.line FROM row AS member
       JOIN row AS parent ON parent.run = member.run AND parent.barcode = member.parent_barcode
       WHERE member.run = $run AND member.state = 'pending' AND parent.state = 'rejected'
       GROUP BY member.seq LIMIT 1000`,
      { run },
    );
    if (rows.length === 0) return;
    for (const row of rows) {
      rejectRow(journal, run, row.seq, [row.part > 0 ? COMPANION_OF_REJECTED : ofRejected(row, columns)]);
    }
  }
}

/** Rejects the rows that have e-mail addresses at a domain which takes no mail. */
export function rejectDomain(journal: Journal, run: string, domain: string, problem: string): void {
  const rows = journal.all<{ seq: number; column_name: string; field: string; value: string }>(
    'SELECT seq, column_name, field, value FROM email WHERE run = $run AND domain = $domain',
    { run, domain },
  );
  for (const row of rows) {
    const { column_name: column, field, value } = row;
    const remedy = 'check the spelling after the @, or skip this check with --no-check-dns';
    rejectRow(journal, run, row.seq, [
      { column, field, value, code: 'email-domain', problem, remedy, personal: true },
    ]);
  }
}
