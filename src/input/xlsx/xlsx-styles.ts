import type { InputError } from '../../errors.ts';
import { madeOnce } from '../../registration/model/made-once.ts';
import type { NumberFormat } from '../../registration/model/sheet-cell.ts';
import type { XmlAttributes, XmlReader } from './xlsx-xml.ts';
import { firstSection } from '../../registration/repairs/digit-format.ts';

/** Excel stops at 65,490. */
const MOST_STYLES = 100_000;
/** As Excel has it. Each cell that is kept carries its code. */
const LONGEST_CODE = 255;
const ROOT = 1;
const LIST = 2;
const ITEM = 3;

/** Reads the number formats out of the styles of a workbook. */
export class StylesReader implements XmlReader {
  readonly #codes = new Map<number, string>();
  readonly #ids: number[] = [];
  readonly #refuse: (what: string) => InputError;
  #list = '';

  constructor(refuse: (what: string) => InputError) {
    this.#refuse = refuse;
  }

  open(name: string, attributes: XmlAttributes, depth: number): void {
    if (depth === LIST) this.#list = name;
    if (depth !== ITEM) return;
    const id = Number(attributes['numFmtId'] ?? 0);
    if (this.#list === 'numFmts' && name === 'numFmt') this.#codes.set(id, attributes['formatCode'] ?? '');
    if (this.#list === 'cellXfs' && name === 'xf') this.#ids.push(id);
    if (this.#ids.length + this.#codes.size > MOST_STYLES) throw this.#refuse('it holds too many styles');
  }

  close(_name: string, depth: number): void {
    if (depth === ROOT) this.#list = '';
  }

  /** The formats by the number that cells refer to them with. Formats of one number are one object. */
  formats(): readonly NumberFormat[] {
    const known = new Map<number, NumberFormat>();
    return this.#ids.map((id) => madeOnce(known, id, () => this.#format(id)));
  }

  #format(id: number): NumberFormat {
    const code = this.#codes.get(id);
    if (code === undefined) return builtInFormat(id);
    if (code.length > LONGEST_CODE) {
      throw this.#refuse(`it holds a number format of more than ${LONGEST_CODE} characters`);
    }
    return code.toLowerCase() === 'general' ? GENERAL : readFormatCode(code);
  }
}

/** Format codes that a workbook names by number only. Those of East Asian locales are all dates. */
const BUILT_IN = new Map<number, string>([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [14, 'mm-dd-yy'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'm/d/yy h:mm'],
  [37, '#,##0 ;(#,##0)'],
  [38, '#,##0 ;[Red](#,##0)'],
  [39, '#,##0.00;(#,##0.00)'],
  [40, '#,##0.00;[Red](#,##0.00)'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mmss.0'],
  [48, '##0.0E+0'],
  [49, '@'],
]);
const LOCAL_DATE = 'yyyy/m/d';

/** The format of a cell without any. */
export const GENERAL: NumberFormat = { code: 'General', kind: 'number', zeros: 0 };

/** The format that a workbook means by this number, unless it gives a code of its own for it. */
export function builtInFormat(id: number): NumberFormat {
  const local = (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  const code = local ? LOCAL_DATE : BUILT_IN.get(id);
  return code === undefined ? GENERAL : readFormatCode(code);
}

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
