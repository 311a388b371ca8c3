import { InputError, UsageError } from '../errors.ts';

/** How a CSV text is written. */
export interface CsvDialect {
  delimiter: string;
  /** Length in bytes of a `sep=;` line in front of the header; 0 without one. */
  skipBytes: number;
  /** The physical line on which reading starts. */
  firstLine: number;
}

const CANDIDATES = [',', ';', '\t', '|'] as const;
/** How much of a file is looked at. */
export const DIALECT_SAMPLE = 64 * 1024;
const SEP_LINE = /^"?sep=([^"\r\n])"?(?:\r\n|\n|\r|$)/i;

/**
 * Finds the delimiter: the flag, else a `sep=;` line, else the most consistent split of the head.
 * `ended` says that the head is the whole text. Throws an InputError when two delimiters fit equally.
 */
export function detectDialect(
  head: Buffer,
  ended: boolean,
  flag: string | undefined,
  file: string,
): CsvDialect {
  const text = head.subarray(0, DIALECT_SAMPLE).toString();
  const whole = ended && head.length <= DIALECT_SAMPLE;
  const sepLine = SEP_LINE.exec(text);
  const place = sepLine === null ? { skipBytes: 0, firstLine: 1 } : afterSepLine(sepLine[0]);
  const known = flag === undefined ? sepLine?.[1] : readDelimiterFlag(flag);
  const sample = text.slice(sepLine?.[0].length ?? 0);
  return { delimiter: known ?? voteDelimiter(sample, whole, file), ...place };
}

function afterSepLine(line: string): { skipBytes: number; firstLine: number } {
  return { skipBytes: Buffer.byteLength(line), firstLine: 2 };
}

/** Reads `--delimiter`: one character, or `tab` or `\t`. */
export function readDelimiterFlag(flag: string): string {
  if (flag === 'tab' || flag === '\\t') return '\t';
  if (!/^.$/u.test(flag) || /["\r\n\0]/.test(flag)) {
    throw new UsageError(`--delimiter "${flag}" is not one character.`, {
      hint: 'Write for example --delimiter ";" or --delimiter tab.',
    });
  }
  return flag;
}

interface Vote {
  delimiter: string;
  /** Cells of the header. */
  width: number;
  /** Share of the rows that are as wide as the header, 0 to 1. */
  agreement: number;
}

function voteDelimiter(sample: string, whole: boolean, file: string): string {
  const votes = CANDIDATES.map((delimiter) => countVotes(sample, delimiter, whole))
    .filter((vote) => vote.width > 1)
    .sort((a, b) => b.agreement - a.agreement || b.width - a.width);
  const [best, second] = votes;
  if (best === undefined) return ',';
  if (second !== undefined && second.agreement === best.agreement && second.width === best.width) {
    throw new InputError(
      `${file}: the cells may be separated by ${nameDelimiter(best.delimiter)} or by ${nameDelimiter(second.delimiter)}: both fit equally well.`,
      { hint: `Say which with --delimiter, for example --delimiter ${nameDelimiter(best.delimiter)}.` },
    );
  }
  return best.delimiter;
}

function countVotes(sample: string, delimiter: string, whole: boolean): Vote {
  const widths = rowWidths(sample, delimiter);
  // The end of the sample cuts the last row.
  if (!whole && widths.length > 1) widths.pop();
  const width = widths[0] ?? 0;
  const agreeing = widths.filter((other) => other === width).length;
  return { delimiter, width, agreement: widths.length === 0 ? 0 : agreeing / widths.length };
}

/** Cells of each row that is not empty; 0 for a row whose quotes make no sense with this delimiter. */
function rowWidths(sample: string, delimiter: string): number[] {
  const widths: number[] = [];
  let at = 0;
  while (at < sample.length) {
    const row = measureRow(sample, at, delimiter);
    if (row.end > at) widths.push(row.sound ? row.cells : 0);
    at = row.end + 1;
  }
  return widths;
}

/** Walks over one row and returns the index of its line end. */
function measureRow(
  sample: string,
  start: number,
  delimiter: string,
): { end: number; cells: number; sound: boolean } {
  let cells = 1;
  let sound = true;
  let cellStart = true;
  let at = start;
  for (; at < sample.length; at++) {
    const character = sample.charAt(at);
    if (character === '\n' || character === '\r') break;
    if (character === delimiter) cells++;
    if (character === '"') {
      if (cellStart) at = closingQuote(sample, at);
      sound &&= cellStart && endsCell(sample.charAt(at + 1), delimiter);
    }
    cellStart = character === delimiter;
  }
  return { end: at, cells, sound };
}

/** Index of the quote that closes the cell, or the length of the sample. */
function closingQuote(sample: string, opening: number): number {
  let at = sample.indexOf('"', opening + 1);
  while (at !== -1 && sample.charAt(at + 1) === '"') at = sample.indexOf('"', at + 2);
  return at === -1 ? sample.length : at;
}

function endsCell(character: string, delimiter: string): boolean {
  return character === '' || character === delimiter || character === '\n' || character === '\r';
}

/** A delimiter as people call it, and as `--delimiter` takes it. */
export function nameDelimiter(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : `"${delimiter}"`;
}
