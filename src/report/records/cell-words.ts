import { cellText } from '../words/data-text.ts';
import type { Meaning } from '../words/paint.ts';
import { type Here, timeInWords } from '../words/time-words.ts';

/** Columns by which something is found again, and which are copied. */
const ID = /^(?:id|run|slug|persona|trigger|undoes|clone|continued_by)$|(?:_id|barcode)$/;
const TIME = /^(?:started|made|ended|at|received)$|_at$/;

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** States and results, by what they say. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  ...meaning('done', [
    'done',
    'finished',
    'sent',
    'accepted',
    'unchanged',
    'deleted',
    'restored',
    'delivered',
    'ok',
  ]),
  ...meaning('waiting', [
    'uncertain',
    'interrupted',
    'pending',
    'sending',
    'blocked',
    'postponed',
    'under way',
    'waiting',
    'unknown',
  ]),
  ...meaning('refused', [
    'failed',
    'rejected',
    'conflict',
    'stopped',
    'killed',
    'refused',
    'dead',
    'problem',
  ]),
};
const STATE = /^(?:state|result)$/;

/** Half an id leads nowhere, and half a state says another one. */
export const isNeverCut = (column: string): boolean => ID.test(column) || STATE.test(column);

/** The text of a cell on a terminal: times in words, all else as it is. */
export function cellWords(column: string, value: unknown, here: Here | undefined): string {
  const text = cellText(value);
  return here !== undefined && TIME.test(column) && ISO_TIME.test(text)
    ? timeInWords(Date.parse(text), here)
    : text;
}

export const meaningOf = (column: string, text: string): Meaning | undefined =>
  STATE.test(column) && Object.hasOwn(MEANINGS, text) ? MEANINGS[text] : undefined;

function meaning(what: Meaning, texts: readonly string[]): Record<string, Meaning> {
  return Object.fromEntries(texts.map((text) => [text, what]));
}
