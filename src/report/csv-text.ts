/** What a spreadsheet program takes for a formula, and what it would take for our own escape of one. */
const FORMULA = /^'*[=+\-@\t\r]/;

/**
 * A value as a CSV cell. A value that a spreadsheet program would run as a formula gets a leading
 * `'`, and so does one that begins like such an escape: taking exactly one `'` off every cell that
 * matches `^'+[=+-@\t\r]` gives back the original. Quoted where RFC 4180 asks for it.
 */
export function csvCell(value: string, delimiter: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  const quoted = text.includes(delimiter) || /["\r\n\uFEFF]/.test(text);
  return quoted ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One CSV record with its newline. A lone empty cell is quoted, because an empty line is no record. */
export function csvLine(values: readonly string[], delimiter: string): string {
  const line = values.map((value) => csvCell(value, delimiter)).join(delimiter);
  return `${line === '' ? '""' : line}\n`;
}
