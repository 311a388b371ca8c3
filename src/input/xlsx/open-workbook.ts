import { InputError } from '../../errors.ts';
import type { NumberFormat } from '../../registration/model/sheet-cell.ts';
import type { StoredInput } from '../source/stored-input.ts';
import { StringsReader } from './shared-strings.ts';
import type { CellContext } from './xlsx-cell.ts';
import { damagedWorkbook } from './xlsx-damage.ts';
import { type Relation, XlsxPackage } from './xlsx-package.ts';
import { StylesReader } from './xlsx-styles.ts';
import { isTrue, type XmlAttributes, type XmlReader } from './xlsx-xml.ts';
import { openZip } from './xlsx-zip.ts';

/** A worksheet, in the order of the tabs. */
export interface SheetEntry {
  name: string;
  hidden: boolean;
  /** The part that holds its rows, or why there is none, as a clause. */
  part: string | { missing: string };
}

export interface Workbook extends CellContext {
  package: XlsxPackage;
  /** Worksheets only: charts have no rows. */
  sheets: readonly SheetEntry[];
}

/** Where Word, PowerPoint and binary workbooks begin. */
const OTHER_START = /^(?:word|ppt)\/|\.bin$/i;

/** Excel stops at 31 characters. */
const LONGEST_NAME = 255;

interface SheetLink {
  name: string;
  state: string | undefined;
  id: string;
}

/** Reads the list of sheets and the date system. */
class WorkbookReader implements XmlReader {
  readonly links: SheetLink[] = [];
  date1904 = false;
  #list = '';

  open(name: string, attributes: XmlAttributes, depth: number): void {
    if (depth === 2) this.#list = name;
    if (depth === 2 && name === 'workbookPr') this.date1904 = isTrue(attributes['date1904']);
    if (depth !== 3 || this.#list !== 'sheets' || name !== 'sheet') return;
    // The prefix of this attribute differs from program to program.
    const key = Object.keys(attributes).find((attribute) => attribute.endsWith(':id')) ?? '';
    this.links.push({
      name: attributes['name'] ?? '',
      state: attributes['state'],
      id: attributes[key] ?? '',
    });
  }
}

/**
 * Opens an XLSX workbook: everything but the rows. Throws an InputError when it is damaged, beyond the
 * limits, or another kind of file in a zip.
 */
export async function openWorkbook(input: StoredInput): Promise<Workbook> {
  const parts = await openZip(input);
  const xlsx = new XlsxPackage(input, parts);
  const start = [...(await xlsx.relations('')).values()].find(({ type }) => type === 'officeDocument');
  if (start?.part === undefined || OTHER_START.test(start.part)) throw otherZip(parts.keys(), input.file);
  const { links, date1904 } = await xlsx.read(start.part, 'workbook', new WorkbookReader());
  const relations = await xlsx.relations(start.part);
  return {
    package: xlsx,
    date1904,
    sheets: findSheets(links, relations, xlsx),
    strings: await readStrings(xlsx, relations),
    formats: await readFormats(xlsx, relations),
  };
}

/** Each sheet has a part of its own: a thousand names for one long part would be read a thousand times. */
function findSheets(
  links: readonly SheetLink[],
  relations: ReadonlyMap<string, Relation>,
  xlsx: XlsxPackage,
): SheetEntry[] {
  const { file } = xlsx.input;
  const sheets = links.flatMap((link) => findSheet(link, relations, xlsx));
  const parts = sheets.flatMap(({ part }) => (typeof part === 'string' ? part.toLowerCase() : []));
  if (new Set(parts).size < parts.length) throw damagedWorkbook(file, 'two sheets share their rows');
  return sheets;
}

/** A sheet without rows of its own is kept: nobody may want it, and the others are whole. */
function findSheet(
  { name, state, id }: SheetLink,
  relations: ReadonlyMap<string, Relation>,
  xlsx: XlsxPackage,
): SheetEntry[] {
  if (name.length > LONGEST_NAME) throw damagedWorkbook(xlsx.input.file, 'the name of a sheet is too long');
  const relation = relations.get(id);
  if (relation !== undefined && relation.type !== 'worksheet') return [];
  return [{ name, hidden: state === 'hidden' || state === 'veryHidden', part: partOf(name, relation, xlsx) }];
}

function partOf(name: string, relation: Relation | undefined, xlsx: XlsxPackage): SheetEntry['part'] {
  if (relation === undefined) return { missing: `the sheet "${name}" leads nowhere` };
  const { part } = relation;
  if (part === undefined) return { missing: `the sheet "${name}" lies in another file` };
  return xlsx.has(part) ? part : { missing: `the part ${part} of the sheet "${name}" is missing` };
}

async function readStrings(
  xlsx: XlsxPackage,
  relations: ReadonlyMap<string, Relation>,
): Promise<readonly string[]> {
  const part = findPart('sharedStrings', relations);
  if (part === undefined) return [];
  const reader = new StringsReader(xlsx.input.file, refusalOf(part, xlsx));
  return (await xlsx.read(part, 'sst', reader)).strings;
}

async function readFormats(
  xlsx: XlsxPackage,
  relations: ReadonlyMap<string, Relation>,
): Promise<readonly NumberFormat[]> {
  const part = findPart('styles', relations);
  if (part === undefined) return [];
  return (await xlsx.read(part, 'styleSheet', new StylesReader(refusalOf(part, xlsx)))).formats();
}

function refusalOf(part: string, { input }: XlsxPackage): (what: string) => InputError {
  return (what) => damagedWorkbook(input.file, `in its part ${part}, ${what}`);
}

function findPart(type: string, relations: ReadonlyMap<string, Relation>): string | undefined {
  return [...relations.values()].find((relation) => relation.type === type)?.part;
}

const SAVE_AS_XLSX = 'and save it as "Excel Workbook (.xlsx)".';
const ASK_FOR_LIST = 'Ask for the list as a spreadsheet or as CSV.';

/** Zip files that are no XLSX workbook, by the name of a part; names are in lower case. */
const KINDS: readonly { holds: (part: string) => boolean; what: string; hint: string }[] = [
  {
    holds: (part) => part === 'xl/workbook.bin',
    what: 'a binary Excel workbook (.xlsb)',
    hint: `Open it in Excel, choose File > Save As, ${SAVE_AS_XLSX}`,
  },
  {
    holds: (part) => part.startsWith('index/') && part.endsWith('.iwa'),
    what: 'an Apple Numbers document (.numbers)',
    hint: `Open it in Numbers, choose File > Export To > Excel, ${SAVE_AS_XLSX}`,
  },
  {
    holds: (part) => part === 'mimetype' || part === 'content.xml',
    what: 'an OpenDocument file (.ods)',
    hint: 'Open it in LibreOffice, choose File > Save As, and save it as "Excel 2007-365 (.xlsx)".',
  },
  { holds: (part) => part === 'word/document.xml', what: 'a Word document (.docx)', hint: ASK_FOR_LIST },
  { holds: (part) => part === 'ppt/presentation.xml', what: 'a presentation (.pptx)', hint: ASK_FOR_LIST },
  {
    holds: (part) => /\.(?:xlsx|csv|xls)$/.test(part),
    what: 'a zip archive with spreadsheets in it',
    hint: 'Unpack it, and name the files in it.',
  },
];

/** The error for a zip file that is no XLSX workbook, judged by the names of its parts (in lower case). */
function otherZip(parts: Iterable<string>, file: string): InputError {
  const names = [...parts];
  const kind = KINDS.find(({ holds }) => names.some(holds));
  const what = kind?.what ?? (names.length === 0 ? 'an empty zip file' : 'a zip file, but no Excel workbook');
  return new InputError(`${file}: this is ${what}.`, { hint: kind?.hint ?? ASK_FOR_LIST });
}
