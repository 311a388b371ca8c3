const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

const ASCII = /^[ -~]*$/;
/** Characters that take no column of their own: marks, joiners. */
const NOTHING =
  /^(?:\p{Default_Ignorable_Code_Point}|\p{Control}|\p{Format}|\p{Nonspacing_Mark}|\p{Enclosing_Mark}|\p{Surrogate})+$/u;
/** Scripts and blocks whose characters take two columns. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Tangut}\p{Script=Nushu}\p{Script=Khitan_Small_Script}\p{Emoji_Presentation}\p{Regional_Indicator}\uFE0F\u{2E80}-\u{303E}\u{3040}-\u{4DFF}\u{A490}-\u{A4CF}\u{2329}\u{232A}\u{2630}-\u{2637}\u{268A}-\u{268F}\u{F900}-\u{FAFF}\u{FE10}-\u{FE19}\u{FE30}-\u{FE6F}\u{FF01}-\u{FF60}\u{FFE0}-\u{FFE6}\u{16FE0}-\u{191FF}\u{1AFF0}-\u{1B2FF}\u{1D300}-\u{1D376}\u{1F200}-\u{1F2FF}\u{1FA70}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
/** Marks beside their letter, as in Tamil: a column each. */
const SPACING_MARKS = /\p{Spacing_Mark}/gu;
/** In the wide blocks and scripts, and yet of one column. */
const HALF_WIDTH = /^[\uFF61-\uFFDC\uFFE8-\uFFEE]/u;

/** How many columns of a terminal a text takes. Expects text without control characters (see `visible`). */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of clusters.segment(text)) width += clusterWidth(segment);
  return width;
}

function clusterWidth(cluster: string): number {
  if (NOTHING.test(cluster)) return 0;
  const base = WIDE.test(cluster) && !HALF_WIDTH.test(cluster) ? 2 : 1;
  return base + (cluster.slice(1).match(SPACING_MARKS)?.length ?? 0);
}

/** The text if it fits into `width` columns, else as much of it as fits, ending in `…`. Never splits a character. */
export function fitWidth(text: string, width: number): string {
  if (width <= 0) return '';
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of clusters.segment(text)) {
    used += clusterWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
