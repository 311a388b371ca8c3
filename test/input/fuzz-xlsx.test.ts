import * as fc from 'fast-check';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import type { Cell } from '../../src/registration/model/row.ts';
import { SheetCell } from '../../src/registration/model/sheet-cell.ts';
import { workbookParts } from '../support/workbook.ts';
import { type ZipFile, zip } from '../support/zip.ts';
import { anyMutations, mutate } from './mutations.ts';
import { readSheet } from './open-workbook.ts';
import { runsOf } from '../support/night.ts';
import { listed } from '../support/tables.ts';

type Rows = Map<number, unknown[]>;

/** Rows by number, up to the last cell that holds anything. */
function byRow(rows: Iterable<readonly [number, readonly unknown[]]>): Rows {
  const kept: Rows = new Map();
  for (const [line, cells] of rows) {
    // Where nothing asks to keep it, white space at the ends is no part of a text: programs differ in that.
    const values = cells
      .map((cell) => (typeof cell === 'string' ? cell.trim() : cell))
      .map((cell) => (cell === undefined || cell === '' ? null : cell));
    const last = values.findLastIndex((cell) => cell !== null);
    if (last !== -1) kept.set(line, values.slice(0, last + 1));
  }
  return kept;
}

/** A cell as the other reader has it: numbers and truths as such, errors as their text, formulas without value as none. */
function plain(cell: Cell): unknown {
  if (!(cell instanceof SheetCell)) return cell;
  if (cell.type === 'missing') return null;
  if (cell.type === 'boolean') return cell.stored === '1' || cell.stored === 'true';
  return cell.type === 'number' ? Number(cell.stored) : cell.stored;
}

/** Our rows, or the sentence that refuses them; anything else than an InputError fails the test. */
async function ours(bytes: Buffer): Promise<Rows | string> {
  try {
    const { rows } = await readSheet(bytes, { includeHidden: true });
    return byRow(rows.map(([line, ...cells]) => [line, cells.map(plain)]));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).toMatch(/^guests\.xlsx:/);
    return error.message;
  }
}

/** The rows of another reader, which is laxer; undefined when it gives up. */
async function theirs(bytes: Buffer): Promise<Rows | undefined> {
  try {
    const [sheet] = (await readXlsx(bytes)).sheets;
    return byRow((sheet?.rows ?? []).map((cells, at) => [at + 1, cells]));
  } catch {
    return undefined;
  }
}

const text = fc.constantFrom(
  ...[
    [
      'a',
      ' b ',
      'é漢',
      '&amp;&#10;&#x41;',
      '_x000D_',
      '_x005F_x',
      '<![CDATA[<c>]]>',
      'a<!-- c -->b',
      '0',
      '',
      '\n',
      '1',
    ],
  ].flat(),
);
const number = fc.constantFrom('0', '-1.5', '1E3', '45000', '1e-7', '007', ' 5 ', '59012341234571', '0.1');
const runs = fc
  .tuple(text, text)
  .map(
    ([one, other]) =>
      `<r><rPr><b/></rPr><t xml:space="preserve">${one}</t></r><r><t xml:space="preserve">${other}</t></r>`,
  );
const item = fc.oneof(
  text.map((value) => `<t>${value}</t>`),
  runs,
);

const value = (of: fc.Arbitrary<string>) => of.map((stored) => `<v>${stored}</v>`);
/** What cells of each type hold in workbooks that make sense. */
const SOUND: Readonly<Record<string, fc.Arbitrary<string>>> = {
  '': fc.oneof(
    value(number),
    number.map((stored) => `<f>A1</f><v>${stored}</v>`),
    fc.constant(''),
  ),
  n: value(number),
  s: value(fc.constantFrom('0', '1', '2')),
  str: fc.oneof(
    value(text),
    text.map((stored) => `<f t="shared" si="0"/><v xml:space="preserve">${stored}</v>`),
  ),
  inlineStr: item.map((one) => `<is>${one}</is>`),
  b: value(fc.constantFrom('0', '1')),
  e: value(fc.constantFrom('#N/A', '#REF!')),
};
/** What they hold in no workbook that a program wrote. */
const ODD = fc.constantFrom(
  ...[
    listed(`
      <v/> | <is/> | <v>1</v><v>2</v> | <is><t>x</t></is><v>1</v> | <extLst><ext><v>9</v></ext></extLst> |
      x
    `),
    listed(`
      <v>NaN</v> | <v>99</v> | <v>-1</v> | <f/> | <v><v>1</v></v> | <is><is><t>x</t></is></is> |
      <c r="A1"><v>1</v></c>
    `),
    listed(`
      <is><r><r><t>x</t></r></r></is> | <t>x</t> | <v>_x0000_</v> | <v>_xD83D_</v> | <v> </v> |
      <v>1e99999</v>
    `),
  ].flat(),
);

interface CellXml {
  type: string;
  content: string;
  style: string;
  skip: number;
  named: boolean;
}

const rest = { style: fc.constantFrom('', ' s="0"', ' s="1"'), skip: fc.nat(2), named: fc.boolean() };
const soundCell: fc.Arbitrary<CellXml> = fc
  .constantFrom(...Object.keys(SOUND))
  .chain((type) => fc.record({ ...rest, type: fc.constant(type), content: SOUND[type] ?? fc.constant('') }));
const oddCell: fc.Arbitrary<CellXml> = fc.record({
  ...rest,
  type: fc.constantFrom(...Object.keys(SOUND), 'd', 'x'),
  content: fc.oneof(ODD, ...Object.values(SOUND)),
  style: fc.constantFrom('', ' s="7"', ' s="-1"', ' s="__proto__"', ' s="1" xml:space="x"'),
});

const anyCell = fc.oneof({ weight: 4, arbitrary: soundCell }, { weight: 1, arbitrary: oddCell });

/** Rows of such cells. Places are told, or left out where they are the next ones. */
function rowsOf(cell: fc.Arbitrary<CellXml>): fc.Arbitrary<string> {
  const row = fc.record({
    cells: fc.array(cell, { maxLength: 4 }),
    skip: fc.nat(2),
    named: fc.boolean(),
    hidden: fc.boolean(),
    behind: fc.constantFrom('', ' ', '<!-- r -->', '<?pi?>'),
  });
  return fc.array(row, { maxLength: 5 }).map((rows) => {
    let line = 0;
    return rows
      .map(({ cells, skip, named, hidden, behind }) => {
        line += named ? 1 + skip : 1;
        const attributes = `${named ? ` r="${line}"` : ''}${hidden ? ' hidden="1"' : ''}`;
        return `<row${attributes}>${cellsXml(cells, line)}</row>${behind}`;
      })
      .join('');
  });
}

function cellsXml(cells: readonly CellXml[], line: number): string {
  let column = -1;
  return cells
    .map(({ type, content, style, skip, named }) => {
      column += named ? 1 + skip : 1;
      const place = named ? ` r="${String.fromCharCode(65 + column)}${line}"` : '';
      return `<c${place}${style}${type === '' ? '' : ` t="${type}"`}>${content}</c>`;
    })
    .join('');
}

/** Of no use to us; the other reader asks for it. */
const TYPES: ZipFile = {
  name: '[Content_Types].xml',
  content: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
};
const STYLES =
  '<numFmts><numFmt numFmtId="164" formatCode="0000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>';
const strings = fc
  .array(item, { maxLength: 3 })
  .map((items) => items.map((one) => `<si>${one}</si>`).join(''));

function partsOf(rows: string, shared: string): ZipFile[] {
  const sheets = [{ name: 'Guests', xml: `<sheetData>${rows}</sheetData>` }];
  return [TYPES, ...workbookParts({ sheets, strings: shared, styles: STYLES })];
}

describe('a sheet', () => {
  test('of sound XML holds the rows that another reader finds', async () => {
    let same = 0;
    await fc.assert(
      fc.asyncProperty(rowsOf(soundCell), strings, async (rows, shared) => {
        const bytes = zip(partsOf(rows, shared));
        const found = await ours(bytes);
        // No sheet that holds anything, or a cell that refers to a text that is not there.
        if (typeof found === 'string') {
          expect(found).toMatch(/no sheet of this workbook|refers to a text/);
          return;
        }
        expect(found).toEqual(await theirs(bytes));
        same += found.size;
      }),
      { numRuns: runsOf(600) },
    );
    expect(same).toBeGreaterThan(runsOf(200));
  });

  test('of odd XML is read or refused, and so is one with any part changed', async () => {
    let read = 0;
    const signs = '<>/"=&;# xrstv019AZ-.:_\x00\xEF\xFF';
    await fc.assert(
      fc.asyncProperty(
        rowsOf(anyCell),
        strings,
        fc.nat(9),
        anyMutations(signs),
        async (rows, shared, at, changes) => {
          const parts = partsOf(rows, shared);
          const spoilt = parts.map((part, index) =>
            index === at ? { ...part, content: mutate(Buffer.from(part.content), changes) } : part,
          );
          if (typeof (await ours(zip(spoilt))) !== 'string') read += 1;
        },
      ),
      { numRuns: runsOf(1500) },
    );
    expect(read).toBeGreaterThan(runsOf(100));
  });
});
