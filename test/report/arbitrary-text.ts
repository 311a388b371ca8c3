import * as fc from 'fast-check';

const NASTY = [
  '\u001B \u0000 \u007F \u009B \r \n \t \u202E \u2066 \u200F \u061C \u2028 \u200B \u200D \u200C \uFEFF \uD800 \uDC00',
  '\u{E0041} \uFE0F \u0301 = + - @ \' " , ; a é 名 한 ก क ् 👩 🏽 🇫 1',
].flatMap((characters) => characters.split(' '));

/** Text of any Unicode, lone surrogates included, rich in what drives terminals and spreadsheets. */
export function anyText(): fc.Arbitrary<string> {
  const nasty = fc.constantFrom(' ', ...NASTY);
  const unit = fc.oneof(nasty, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }));
  return fc.array(unit, { maxLength: 30 }).map((units) => units.join(''));
}
