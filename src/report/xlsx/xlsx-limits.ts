import { UsageError } from '../../errors.ts';
import { OWN_SHEETS } from '../../registration/model/own-names.ts';
import { MOST_COLUMNS } from '../../registration/model/sheet-cell.ts';

const LONGEST_NAME = 31;

export function rowLimitError(): UsageError {
  return new UsageError('There are more rows than a sheet can hold, which is 1,048,576 with the header.', {
    hint: 'Use csv.',
  });
}

/** Throws when there are more columns than a sheet can hold. */
export function checkColumns(columns: readonly string[]): void {
  if (columns.length <= MOST_COLUMNS) return;
  throw new UsageError('There are more columns than a sheet can hold, which is 16,384.', {
    hint: 'Use json.',
  });
}

/** A text as the name of a sheet for rows: what spreadsheet programs refuse is replaced or left out. */
export function legalSheetName(text: string): string {
  const allowed = text
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu, '')
    .replaceAll(/[[\]:*?/\\]/g, '_')
    .trim();
  const short = cutUnits(allowed.replace(/^'+/, ''), LONGEST_NAME).replace(/'+$/, '').trim();
  const taken = ['history', ...OWN_SHEETS].includes(short.toLowerCase());
  return short === '' || taken ? 'Registrations' : short;
}

/** Never leaves half a surrogate pair. */
function cutUnits(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}
