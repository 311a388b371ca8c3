/** What a spreadsheet program takes for a formula, and what it would take for our own escape of one. */
const FORMULA = /^'*[=+\-@\t\r]/;

/**
 * A value as a CSV cell. A value that a spreadsheet program would run as a formula gets a leading
 * `'`, and so does one that begins like such an escape: taking exactly one `'` off every cell that
 * matches `^'+[=+-@\t\r]` gives back the original. In quotes, `"` as a rule, where RFC 4180 asks for them.
 */
export function csvCell(value: string, delimiter: string, quote: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  const quoted = text.includes(delimiter) || text.includes(quote) || /[\r\n\uFEFF]/.test(text);
  return quoted ? quote + text.split(quote).join(quote + quote) + quote : text;
}

/** One CSV record with its newline. A lone empty cell is quoted, because an empty line is no record. */
export function csvLine(values: readonly string[], delimiter: string, quote: string): string {
  const line = values.map((value) => csvCell(value, delimiter, quote)).join(delimiter);
  return `${line === '' ? quote + quote : line}\n`;
}
