import { InputError } from '../../errors.ts';
import type { SheetRows } from '../workbook/sheet-rows.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { damagedWorkbook, oversizedWorkbook } from '../workbook/workbook-damage.ts';
import type { WorkbookPackage } from '../workbook/workbook-package.ts';
import { DocumentReader } from './document-reader.ts';
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
    parseTable(ods, new TableReader(Number(part), rows, document));
  return { file, date1904: false, sheets, parse };
}

/** The whole part has been read before: it is whole, and what comes behind the table is of no use. */
async function* parseTable(ods: WorkbookPackage, table: TableReader): AsyncGenerator<void> {
  for await (const _ of ods.parse(CONTENT, 'document-content', table)) {
    yield;
    if (table.done) return;
  }
}
