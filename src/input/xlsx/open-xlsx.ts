import type { SheetEntry, Workbook } from '../workbook/workbook.ts';
import { damagedWorkbook } from '../workbook/workbook-damage.ts';
import type { WorkbookPackage } from '../workbook/workbook-package.ts';
import { isTrue, type XmlAttributes, type XmlReader } from '../workbook/xml-feed.ts';
import { StringsReader } from './xlsx-text.ts';
import { WorksheetReader } from './worksheet-reader.ts';
import { StylesReader } from './xlsx-styles.ts';

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
 * Opens an XLSX workbook: everything but the rows; undefined for another kind of file in a zip. Throws an
 * InputError when it is damaged or beyond the limits.
 */
export async function openXlsx(xlsx: WorkbookPackage): Promise<Workbook | undefined> {
  const { file } = xlsx.input;
  const start = [...(await readRelations(xlsx, '')).values()].find(({ type }) => type === 'officeDocument');
  if (start?.part === undefined || OTHER_START.test(start.part)) return undefined;
  const { links, date1904 } = await xlsx.read(start.part, 'workbook', new WorkbookReader());
  const relations = await readRelations(xlsx, start.part);
  const partOfType = (type: string): string | undefined =>
    [...relations.values()].find((relation) => relation.type === type)?.part;
  const refuseIn = (part: string) => (what: string) => damagedWorkbook(file, `in its part ${part}, ${what}`);
  const [strings, styles] = [partOfType('sharedStrings'), partOfType('styles')];
  const texts = strings && (await xlsx.read(strings, 'sst', new StringsReader(file, refuseIn(strings))));
  const looks = styles && (await xlsx.read(styles, 'styleSheet', new StylesReader(refuseIn(styles))));
  const context = { date1904, strings: texts ? texts.strings : [], formats: looks ? looks.formats() : [] };
  return {
    file,
    date1904,
    sheets: findSheets(links, relations, xlsx),
    parse: (part, rows) => xlsx.parse(part, 'worksheet', new WorksheetReader(rows, context)),
  };
}

/** Each sheet has a part of its own: a thousand names for one long part would be read a thousand times. */
function findSheets(
  links: readonly SheetLink[],
  relations: ReadonlyMap<string, Relation>,
  xlsx: WorkbookPackage,
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
  xlsx: WorkbookPackage,
): SheetEntry[] {
  if (name.length > LONGEST_NAME) throw damagedWorkbook(xlsx.input.file, 'the name of a sheet is too long');
  const relation = relations.get(id);
  if (relation !== undefined && relation.type !== 'worksheet') return [];
  return [{ name, hidden: state === 'hidden' || state === 'veryHidden', part: partOf(name, relation, xlsx) }];
}

function partOf(name: string, relation: Relation | undefined, xlsx: WorkbookPackage): SheetEntry['part'] {
  if (relation === undefined) return { missing: `the sheet "${name}" leads nowhere` };
  const { part } = relation;
  if (part === undefined) return { missing: `the sheet "${name}" lies in another file` };
  return xlsx.has(part) ? part : { missing: `the part ${part} of the sheet "${name}" is missing` };
}

/** A link from one part of a workbook to another. */
interface Relation {
  /** The last word of its type: `worksheet`, `styles`. Both kinds of OOXML share it. */
  type: string;
  /** Name of the part it leads to; undefined when it leads out of the file, where nothing is fetched. */
  part: string | undefined;
}

/** The links of a part by their ids, '' for the file as a whole; none when it has no list of them. */
async function readRelations(parts: WorkbookPackage, from: string): Promise<ReadonlyMap<string, Relation>> {
  const relations = new Map<string, Relation>();
  const slash = from.lastIndexOf('/') + 1;
  const name = `${from.slice(0, slash)}_rels/${from.slice(slash)}.rels`;
  const open = (element: string, attributes: XmlAttributes, depth: number): void => {
    if (depth !== 2 || element !== 'Relationship') return;
    const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } = attributes;
    const part = mode === 'External' ? undefined : resolveTarget(target, from);
    relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), part });
  };
  if (parts.has(name)) await parts.read(name, 'Relationships', { open });
  return relations;
}

/** The name of the part that a link leads to, from the folder of the part that has it. */
function resolveTarget(target: string, from: string): string {
  const folder = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') folder.pop();
    else if (step !== '' && step !== '.') folder.push(step);
  }
  return folder.join('/');
}
