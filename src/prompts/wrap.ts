import { displayWidth } from '../report/words/display-width.ts';

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The characters of a text as people see them. */
export function characters(text: string): string[] {
  return Array.from(clusters.segment(text), ({ segment }) => segment);
}

/** Lines of at most `width` columns, broken between words; a longer word is broken where it must be. */
export function wrapWords(text: string, width: number): string[] {
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
