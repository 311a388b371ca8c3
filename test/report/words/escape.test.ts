import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible } from '../../../src/report/words/escape.ts';
import { anyText } from '../arbitrary-text.ts';

describe('visible', () => {
  it.each([
    ['\u001B[2J', String.raw`\u{1b}[2J`],
    ['a\nb\tc\rd', String.raw`a\nb\tc\rd`],
    ['\u0000\u0007\u007F\u0085\u009B', String.raw`\u{0}\u{7}\u{7f}\u{85}\u{9b}`],
    [
      '\u202Eevil\u202C\u2066\u2069\u200E\u200F\u061C',
      String.raw`\u{202e}evil\u{202c}\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}`,
    ],
    ['\u2028\u2029\uFEFF\u200B\u2060\u00AD', String.raw`\u{2028}\u{2029}\u{feff}\u{200b}\u{2060}\u{ad}`],
    ['\uD800x\uDC00', String.raw`\u{d800}x\u{dc00}`],
    ['a\u200D', String.raw`a\u{200d}`],
    ['1\u200C2', String.raw`1\u{200c}2`],
    ['hi\u{E0041}', String.raw`hi\u{e0041}`],
  ])('shows what cannot be seen in %j', (text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it.each([
    'plain',
    String.raw`C:\new\table`,
    'José Ñandú',
    '山田 太郎',
    'می\u200Cخواهم',
    'ක්\u200Dෂ',
    '👨\u200D👩\u200D👧 ❤\uFE0F 👩🏽\u200D🚀',
    '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  ])('leaves %j untouched', (text) => {
    expect(visible(text)).toBe(text);
  });

  it('never lets a control or bidi character through, whatever the text', () => {
    const forbidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069\u200B\u200E\u200F\u061C\uFEFF]/u;
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(visible(text)).not.toMatch(forbidden);
        expect(visible(visible(text))).toBe(visible(text));
      }),
      { numRuns: 1_000 },
    );
  });
});
