import type { InputError } from '../../errors.ts';
import { madeOnce } from '../../registration/model/made-once.ts';
import type { NumberFormat } from '../../registration/model/sheet-cell.ts';
import type { XmlAttributes, XmlReader } from '../workbook/xml-feed.ts';
import { GENERAL, readFormatCode } from '../workbook/format-code.ts';

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

/** The format that a workbook means by this number, unless it gives a code of its own for it. */
export function builtInFormat(id: number): NumberFormat {
  const local = (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  const code = local ? LOCAL_DATE : BUILT_IN.get(id);
  return code === undefined ? GENERAL : readFormatCode(code);
}
