import { type ZipFile, zip } from './zip.ts';

/** A sheet by its XML: what stands inside `<worksheet>`. */
export interface SheetXml {
  name: string;
  xml: string;
  state?: 'hidden' | 'veryHidden';
  /** Last word of the type of its link; `worksheet` unless given. */
  type?: string;
}

export interface WorkbookXml {
  sheets: readonly SheetXml[];
  /** What stands inside `<sst>`; without, there is no such part. */
  strings?: string;
  /** What stands inside `<styleSheet>`; without, there is no such part. */
  styles?: string;
  date1904?: boolean;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The parts of a workbook, to be zipped or spoilt first. */
export function workbookParts(workbook: WorkbookXml): ZipFile[] {
  const { sheets, strings, styles } = workbook;
  const extra = [
    ...(strings === undefined ? [] : [part('sharedStrings', 'sst', strings)]),
    ...(styles === undefined ? [] : [part('styles', 'styleSheet', styles)]),
  ];
  const links = [
    ...sheets.map(({ type = 'worksheet' }, at) =>
      link(`rId${at + 1}`, type, `worksheets/sheet${at + 1}.xml`),
    ),
    ...(strings === undefined ? [] : [link('s1', 'sharedStrings', 'sharedStrings.xml')]),
    ...(styles === undefined ? [] : [link('s2', 'styles', '/xl/styles.xml')]),
  ];
  return [
    { name: '_rels/.rels', content: relationships([link('rId1', 'officeDocument', 'xl/workbook.xml')]) },
    { name: 'xl/workbook.xml', content: workbookXml(workbook) },
    { name: 'xl/_rels/workbook.xml.rels', content: relationships(links) },
    ...sheets.map(({ xml }, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      content: `<worksheet xmlns="${MAIN}">${xml}</worksheet>`,
    })),
    ...extra,
  ];
}

/** A workbook of one sheet called Guests, by the XML of its `<sheetData>`. */
export function oneSheet(rows: string, rest: Omit<WorkbookXml, 'sheets'> = {}): Buffer {
  return workbook({ sheets: [{ name: 'Guests', xml: `<sheetData>${rows}</sheetData>` }], ...rest });
}

export function workbook(contents: WorkbookXml): Buffer {
  return zip(workbookParts(contents));
}

/** An inline text cell; without a place it follows the last one. */
export function text(value: string, place?: string): string {
  const r = place === undefined ? '' : ` r="${place}"`;
  return `<c${r} t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
}

function part(name: string, root: string, xml: string): ZipFile {
  return { name: `xl/${name}.xml`, content: `<${root} xmlns="${MAIN}">${xml}</${root}>` };
}

function link(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${LINKS}/${type}" Target="${target}"/>`;
}

function relationships(links: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="${PACKAGE}">${links.join('')}</Relationships>`;
}

function workbookXml({ sheets, date1904 = false }: WorkbookXml): string {
  const list = sheets.map(({ name, state }, at) => {
    const hidden = state === undefined ? '' : ` state="${state}"`;
    return `<sheet name="${name}" sheetId="${at + 1}"${hidden} r:id="rId${at + 1}"/>`;
  });
  const properties = date1904 ? '<workbookPr date1904="1"/>' : '';
  return `<workbook xmlns="${MAIN}" xmlns:r="${LINKS}">${properties}<sheets>${list.join('')}</sheets></workbook>`;
}
