import { InputError } from '../../errors.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { damagedWorkbook, oversizedWorkbook } from '../workbook/workbook-damage.ts';
import type { WorkbookPackage } from '../workbook/workbook-package.ts';
import { DocumentReader } from './document-reader.ts';
import { TableReader } from './table-reader.ts';

const CONTENT = 'content.xml';
const STYLES = 'styles.xml';
const MANIFEST = 'META-INF/manifest.xml';
/** All sheets stand in one part, which is read anew for each of them. */
const MOST_READ = 4 * 1024 * 1024 * 1024;

/**
 * Opens an OpenDocument spreadsheet: everything but the rows; undefined for another kind of file in a zip.
 * Throws an InputError when it is damaged, beyond the limits, encrypted or no spreadsheet.
 */
export async function openOds(ods: WorkbookPackage): Promise<Workbook | undefined> {
  const { file } = ods.input;
  if (ods.has(MANIFEST) && (await ods.mentions(MANIFEST, 'encryption-data'))) throw encrypted(file);
  if (!ods.has(CONTENT)) return undefined;
  const document = new DocumentReader((what) => damagedWorkbook(file, what));
  if (ods.has(STYLES)) await ods.read(STYLES, 'document-styles', document);
  const { kind, tables, hiddenTables } = await ods.read(CONTENT, 'document-content', document);
  if (kind !== 'spreadsheet') throw noSpreadsheet(file);
  if (tables.length * ods.sizeOf(CONTENT) > MOST_READ) {
    throw oversizedWorkbook(
      file,
      `it holds ${tables.length.toLocaleString('en')} sheets, which are too long for so many`,
    );
  }
  return {
    file,
    date1904: false,
    sheets: tables.map(({ name, style }, at) => ({
      name,
      hidden: hiddenTables.has(style),
      part: String(at),
    })),
    parse: (part, rows) => parseTable(ods, new TableReader(Number(part), rows, document)),
  };
}

/** The whole part has been read before: it is whole, and what comes behind the table is of no use. */
async function* parseTable(ods: WorkbookPackage, table: TableReader): AsyncGenerator<void> {
  for await (const _ of ods.parse(CONTENT, 'document-content', table)) {
    yield;
    if (table.done) return;
  }
}

function encrypted(file: string): InputError {
  return new InputError(`${file}: this is an OpenDocument file (.ods) with a password.`, {
    hint: 'Open it in LibreOffice with the password, choose File > Save As, take the tick off "Save with password", and use the new file.',
  });
}

function noSpreadsheet(file: string): InputError {
  return new InputError(`${file}: this is an OpenDocument file, but no spreadsheet.`, {
    hint: 'Ask for the list as a spreadsheet or as CSV.',
  });
}
