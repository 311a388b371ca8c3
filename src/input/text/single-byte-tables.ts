/** Encodings of one byte a character that spreadsheet programs write without saying so. */
export const SINGLE_BYTE_ENCODINGS = ['windows-1252', 'windows-1250', 'macintosh'] as const;
export type SingleByteEncoding = (typeof SINGLE_BYTE_ENCODINGS)[number];

/** Stands where a byte has no character. */
export const NO_CHARACTER = '\uFFFD';

/**
 * The characters of the bytes 0x80 to 0xFF, in order. Our own, because Node's TextDecoder reads 0x80 to
 * 0x9F of windows-1252 as control characters in many releases.
 */
export const UPPER_HALVES: Readonly<Record<SingleByteEncoding, string>> = {
  'windows-1252':
    '€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ' +
    '\u00A0¡¢£¤¥¦§¨©ª«¬\u00AD®¯°±²³´µ¶·¸¹º»¼½¾¿' +
    'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß' +
    'àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ',
  'windows-1250':
    '€\uFFFD‚\uFFFD„…†‡\uFFFD‰Š‹ŚŤŽŹ\uFFFD‘’“”•–—\uFFFD™š›śťžź' +
    '\u00A0ˇ˘Ł¤Ą¦§¨©Ş«¬\u00AD®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż' +
    'ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß' +
    'ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙',
  macintosh:
    'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü' +
    '†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø' +
    '¿¡¬√ƒ≈∆«»…\u00A0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ' +
    '‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uF8FFÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ',
};

/** Text of bytes in a single-byte encoding; bytes without a character become U+FFFD. */
export function decodeSingleBytes(bytes: Uint8Array, encoding: SingleByteEncoding): string {
  const upper = UPPER_HALVES[encoding];
  let text = '';
  for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : (upper[byte - 0x80] ?? '');
  return text;
}
