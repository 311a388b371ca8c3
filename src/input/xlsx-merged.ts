import type { SheetFindings } from './xlsx-findings.ts';
import { readReference } from './xlsx-reference.ts';

/** Above this row, cells merged side by side are titles and headings. */
const LAST_HEADING_ROW = 20;

/**
 * Notes a range of merged cells such as `B4:B7` unless it is harmless: a heading over several columns,
 * or below the last row that holds something. Ranges come after the rows.
 */
export function addMerged(range: string, findings: SheetFindings): void {
  const [from = '', to = ''] = range.split(':', 2);
  const first = readReference(from);
  const last = readReference(to);
  if (first === undefined || last === undefined || first.row > findings.lastFilled) return;
  const heading = last.row === first.row && first.row <= LAST_HEADING_ROW;
  if (heading || (last.row === first.row && last.column === first.column)) return;
  findings.merged.add(`${from}:${to}`);
}
