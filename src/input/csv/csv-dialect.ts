import { InputError, UsageError } from '../../errors.ts';
import { answerOf, type ChoiceQuestion } from '../../registration/model/question.ts';

/** How a CSV text is written. */
export interface CsvDialect {
  delimiter: string;
  /** What encloses a cell, and is doubled inside it; undefined where no character does. */
  quote: string | undefined;
  /** Length in bytes of UTF-8 of a `sep=;` line in front of the header; 0 without one. */
  skipBytes: number;
  /** The physical line on which reading starts. */
  firstLine: number;
}

const SEP_LINE = /^"?sep=([^"\r\n])"?(?:\r\n|\n|\r|$)/i;

/** The `sep=;` line that the head of a text begins with, if it does; its length in bytes of UTF-8, the line end included. */
export function readSepLine(head: string): { delimiter: string; length: number } | undefined {
  const [line, delimiter] = SEP_LINE.exec(head) ?? [];
  return line === undefined || delimiter === undefined
    ? undefined
    : { delimiter, length: Buffer.byteLength(line) };
}

/** Reads `--set delimiter`: one character, or `tab` or `\t`. */
export function readDelimiterFlag(flag: string): string {
  if (flag === 'tab' || flag === '\\t') return '\t';
  if (!/^.$/u.test(flag) || /["\r\n\0]/.test(flag)) {
    throw new UsageError(`--set delimiter="${flag}" is not one character.`, {
      hint: 'Write for example --set delimiter=";" or --set delimiter=tab.',
    });
  }
  return flag;
}

/** Reads `--set quote`: one sign of ASCII, or `none`, which is undefined. */
export function readQuoteFlag(flag: string): string | undefined {
  if (flag === 'none') return undefined;
  if (!/^[!-/:-@[-`{-~]$/.test(flag)) {
    throw new UsageError(`--set quote=${JSON.stringify(flag)} is not one sign that can enclose a cell.`, {
      hint: `Write --set quote="'" or --set quote=none.`,
    });
  }
  return flag;
}

/** Throws an InputError when the same sign would both separate and enclose cells. */
export function refuseSameSigns(delimiter: string, quote: string | undefined, file: string): void {
  if (delimiter !== quote) return;
  throw new InputError(
    `${file}: ${nameDelimiter(delimiter)} cannot both separate the cells and enclose them.`,
    { hint: 'Choose another delimiter or quote with --set; --set quote=none is for files without quotes.' },
  );
}

/**
 * What to ask when several delimiters split equally well, or the file says another one of itself (`sepLine`) than it has.
 * `head`, its headings, shows what each makes of it.
 */
export function askDelimiter(
  delimiters: readonly string[],
  file: string,
  head: string,
  sepLine: string | undefined,
): ChoiceQuestion {
  const names = delimiters.map(nameDelimiter).join(' or by ');
  return {
    text:
      sepLine === undefined
        ? `${file}: the cells may be separated by ${names}: both fit equally well.`
        : `${file}: its first line says that cells are separated by ${nameDelimiter(sepLine)}, and its headings are not. By what are they?`,
    details: delimiters.map((delimiter) => `by ${nameDelimiter(delimiter)}: ${split(head, delimiter)}`),
    answers: delimiters.map((delimiter) => {
      const name = nameDelimiter(delimiter);
      return answerOf(`cells are separated by ${name}`, 'delimiter', delimiter, name);
    }),
  };
}

/** The cells of a line, for showing only: quotes stay. */
function split(line: string, delimiter: string): string {
  // A line for showing has its tabs escaped.
  return line
    .split(delimiter === '\t' ? '\\t' : delimiter)
    .map((cell) => `[${cell}]`)
    .join(' ');
}

/** A delimiter as people call it, and as `--set delimiter` takes it. */
export function nameDelimiter(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : `"${delimiter}"`;
}
