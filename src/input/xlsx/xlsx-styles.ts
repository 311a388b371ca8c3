import type { InputError } from '../../errors.ts';
import { madeOnce } from '../../registration/model/maps.ts';
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

/** Format codes that a workbook names by number only, from a first number on. Those of East Asian locales are all dates. */
const BUILT_IN = new Map(
  [
    [1, '0 | 0.00 | #,##0 | #,##0.00'] as const,
    [9, '0% | 0.00% | 0.00E+00 | # ?/? | # ??/?? | mm-dd-yy | d-mmm-yy | d-mmm | mmm-yy'] as const,
    [18, 'h:mm AM/PM | h:mm:ss AM/PM | h:mm | h:mm:ss | m/d/yy h:mm'] as const,
    [37, '#,##0 ;(#,##0) | #,##0 ;[Red](#,##0) | #,##0.00;(#,##0.00) | #,##0.00;[Red](#,##0.00)'] as const,
    [45, 'mm:ss | [h]:mm:ss | mmss.0 | ##0.0E+0 | @'] as const,
  ].flatMap(([first, codes]) => codes.split(' | ').map((code, at) => [first + at, code] as const)),
);
const LOCAL_DATE = 'yyyy/m/d';

/** The format that a workbook means by this number, unless it gives a code of its own for it. */
export function builtInFormat(id: number): NumberFormat {
  const local = (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  const code = local ? LOCAL_DATE : BUILT_IN.get(id);
  return code === undefined ? GENERAL : readFormatCode(code);
}
