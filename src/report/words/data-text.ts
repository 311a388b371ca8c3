/** Values as the text of JSON and CSV. */
import { replaceUnsafe } from './escape.ts';

/** What the runners of GitHub and Azure take for a command, wherever it stands in a line. */
const COMMANDS = /##(?=\[|vso\[)/g;

/**
 * A value as JSON on one line, safe to print: characters that drive or confuse a terminal, and what begins a command
 * of a runner, are written as `\uXXXX`, so that the text parses to the same value. Undefined is written as null.
 */
export function jsonText(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return safe(JSON.stringify(value, replacer) ?? 'null');
}

/** For `jsonText`: an id as a service writes it that has integers; here it is a text. */
export const integerId = (key: string, value: unknown): unknown =>
  key === 'registration_id' &&
  typeof value === 'string' &&
  /^(?:0|[1-9]\d{0,15})$/.test(value) &&
  Number.isSafeInteger(Number(value))
    ? Number(value)
    : value;

const safe = (json: string): string => replaceUnsafe(json, codeUnitEscapes).replace(COMMANDS, '\\u0023#');

/** A value as JSON over several lines, ending in a line break; as safe to print. */
export function prettyJson(value: unknown): string {
  // A line break in the text is the layout's own: inside strings JSON writes it as \n.
  const lines = JSON.stringify(value, undefined, 2).split('\n');
  return `${lines.map(safe).join('\n')}\n`;
}

function codeUnitEscapes(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

/**
 * Any value as the text of one cell: nothing for null and undefined, scalars as they are, an array
 * of scalars joined with `;`, everything else as JSON.
 */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isScalar(value)) return String(value);
  if (Array.isArray(value) && value.every((item) => isScalar(item))) return value.join(';');
  return jsonText(value);
}

function isScalar(value: unknown): value is string | number | boolean | bigint {
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
}

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
