import { cut, escapeUnseen } from '../../registration/model/cut.ts';
import type { Cell } from '../../registration/model/row.ts';
import { cellSource } from '../../registration/repairs/cell-text.ts';
import { platform } from 'node:os';
import { kebabOf, OTHERS, ROW_LEFT_OUT } from '../../registration/model/option-flags.ts';
import type { Answer } from '../../registration/model/question.ts';

/**
 * Text as one word of a command line. Single quotes where a shell would run what stands in double ones: on Windows that
 * is PowerShell alone, and cmd knows no others than double ones.
 */
export function shellWord(text: string, system: string = platform()): string {
  if (system === 'win32') return /["$`]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`;
}

/** A word that no shell reads otherwise. */
const PLAIN = /^[\w./:@+-][\w./:@+=-]*$/;

/** A text as one word of a command line, in quotes where a shell would read it otherwise. */
export function typedWord(text: string): string {
  return PLAIN.test(text) ? text : shellWord(text);
}

/** An answer as it is typed; undefined where no words of a command line give it: parts stand with `=` between them. */
export function typedAnswer({ flag, option, value }: Answer): string | undefined {
  if (flag !== undefined || typeof value !== 'object') return flag;
  if (value.slice(0, -1).some((part) => part.includes('='))) return undefined;
  const [setting, word] = partFlag(option, value);
  return `${setting} ${typedWord(word)}`;
}

/** The two words that give a part of an option. */
export function partFlag(option: string, path: readonly string[]): [flag: string, word: string] {
  const [heading = '', text = '', meaning = ''] = path;
  return meaning === ROW_LEFT_OUT && text !== OTHERS
    ? ['--where', `${heading}!=${text}`]
    : ['--set', `${kebabOf(option)}=${path.join('=')}`];
}

const LONGEST_NAME = 60;
/** Flags are to be pasted, so they keep names that messages cut. */
const LONGEST_FLAG = 200;
const LONGEST_CELL = 40;
const MOST_CELLS = 8;

/** A column's name for messages: at most 60 characters. */
export function showName(name: string): string {
  return cut(name, LONGEST_NAME);
}

/** The value of a flag as one word of a command line. */
export function flagWord(value: string): string {
  return shellWord(cut(value, LONGEST_FLAG));
}

/** The first cells of a record on one line: each in quotes, as `shape` has it, cut to 40 characters, nothing unseen left. */
export function showCells(cells: readonly Cell[], shape = (text: string): string => text): string {
  const last = cells.findLastIndex((cell) => cellSource(cell) !== '');
  const shown = cells
    .slice(0, Math.min(last + 1, MOST_CELLS))
    .map((cell) => `"${escapeUnseen(cut(shape(cellSource(cell)), LONGEST_CELL))}"`);
  return [...shown, ...(last >= MOST_CELLS ? ['…'] : [])].join(' ');
}
