import stringWidth from 'string-width';

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How many columns of a terminal a text takes. Expects text without control characters (see `visible`). */
export function displayWidth(text: string): number {
  return stringWidth(text.replace(SPACING_MARKS, 'x').replace(OTHER_MARKS, ''));
}

/** Letters that are written as one, as in Devanagari, have a column each all the same, and so have marks beside them. */
const SPACING_MARKS = /[\p{Mc}\u0E33\u0EB3]/gu;
/** All but those that make an emoji of what is before them. */
const OTHER_MARKS = /(?![\uFE0F\u20E3])[\p{Mn}\p{Me}]/gu;

/** The text if it fits into `width` columns, else as much of it as fits, ending in `…`. Never splits a character. */
export function fitWidth(text: string, width: number): string {
  if (width <= 0) return '';
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of clusters.segment(text)) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
