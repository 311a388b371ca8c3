import { conceptsOf } from '../columns/alias-index.ts';
import { looseName } from '../columns/loose-name.ts';
import { cellSource, showName } from '../columns/show-cells.ts';
import type { Cell } from '../../registration/model/row.ts';
import type { TableHeader } from './table-header.ts';

/** What values look like of which a heading speaks. */
const LOOKS = new Map<string, RegExp>([
  ['email', /@/],
  ...['phone', 'mobile', 'fax'].map((concept) => [concept, /^[+(]?\d[\d\s()./-]{4,}$/] as const),
  ...['website', 'linkedin'].map((concept) => [concept, /^(?:https?:|www\.)/i] as const),
  ['date_of_birth', /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/],
]);

/** A header, and rows that are wider than it. */
interface Wide {
  header: TableHeader;
  rows: readonly (readonly Cell[])[];
  knows: (heading: string) => boolean;
}

/**
 * Why a header lacks a delimiter, so that all columns behind it are moved; undefined where nothing shows that. The
 * values of which a heading speaks stand in a column behind it, or a heading is two, and nothing behind it says otherwise.
 */
export function whyHeaderIsShort(wide: Wide): string | undefined {
  const { columns } = wide.header;
  const moved = columns.findIndex((_, index) => movedTo(index, wide) !== undefined);
  const at = columns.findIndex((_, index) => isTwo(index, wide));
  const two = at < 0 ? '' : `"${showName(columns[at] ?? '')}" may be two headings.`;
  if (moved < 0)
    return at < 0 || columns.some((_, index) => index > at && isInPlace(index, wide)) ? undefined : two;
  const to = movedTo(moved, wide) ?? 0;
  const other = columns[wide.header.positions.indexOf(to)];
  const where = other === undefined ? `in column ${to + 1}` : `under "${showName(other)}"`;
  const which = two === '' ? 'One of the headings up to it may be two.' : two;
  return `What "${showName(columns[moved] ?? '')}" speaks of stands ${where}. ${which}`;
}

/** The place behind its own in which the values stand of which a heading speaks. */
function movedTo(index: number, { header: { columns, positions }, rows }: Wide): number | undefined {
  const look = lookOf(columns[index] ?? '');
  const at = positions[index] ?? 0;
  if (look === undefined || share(rows, at, look) !== 'few') return undefined;
  const most = Math.max(...rows.map((cells) => cells.length)) - (positions.at(-1) ?? 0) - 1;
  const found = Array.from({ length: most }, (_, step) => at + step + 1).find(
    (place) => share(rows, place, look) === 'most',
  );
  const other = found === undefined ? undefined : columns[positions.indexOf(found)];
  return lookOf(other ?? '') === look ? undefined : found;
}

/** Whether the values of which a heading speaks stand under it. */
function isInPlace(index: number, { header: { columns, positions }, rows }: Wide): boolean {
  const look = lookOf(columns[index] ?? '');
  return look !== undefined && share(rows, positions[index] ?? 0, look) === 'most';
}

/** Whether a heading holds two names that are known, without a delimiter: `first_name last_name`. */
function isTwo(index: number, { header: { columns, positions }, rows, knows }: Wide): boolean {
  const heading = columns[index] ?? '';
  if (knows(heading)) return false;
  return [...heading.matchAll(/[\s;,|]+/g)].some(({ index: from, 0: gap }) => {
    const parts = [heading.slice(0, from), heading.slice(from + gap.length)];
    // "Guest e-mail" over addresses is one.
    const look = lookOf(parts[1] ?? '');
    const isOne = look !== undefined && share(rows, positions[index] ?? 0, look) === 'most';
    return !isOne && parts.every((part) => part !== '' && knows(part));
  });
}

function lookOf(heading: string): RegExp | undefined {
  return conceptsOf(looseName(heading))
    .map((concept) => LOOKS.get(concept))
    .find((look) => look !== undefined);
}

/** How many of the cells of a column look so that hold anything. */
function share(rows: readonly (readonly Cell[])[], at: number, look: RegExp): 'none' | 'few' | 'most' {
  const filled = rows.map((cells) => cellSource(cells[at]).trim()).filter((text) => text !== '');
  if (filled.length === 0) return 'none';
  return filled.filter((text) => look.test(text)).length * 2 > filled.length ? 'most' : 'few';
}
