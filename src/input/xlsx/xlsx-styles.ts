import type { InputError } from '../../errors.ts';
import { madeOnce } from '../../registration/model/made-once.ts';
import type { NumberFormat } from '../../registration/model/sheet-cell.ts';
import { builtInFormat, GENERAL, readFormatCode } from './xlsx-number-format.ts';
import type { XmlAttributes, XmlReader } from './xlsx-xml.ts';

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
