import { displayWidth } from '../words/display-width.ts';

const NARROWEST = 10;
const WIDEST = 50;
const ROOM = 2;

/** How wide a column is that shows these texts, in characters: neither too narrow to type in nor endless. */
export function columnWidth(texts: readonly string[]): number {
  // A character takes a column at least, or nothing: what is cut off of a long text is not needed.
  const widths = texts.map((text) => displayWidth(text.slice(0, WIDEST)) + ROOM);
  return Math.min(
    WIDEST,
    widths.reduce((widest, width) => Math.max(widest, width), NARROWEST),
  );
}
