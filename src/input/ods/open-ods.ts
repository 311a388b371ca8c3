import { InputError } from '../../errors.ts';
import type { SheetRows } from '../workbook/sheet-rows.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { damagedWorkbook, oversizedWorkbook } from '../workbook/workbook-damage.ts';
import type { WorkbookPackage } from '../workbook/workbook-package.ts';
import { madeOnce } from '../../registration/model/maps.ts';
import type { NumberFormat } from '../../registration/model/sheet-cell.ts';
import { GENERAL, readFormatCode } from '../workbook/format-code.ts';
import type { XmlAttributes, XmlReader } from '../workbook/xml-feed.ts';
import { TableReader } from './table-reader.ts';

const CONTENT = 'content.xml';
const STYLES = 'styles.xml';
const MANIFEST = 'META-INF/manifest.xml';
const NO_PASSWORD =
  'Open it in LibreOffice with the password, choose File > Save As, take the tick off "Save with password", and use the new file.';
/** All sheets stand in one part, which is read anew for each of them. */
const MOST_READ = 4 * 1024 * 1024 * 1024;

/**
 * Opens an OpenDocument spreadsheet: everything but the rows; undefined for another kind of file in a zip.
 * Throws an InputError when it is damaged, beyond the limits, encrypted or no spreadsheet.
 */
export async function openOds(ods: WorkbookPackage): Promise<Workbook | undefined> {
  const { file } = ods.input;
  const document = new DocumentReader((what) => damagedWorkbook(file, what));
  if (ods.has(MANIFEST)) await ods.read(MANIFEST, 'manifest', document);
  if (document.isEncrypted) {
    throw new InputError(`${file}: this is an OpenDocument file (.ods) with a password.`, {
      hint: NO_PASSWORD,
    });
  }
  if (!ods.has(CONTENT)) return undefined;
  if (ods.has(STYLES)) await ods.read(STYLES, 'document-styles', document);
  const { kind, tables, hiddenTables } = await ods.read(CONTENT, 'document-content', document);
  if (kind !== 'spreadsheet') {
    const hint = 'Ask for the list as a spreadsheet or as CSV.';
    throw new InputError(`${file}: this is an OpenDocument file, but no spreadsheet.`, { hint });
  }
  if (tables.length * ods.sizeOf(CONTENT) > MOST_READ) {
    const count = tables.length.toLocaleString('en');
    throw oversizedWorkbook(file, `it holds ${count} sheets, which are too long for so many`);
  }
  const sheets = tables.map(({ name, style }, at) => ({
    name,
    hidden: hiddenTables.has(style),
    part: String(at),
  }));
  const parse = (part: string, rows: SheetRows): AsyncGenerator<void> =>
    parseTable(ods, new TableReader(Number(part), rows, (style) => document.format(style)));
  return { file, date1904: false, sheets, parse };
}

/** The whole part has been read before: it is whole, and what comes behind the table is of no use. */
async function* parseTable(ods: WorkbookPackage, table: TableReader): AsyncGenerator<void> {
  for await (const _ of ods.parse(CONTENT, 'document-content', table)) {
    yield;
    if (table.done) return;
  }
}

/** Names that are kept, and characters of one. */
const MOST_NAMES = 300_000;
const LONGEST_NAME = 255;
/** In characters; readers of codes know longer ones as too long. */
const LONGEST_CODE = 256;
/** What formats show beside numbers. */
const SHOWN = ['text', 'currency-symbol', 'embedded-text'];
/** What they show of a date or a time. */
const TIMES = ['day', 'month', 'year', 'hours', 'minutes', 'seconds'];
const SECTION = 2;
const ITEM = 3;
const PIECE = 4;

/** Reads what an OpenDocument file says besides its rows: styles, and the names of its tables. */
class DocumentReader implements XmlReader {
  /** What kind of document it is: `spreadsheet`, `text` and so on. */
  kind = '';
  isEncrypted = false;
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
  /** What it shows of a date or a time. */
  #shown = '';
  #literal = '';

  constructor(refuse: (what: string) => InputError) {
    this.#refuse = refuse;
  }

  open(name: string, attributes: XmlAttributes, depth: number): void {
    this.isEncrypted ||= name === 'encryption-data';
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
    if (SHOWN.includes(name)) {
      this.#code += `"${this.#literal.replaceAll('"', '')}"`;
      this.#literal = '';
    }
    const code = (timeCode(this.#shown) || this.#code).slice(0, LONGEST_CODE);
    if (depth === ITEM && code !== '') this.#codes.set(this.#style, code);
  }

  /** The format of a style of cells, or of the one that it builds on. Formats of one style are one object. */
  format(style: string): NumberFormat {
    return madeOnce(this.#formats, style, () => {
      let [code, parent] = this.#styles.get(style) ?? [];
      // Those that build on each other in a circle would do so without end.
      for (let at = 0; code === undefined && parent !== undefined && at < 100; at++)
        [code, parent] = this.#styles.get(parent) ?? [];
      const found = this.#codes.get(code ?? '') ?? GENERAL.code;
      return found === GENERAL.code ? GENERAL : readFormatCode(found);
    });
  }

  #openStyle(attributes: XmlAttributes): void {
    this.#style = this.#nameOf(attributes['style:name']);
    this.#code = '';
    this.#shown = attributes['number:truncate-on-overflow'] === 'false' ? 'all ' : '';
    const { 'style:data-style-name': format, 'style:parent-style-name': parent } = attributes;
    this.#styles.set(this.#style, [format && this.#nameOf(format), parent && this.#nameOf(parent)]);
  }

  #openPiece(name: string, attributes: XmlAttributes): void {
    this.#literal = '';
    if (attributes['table:display'] === 'false') this.hiddenTables.add(this.#style);
    // What is shown of numbers that are not negative.
    if (name === 'map' && /^value\(\)>=?0$/.test(attributes['style:condition'] ?? ''))
      this.#code = this.#codes.get(attributes['style:apply-style-name'] ?? '') ?? this.#code;
    if (name === 'number') this.#code += digits(attributes['number:min-integer-digits']);
    if (TIMES.includes(name)) this.#shown += `${name} `;
  }

  #nameOf(name = ''): string {
    this.#names += 1;
    if (this.#names > MOST_NAMES) throw this.#refuse('it holds too many styles or sheets');
    if (name.length > LONGEST_NAME) throw this.#refuse('the name of a sheet or style is too long');
    return name;
  }
}

/** `0000000` for seven digits at least. */
function digits(least: string | undefined): string {
  const count = Math.min(Number(least), LONGEST_CODE);
  return count > 1 ? '0'.repeat(count) : GENERAL.code;
}

/** The code for what is shown of a date or a time; empty where nothing is. */
function timeCode(shown: string): string {
  const date = /year|month|day/.test(shown) ? 'yyyy-mm-dd' : '';
  const seconds = shown.includes('seconds') ? ':ss' : '';
  const hours = shown.includes('all') ? '[hh]' : 'hh';
  return [date, /hours|minutes|seconds/.test(shown) ? `${hours}:mm${seconds}` : ''].join(' ').trim();
}
