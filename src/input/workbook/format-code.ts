import type { NumberFormat } from '../../registration/model/sheet-cell.ts';
import { firstSection } from '../../registration/repairs/digit-format.ts';

/** The format of a cell without any. */
export const GENERAL: NumberFormat = { code: 'General', kind: 'number', zeros: 0 };

/** What a format code makes of a number: `dd/mm/yyyy` a date, `0000000` a number of 7 digits. */
export function readFormatCode(code: string): NumberFormat {
  const pieces = [...firstSection(code)];
  const symbols = pieces.filter(({ kind }) => kind === 'symbol').map(({ text }) => text);
  // It counts hours, minutes or seconds beyond a day.
  const elapsed = pieces.some(({ kind, text }) => kind === 'bracket' && /^(?:h+|m+|s+)$/i.test(text));
  return { code, kind: elapsed ? 'span' : kindOf(symbols.join('')), zeros: countZeros(code) };
}

function kindOf(symbols: string): NumberFormat['kind'] {
  if (symbols.includes('general')) return 'number';
  if (symbols.includes('@')) return 'text';
  // The E of 0.00E+00 is no year.
  const letters = symbols.replaceAll(/e[+-]|am\/pm|a\/p/g, (word) => (word.startsWith('a') ? 'h' : ''));
  const time = /[hs]/.test(letters);
  const date = /[ydeb]|mmm/.test(letters) || (!time && letters.includes('m'));
  if (date) return time ? 'datetime' : 'date';
  if (!time) return 'number';
  return letters.includes('s') ? 'time' : 'clock';
}

/** Digits that a code of nothing but zeros fills up; colour and locale in front do not count. */
function countZeros(code: string): number {
  const section = code.split(';', 1)[0] ?? '';
  const plain = /^(?:\[(?:\$[^\]<>=]*|[a-z]+)\])?(0{2,})$/i.exec(section);
  return plain?.[1]?.length ?? 0;
}
