/** The delimiters that are looked for. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;

/** How well a delimiter splits a text. */
export interface DelimiterVote {
  delimiter: string;
  /** The most frequent number of cells in a row; the greater one of two that are equally frequent. */
  width: number;
  /** How many rows have it, of how many. */
  rows: number;
  allRows: number;
  /** As the width and its rows, but for the rows of three cells and more. */
  table: { width: number; rows: number; firstRow: number };
}

const NARROWEST_TABLE = 3;

/** Counts, for every delimiter, how many cells the rows of a text have. */
export function voteOnDelimiters(text: string, quote: string | undefined): readonly DelimiterVote[] {
  return DELIMITERS.map((delimiter) => {
    const widths = widthsOf(text, delimiter, quote);
    const table = mostFrequent(widths, NARROWEST_TABLE);
    const firstRow = widths.indexOf(table.width) + 1;
    return {
      delimiter,
      ...mostFrequent(widths, 1),
      allRows: widths.length,
      table: { ...table, firstRow },
    };
  });
}

/**
 * The number of cells of each row that is not empty, up to the first whose quotes make no sense with the delimiter:
 * there the strict reader stops as well.
 */
function widthsOf(text: string, delimiter: string, quote: string | undefined): number[] {
  const cell = cellPattern(delimiter, quote);
  const widths: number[] = [];
  let width = 0;
  while (cell.lastIndex < text.length) {
    const [whole, end] = cell.exec(text) ?? [];
    if (end === undefined) return [...widths, 0];
    width += 1;
    if (end === delimiter && cell.lastIndex < text.length) continue;
    if (end === delimiter) width += 1;
    if (width > 1 || whole !== end) widths.push(width);
    width = 0;
  }
  return widths;
}

/** A cell, and what ends it. One may begin as `="4711"`, by which shops keep Excel from making a number of a text. */
function cellPattern(delimiter: string, quote: string | undefined): RegExp {
  const [separator, enclosure] = [delimiter, quote ?? ''].map((sign) => sign.replace(/\W/, '\\$&'));
  const other = `[^${enclosure}]*`;
  const enclosed = `${quote === '"' ? '=?' : ''}${enclosure}${other}(?:${enclosure}${enclosure}${other})*${enclosure}`;
  const plain = `[^${separator}${enclosure}\\r\\n]*`;
  const content = quote === undefined ? plain : `(?:${enclosed}|${plain})`;
  return new RegExp(`${content}(${separator}|\\r\\n?|\\n|$)`, 'y');
}

function mostFrequent(widths: readonly number[], least: number): { width: number; rows: number } {
  const counts = new Map<number, number>();
  for (const width of widths) if (width >= least) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [best] = [...counts].sort(([a, some], [b, others]) => others - some || b - a);
  return { width: best?.[0] ?? least, rows: best?.[1] ?? 0 };
}
