const PLAIN = /^[\u0020-\u007E]*$/;

/** Takes no room of its own: marks drawn over their base, and what is not drawn. */
const ZERO = /[\p{Mn}\p{Me}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/** East Asian Width W and F, assigned or not, and what is shown as an emoji by default. */
const WIDE = new RegExp(
  '[' +
    [
      String.raw`\u1100-\u115F\u2329\u232A\u2630-\u2637\u268A-\u268F\u2E80-\u303E\u3041-\u3247\u3250-\uA4CF`,
      String.raw`\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60`,
      String.raw`\uFFE0-\uFFE6\u{16FE0}-\u{191FF}\u{1AFF0}-\u{1B2FF}\u{1D300}-\u{1D376}`,
      String.raw`\u{1F1AE}\u{1F200}-\u{1F265}\u{1F6D9}\u{1F7DA}\u{1FA70}-\u{1FAFF}\u{20000}-\u{3FFFD}\p{Emoji_Presentation}`,
    ].join('') +
    ']',
  'u',
);

/** Clusters that terminals draw as one emoji: joined, coloured, keycaps, flags, chosen by U+FE0F. */
const EMOJI_SEQUENCE =
  /\p{Extended_Pictographic}.*(?:\u200D|\uFE0F|\p{Emoji_Modifier})|\u20E3|^\p{Regional_Indicator}{2}/su;

/** Vowels and finals of decomposed Hangul: drawn inside the syllable that a leading consonant opens. */
const HANGUL_TAIL = /[\u1160-\u11FF\uD7B0-\uD7FB]/u;

/** Only such text needs to be split into clusters, which is slow; in any other, a character is a cluster. */
const JOINED = new RegExp(
  String.raw`${ZERO.source}|[\p{M}\p{Extended_Pictographic}\p{Regional_Indicator}\uFF9E\uFF9F]|${HANGUL_TAIL.source}`,
  'u',
);

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How many columns of a terminal a text takes. Expects text without control characters (see `visible`). */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  if (!JOINED.test(text)) return totalWidth(text);
  let width = 0;
  for (const { segment } of clusters.segment(text)) width += clusterWidth(segment);
  return width;
}

/** The text if it fits into `width` columns, else as much of it as fits, ending in `…`. Never splits a character. */
export function fitWidth(text: string, width: number): string {
  if (width <= 0) return '';
  if (displayWidth(text) <= width) return text;
  if (PLAIN.test(text)) return `${text.slice(0, width - 1)}…`;
  let kept = '';
  let used = 0;
  for (const { segment } of clusters.segment(text)) {
    used += clusterWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

function clusterWidth(cluster: string): number {
  if (PLAIN.test(cluster)) return cluster.length;
  if (EMOJI_SEQUENCE.test(cluster)) return 2;
  return totalWidth(cluster);
}

function totalWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (PLAIN.test(character)) width += 1;
    else if (!(width > 0 && HANGUL_TAIL.test(character)) && !ZERO.test(character)) {
      width += WIDE.test(character) ? 2 : 1;
    }
  }
  return width;
}
