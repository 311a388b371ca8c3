import { type Mended, mend } from './mended.ts';

const WHOLE = /^(\d+)\.0+$/;
/** `12.000` is twelve to some and twelve thousand to others. */
const GROUPED = /^\d{1,3}\.000$/;
const DIGITS = /^\d+$/;

/** Takes off decimals that are nothing: `12345.0`. */
export function dropZeroDecimals(text: Mended): Mended {
  if (!text.value.endsWith('0') || GROUPED.test(text.value)) return text;
  const whole = WHOLE.exec(text.value)?.[1];
  return whole === undefined ? text : mend(text, whole, 'decimals of nothing removed');
}

/** Puts zeros in front of shorter numbers; other texts stay as they are. */
export function padDigits(text: Mended, width: number | undefined): Mended {
  if (width === undefined || text.value.length >= width || !DIGITS.test(text.value)) return text;
  return mend(text, text.value.padStart(width, '0'), `zeros put in front up to ${width} digits`);
}
