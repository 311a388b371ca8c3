import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMojibake } from '../../../src/registration/repairs/mojibake.ts';
import { listed } from '../../support/tables.ts';

const HIGH = Array.from('€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ');

/** UTF-8 read as Windows-1252. */
function misread(text: string): string {
  const bytes = Array.from(Buffer.from(text, 'utf8'));
  return bytes
    .map((byte) => (byte >= 0x80 && byte < 0xa0 ? HIGH[byte - 0x80] : String.fromCharCode(byte)))
    .join('');
}

describe('texts that were decoded wrongly once', () => {
  it.each([
    ['JosÃ©', 'Ã©', 'é'],
    ['PEÃ‘A', 'Ã‘', 'Ñ'],
    ['itâ€™s', 'â€™', '’'],
    ['KovaÄ‡', 'Ä‡', 'ć'],
    ['Å‚ukasz', 'Å‚', 'ł'],
    ['5 â‚¬', 'â‚¬', '€'],
    ['20 Â°C', 'Â°', '°'],
    ['voilÃ\u00A0', 'Ã\u00A0', 'à'],
    ['ðŸ˜€', 'ðŸ˜€', '😀'],
    ['ÐœÐ°Ñ€Ð¸Ñ\u008F', 'Ðœ', 'М'],
  ])('%s is one: %s was %s', (text, looks, was) => {
    expect(findMojibake(text)).toEqual({ looks, was });
  });

  it.each([
    '',
    ...listed(`
      José | Müller | Ångström | SÃO PAULO | São | CAFÉ’S | “CAFÉ” | ”LULEÅ” | À\u00A0la | Ð | â | Ærø |
      Straße™ | naïve… | © Ä | Ã | 日本 | Zoë’s | Çelik | É… | ГОСТ | à€€à€€
    `),
  ])('%s is none', (text) => {
    expect(findMojibake(text)).toBeUndefined();
  });

  it('are found for every letter of Western and Central Europe, wherever it stands', () => {
    for (let code = 0xc0; code < 0x180; code += 1) {
      const letter = String.fromCharCode(code);
      expect(findMojibake(misread(`a${letter}b`))).toEqual({ looks: misread(letter), was: letter });
    }
  });

  it('are told by what they were, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const found = findMojibake(text);
        if (found !== undefined)
          expect(misread(found.was)).toBe(
            found.looks.replace(/[\u0080-\u009F]/g, (c) => HIGH[c.charCodeAt(0) - 0x80] ?? ''),
          );
      }),
      { numRuns: 2000 },
    );
  });
});
