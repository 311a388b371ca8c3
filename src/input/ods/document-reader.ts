import type { InputError } from '../../errors.ts';
import { madeOnce } from '../../registration/model/made-once.ts';
import type { NumberFormat } from '../../registration/model/sheet-cell.ts';
import { GENERAL, readFormatCode } from '../workbook/format-code.ts';
import type { XmlAttributes, XmlReader } from '../workbook/xml-feed.ts';

/** Names that are kept, and characters of one. */
const MOST_NAMES = 300_000;
const LONGEST_NAME = 255;
/** In characters; readers of codes know longer ones as too long. */
const LONGEST_CODE = 256;
/** Styles build on each other; in a circle they would without end. */
const MOST_PARENTS = 100;
const SECTION = 2;
const ITEM = 3;
const PIECE = 4;

/** The pieces of a number format, as the codes of other workbooks write them: short, and long. */
const PIECES = new Map([
  ['day', 'd dd'],
  ['month', 'm mm'],
  ['month by name', 'mmm mmmm'],
  ['year', 'yy yyyy'],
  ['day-of-week', 'ddd dddd'],
  ['hours', 'h hh'],
  ['minutes', 'm mm'],
  ['seconds', 's ss'],
  ['am-pm', 'AM/PM'],
  ['boolean', 'General'],
  ['fraction', '?/?'],
  ['scientific-number', '0E+00'],
  ['text-content', '@'],
]);

/** Reads what an OpenDocument file says besides its rows: styles, and the names of its tables. */
export class DocumentReader implements XmlReader {
  /** What kind of document it is: `spreadsheet`, `text` and so on. */
  kind = '';
  readonly tables: { name: string; style: string }[] = [];
  readonly hiddenTables = new Set<string>();
  /** What a style names as its format, and what it builds on. */
  readonly #styles = new Map<string, readonly (string | undefined)[]>();
  readonly #codes = new Map<string, string>();
  readonly #formats = new Map<string, NumberFormat>();
  readonly #refuse: (what: string) => InputError;
  #names = 0;
  #inBody = false;
  #style = '';
  #code = '';
  #elapsed = false;
  #literal = '';

  constructor(refuse: (what: string) => InputError) {
    this.#refuse = refuse;
  }

  open(name: string, attributes: XmlAttributes, depth: number): void {
    if (depth === SECTION) this.#inBody = name === 'body';
    else if (depth === ITEM && this.#inBody) this.kind = name;
    else if (depth === ITEM) this.#openStyle(attributes);
    else if (depth === PIECE && !this.#inBody) this.#openPiece(name, attributes);
    else if (depth === PIECE && name === 'table') {
      const { 'table:name': table, 'table:style-name': style } = attributes;
      this.tables.push({ name: this.#nameOf(table), style: this.#nameOf(style) });
    }
  }

  text(text: string): void {
    if (!this.#inBody) this.#literal = (this.#literal + text).slice(0, LONGEST_CODE);
  }

  close(name: string, depth: number): void {
    if (this.#inBody) return;
    const isShown = depth === PIECE && (name === 'text' || name === 'currency-symbol');
    if (isShown) this.#add(`"${this.#literal.replaceAll('"', '')}"`);
    if (depth === ITEM && this.#code !== '') this.#codes.set(this.#style, this.#code);
  }

  /** The format of a style of cells. Formats of one style are one object. */
  format(style: string): NumberFormat {
    return madeOnce(this.#formats, style, () => {
      let [code, parent] = this.#styles.get(style) ?? [];
      for (let at = 0; code === undefined && parent !== undefined && at < MOST_PARENTS; at++)
        [code, parent] = this.#styles.get(parent) ?? [];
      const found = this.#codes.get(code ?? '') ?? GENERAL.code;
      return found === GENERAL.code ? GENERAL : readFormatCode(found);
    });
  }

  #openStyle(attributes: XmlAttributes): void {
    this.#style = this.#nameOf(attributes['style:name']);
    this.#code = '';
    // A time that goes on beyond a day.
    this.#elapsed = attributes['number:truncate-on-overflow'] === 'false';
    const { 'style:data-style-name': format, 'style:parent-style-name': parent } = attributes;
    this.#styles.set(this.#style, [format && this.#nameOf(format), parent && this.#nameOf(parent)]);
  }

  #openPiece(name: string, attributes: XmlAttributes): void {
    this.#literal = '';
    if (attributes['table:display'] === 'false') this.hiddenTables.add(this.#style);
    // What is shown of numbers that are not negative.
    if (name === 'map' && /^value\(\)>=?0$/.test(attributes['style:condition'] ?? ''))
      this.#code = this.#codes.get(attributes['style:apply-style-name'] ?? '') ?? this.#code;
    const isName = attributes['number:textual'] === 'true';
    const [short = '', long = short] = PIECES.get(isName ? `${name} by name` : name)?.split(' ') ?? [];
    const piece = attributes['number:style'] === 'long' ? long : short;
    this.#add(name === 'number' ? digits(attributes) : this.#elapsed && piece !== '' ? `[${piece}]` : piece);
    this.#elapsed &&= piece === '';
  }

  #nameOf(name = ''): string {
    this.#names += 1;
    if (this.#names > MOST_NAMES) throw this.#refuse('it holds too many styles or sheets');
    if (name.length > LONGEST_NAME) throw this.#refuse('the name of a sheet or style is too long');
    return name;
  }

  #add(piece: string): void {
    this.#code = (this.#code + piece).slice(0, LONGEST_CODE);
  }
}

/** `0000000` for seven digits at least; General where nothing but the number is shown. */
function digits(attributes: XmlAttributes): string {
  const zeros = (name: string): string =>
    '0'.repeat(Math.min(Number(attributes[name] ?? 0), LONGEST_CODE) || 0);
  const least = zeros('number:min-integer-digits');
  const decimals = zeros('number:decimal-places');
  if (attributes['number:grouping'] === 'true') return '#,##0';
  if (least.length < 2 && attributes['number:decimal-places'] === undefined) return GENERAL.code;
  return (least || '#') + (decimals === '' ? '' : `.${decimals}`);
}
