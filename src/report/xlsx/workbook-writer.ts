import { commentShapesXml, commentsXml, type SheetLayout, SheetWriter } from './sheet-writer.ts';
import { xmlAttribute } from './xlsx-escape.ts';
import { StyleSheet, TEXT_FORMAT } from './style-sheet.ts';
import { createZip, type WriteBytes, type ZipWriter } from './zip-writer.ts';

interface WorkbookOptions {
  /** In their order; the first is the one that is seen. */
  sheets: readonly { name: string; hidden?: boolean; commented?: boolean }[];
  /** Whether days are counted from 1904. */
  date1904?: boolean;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Writes a workbook in one pass: rows go out as they come, and only styles and comments are kept. */
export class WorkbookWriter {
  readonly styles = new StyleSheet();
  readonly #zip: ZipWriter;
  readonly #options: WorkbookOptions;
  #begun = 0;
  #sheet: SheetWriter | undefined;

  private constructor(zip: ZipWriter, options: WorkbookOptions) {
    this.#zip = zip;
    this.#options = options;
  }

  static async open(write: WriteBytes, options: WorkbookOptions): Promise<WorkbookWriter> {
    const workbook = new WorkbookWriter(createZip(write), options);
    // First, because programs tell the kind of a file by it.
    await workbook.#part('[Content_Types].xml', contentTypes(options));
    await workbook.#part('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]));
    await workbook.#part('xl/workbook.xml', workbookXml(options));
    const sheets = options.sheets.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const);
    await workbook.#part('xl/_rels/workbook.xml.rels', relations([...sheets, ['styles', 'styles.xml']]));
    return workbook;
  }

  get date1904(): boolean {
    return this.#options.date1904 === true;
  }

  /** Begins the next sheet with its header; the one before it has all its rows. */
  async begin(layout: SheetLayout): Promise<SheetWriter> {
    await this.#endSheet();
    const commented = this.#options.sheets[this.#begun]?.commented === true;
    this.#begun += 1;
    const part = await this.#zip.open(`xl/worksheets/sheet${this.#begun}.xml`);
    await part.write(XML);
    this.#sheet = new SheetWriter(part, layout, commented);
    await this.#sheet.start(this.#begun === 1, this.styles.index(TEXT_FORMAT, 'header'));
    return this.#sheet;
  }

  async #endSheet(): Promise<void> {
    const sheet = this.#sheet;
    if (sheet === undefined) return;
    await sheet.end();
    const at = this.#begun;
    if (!sheet.commented) return;
    const shapes = `drawings/vmlDrawing${at}.vml`;
    await this.#part(
      `xl/worksheets/_rels/sheet${at}.xml.rels`,
      relations([
        ['vmlDrawing', `../${shapes}`],
        ['comments', `../comments${at}.xml`],
      ]),
    );
    await this.#part(`xl/${shapes}`, commentShapesXml(sheet.comments));
    await this.#part(`xl/comments${at}.xml`, commentsXml(sheet.comments));
  }

  async end(): Promise<void> {
    await this.#endSheet();
    await this.#part('xl/styles.xml', this.styles.xml());
    await this.#zip.end();
  }

  async #part(name: string, xml: string): Promise<void> {
    const part = await this.#zip.open(name);
    await part.write(name.endsWith('.vml') ? xml : XML + xml);
    await part.close();
  }
}

function contentTypes({ sheets }: WorkbookOptions): string {
  const part = (name: string, type: string): string =>
    `<Override PartName="/xl/${name}.xml" ContentType="${TYPE}.${type}+xml"/>`;
  const parts = sheets.map(({ commented }, at) => {
    const sheet = part(`worksheets/sheet${at + 1}`, 'worksheet');
    return commented ? sheet + part(`comments${at + 1}`, 'comments') : sheet;
  });
  return (
    `<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>' +
    `${part('workbook', 'sheet.main')}${part('styles', 'styles')}${parts.join('')}</Types>`
  );
}

/** Links to parts, named `rId1` and so on. */
function relations(links: readonly (readonly [type: string, target: string])[]): string {
  const all = links.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${DOCUMENT}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
}

function workbookXml({ sheets, date1904 }: WorkbookOptions): string {
  const list = sheets.map(({ name, hidden }, at) => {
    const state = hidden ? ' state="hidden"' : '';
    return `<sheet name="${xmlAttribute(name)}" sheetId="${at + 1}"${state} r:id="rId${at + 1}"/>`;
  });
  return (
    `<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}">${date1904 ? '<workbookPr date1904="1"/>' : ''}` +
    `<bookViews><workbookView/></bookViews><sheets>${list.join('')}</sheets></workbook>`
  );
}
