import stringWidth from 'string-width';

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How many columns of a terminal a text takes. Expects text without control characters (see `visible`). */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

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
