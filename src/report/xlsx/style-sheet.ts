import { xmlAttribute } from './xlsx-escape.ts';

/** How a cell looks apart from its number format. */
const LOOKS = ['plain', 'header', 'wrong', 'wrapped'] as const;
type Look = (typeof LOOKS)[number];

/** The number format of texts: nothing typed into the cell is taken for a number or a date. */
export const TEXT_FORMAT = '@';
export const GENERAL_FORMAT = 'General';

/** Formats that every program knows by number. */
const BUILT_IN: ReadonlyMap<string, number> = new Map([
  [GENERAL_FORMAT, 0],
  [TEXT_FORMAT, 49],
]);
const FIRST_OWN = 164;
/** More and longer ones than these make spreadsheet programs call a file damaged. */
const MOST_FORMATS = 200;
const LONGEST_FORMAT = 255;

const FONTS =
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>';
const FILLS =
  '<fills count="3"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid">' +
  '<fgColor rgb="FFFFC7CE"/><bgColor indexed="64"/></patternFill></fill></fills>';
const BORDERS = '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>';
const WRAPPED = '<alignment vertical="top" wrapText="1"/>';

/** The styles of a workbook, each kept once. */
export class StyleSheet {
  readonly #formats = new Map<string, number>();
  readonly #styles = new Map<string, number>();
  readonly #xml: string[] = [];

  constructor() {
    this.index(GENERAL_FORMAT, 'plain');
  }

  /** The number by which cells name the style; 0 is that of cells that name none. */
  index(format: string, look: Look): number {
    const key = `${look} ${format}`;
    const known = this.#styles.get(key);
    if (known !== undefined) return known;
    const at = this.#xml.length;
    this.#styles.set(key, at);
    this.#xml.push(styleXml(this.#formatId(format), look));
    return at;
  }

  /** Whether cells can have the format: a workbook holds a limited number of them. */
  takes(format: string): boolean {
    if (BUILT_IN.has(format) || this.#formats.has(format)) return true;
    return format.length <= LONGEST_FORMAT && this.#formats.size < MOST_FORMATS;
  }

  #formatId(format: string): number {
    const known = BUILT_IN.get(format) ?? this.#formats.get(format);
    if (known !== undefined) return known;
    const id = FIRST_OWN + this.#formats.size;
    this.#formats.set(format, id);
    return id;
  }

  /** The whole part, once all styles are known. */
  xml(): string {
    const formats = [...this.#formats].map(
      ([code, id]) => `<numFmt numFmtId="${id}" formatCode="${xmlAttribute(code)}"/>`,
    );
    const own =
      formats.length === 0 ? '' : `<numFmts count="${formats.length}">${formats.join('')}</numFmts>`;
    return (
      '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
      `${own}${FONTS}${FILLS}${BORDERS}` +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs count="${this.#xml.length}">${this.#xml.join('')}</cellXfs>` +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    );
  }
}

function styleXml(formatId: number, look: Look): string {
  const font = look === 'header' ? 1 : 0;
  const fill = look === 'wrong' ? 2 : 0;
  const head =
    `<xf numFmtId="${formatId}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0"` +
    ' applyNumberFormat="1" applyFont="1" applyFill="1"';
  return look === 'wrapped' ? `${head} applyAlignment="1">${WRAPPED}</xf>` : `${head}/>`;
}
