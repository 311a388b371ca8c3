import type { Key } from './keyboard.ts';
import type { Paint } from '../report/words/paint.ts';
import { displayWidth } from '../report/words/display-width.ts';

export interface Look {
  /** Columns of a line, and lines of the whole. */
  width: number;
  height: number;
  paint: Paint;
  /** False while keys are not yet heard. */
  listens: boolean;
}

/** A question as it stands on the screen, with what has been typed so far. */
export interface Face<Answer> {
  draw(look: Look): string[];
  /** The answer, and how the line that stays says it; undefined while there is none. */
  press(key: Key): Answered<Answer> | undefined;
}

/** What the person said. */
export interface Answered<Answer> {
  answer: Answer;
  said: string;
}

/** Enter comes as one of two characters. */
export const isEnter = ({ name }: Key): boolean => name === 'return' || name === 'enter';

/** A question as it stands above what is typed or chosen. */
export const questionLines = (question: string, { width, paint }: Look): string[] =>
  hanging('? ', question, width).map((line) => paint('strong', line));

/** The keys that do something, or the room for them while none are heard. */
export const keyLines = (keys: string, { width, paint, listens }: Look): string[] =>
  (listens ? hanging('  ', keys, width) : ['']).map((line) => paint('faint', line));

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The characters of a text as people see them. */
export function characters(text: string): string[] {
  return Array.from(clusters.segment(text), ({ segment }) => segment);
}

/** Lines of at most `width` columns, broken between words; a longer word is broken where it must be. */
function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breakWord(word, width);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return [...lines, line];
}

/** Pieces of at most `width` columns, none empty but that of an empty word. */
function breakWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of characters(word)) {
    if (piece !== '' && displayWidth(piece + character) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** The text wrapped, with one mark before its first line, and as much room before the others. */
export function hanging(mark: string, text: string, width: number): string[] {
  const room = displayWidth(mark);
  return wrapWords(text, width - room).map((line, at) => `${at === 0 ? mark : ' '.repeat(room)}${line}`);
}
