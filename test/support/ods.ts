import { type ZipFile, zip } from './zip.ts';

/** What stands in an OpenDocument spreadsheet, as XML. */
export interface OdsXml {
  /** What stands inside its body: tables. */
  tables: string;
  /** Inside `<office:automatic-styles>`. */
  styles?: string;
  /** Inside `<office:styles>` of a part of their own. */
  common?: string;
  /** What kind of document it is; a spreadsheet unless given. */
  kind?: string;
}

const NAMES = ['office', 'table', 'text', 'style', 'number', 'draw', 'calcext']
  .map((name) => ` xmlns:${name}="urn:${name}"`)
  .join('');

/** The parts of an OpenDocument file, to be zipped or spoilt first. */
export function odsParts({ tables, styles = '', common = '', kind = 'spreadsheet' }: OdsXml): ZipFile[] {
  return [
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', stored: true },
    {
      name: 'content.xml',
      content: `<?xml version="1.0" encoding="UTF-8"?><office:document-content${NAMES}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${tables}</office:${kind}></office:body></office:document-content>`,
    },
    {
      name: 'styles.xml',
      content: `<office:document-styles${NAMES}><office:styles>${common}</office:styles></office:document-styles>`,
    },
  ];
}

/** A spreadsheet of one table called Guests, by the XML of its rows, and of its columns before them. */
export function oneTable(rows: string, rest: Omit<OdsXml, 'tables'> = {}): Buffer {
  return zip(odsParts({ tables: table('Guests', rows), ...rest }));
}

/** A table by its name and XML. */
export function table(name: string, xml: string, style = 'ta1'): string {
  return `<table:table table:name="${name}" table:style-name="${style}">${xml}</table:table>`;
}

/** A row of these cells. */
export function row(cells: string, attributes = ''): string {
  return `<table:table-row ${attributes}>${cells}</table:table-row>`;
}

/** A text cell. */
export function told(text: string, attributes = ''): string {
  return `<table:table-cell office:value-type="string" ${attributes}><text:p>${text}</text:p></table:table-cell>`;
}

/** A cell of a type, with its stored value under the name of that. */
export function valued(type: string, value: string, attributes = '', text = 'shown'): string {
  return `<table:table-cell office:value-type="${type}" ${value} ${attributes}><text:p>${text}</text:p></table:table-cell>`;
}
