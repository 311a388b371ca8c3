/** The delimiters that are looked for. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The most frequent number of cells in a row, the greater one of two that are equally frequent, and how many rows have it. */
interface Vote {
  width: number;
  rows: number;
}

const NARROWEST_TABLE = 3;
/** A preamble of more rows than a table is one that nobody writes. */
const LONGEST_PREAMBLE = 20;

/**
 * The delimiter that splits the rows best: the one with the greatest share of rows of equal width, of
 * these the one with the most cells. More than one where two are equally good; the comma where none
 * splits anything.
 */
export function electDelimiters(text: string, quote: string | undefined): readonly string[] {
  const all = DELIMITERS.map((delimiter) => ({ delimiter, widths: widthsOf(text, delimiter, quote) }));
  const split = all
    .map(({ delimiter, widths }) => ({ delimiter, ...mostFrequent(widths) }))
    .filter(({ width }) => width > 1);
  const tables = all.flatMap(({ delimiter, widths }) =>
    belowPreamble(widths).map((vote) => ({ delimiter, ...vote })),
  );
  const standing = split.length > 0 ? split : tables;
  const [best, ...others] = standing.sort((a, b) => b.rows - a.rows || b.width - a.width);
  const equals = others.filter((vote) => vote.rows === best?.rows && vote.width === best.width);
  return best === undefined ? [DELIMITERS[0]] : [best, ...equals].map(({ delimiter }) => delimiter);
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

function mostFrequent(widths: readonly number[]): Vote {
  const counts = new Map<number, number>();
  for (const width of widths) if (width > 0) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [[width, rows] = [0, 0]] = [...counts].sort(([a, some], [b, others]) => others - some || b - a);
  return { width, rows };
}

/** The vote of a small table below a preamble of more rows than it has itself. */
function belowPreamble(widths: readonly number[]): Vote[] {
  const table = mostFrequent(widths.filter((width) => width >= NARROWEST_TABLE));
  const above = widths.indexOf(table.width);
  const isUnanimous = table.rows > 1 && table.rows === widths.length - above;
  return isUnanimous && above < LONGEST_PREAMBLE ? [table] : [];
}
