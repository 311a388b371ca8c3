/** What a spreadsheet program takes for a formula, and what it would take for our own escape of one. */
const FORMULA = /^'*[=+\-@\t\r]/;

/**
 * A value as a CSV cell. A value that a spreadsheet program would run as a formula gets a leading
 * `'`, and so does one that begins like such an escape: taking exactly one `'` off every cell that
 * matches `^'+[=+-@\t\r]` gives back the original. In quotes, `"` as a rule, where RFC 4180 asks for them.
 */
export function csvCell(value: string, delimiter: string, quote: string): string {
  return quoted(FORMULA.test(value) ? `'${value}` : value, delimiter, quote);
}

function quoted(text: string, delimiter: string, quote: string): string {
  const isQuoted = text.includes(delimiter) || text.includes(quote) || /[\r\n\uFEFF]/.test(text);
  return isQuoted ? quote + text.split(quote).join(quote + quote) + quote : text;
}

/**
 * One CSV record with its newline. A lone empty cell is quoted, because an empty line is no record. `isHarmless`: which
 * values need no escape whatever they begin with.
 */
export function csvLine(
  values: readonly string[],
  delimiter: string,
  quote: string,
  isHarmless: (at: number) => boolean = () => false,
): string {
  const line = values
    .map((value, at) => (isHarmless(at) ? quoted : csvCell)(value, delimiter, quote))
    .join(delimiter);
  return `${line === '' ? quote + quote : line}\n`;
}
