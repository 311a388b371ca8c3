import * as fc from 'fast-check';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import type { Cell } from '../../src/registration/row.ts';
import { SheetCell } from '../../src/registration/sheet-cell.ts';
import { workbookParts } from '../support/workbook.ts';
import { type ZipFile, zip } from '../support/zip.ts';
import { anyMutations, mutate } from './mutations.ts';
import { readSheet } from './open-workbook.ts';

type Rows = Map<number, unknown[]>;

/** Rows by number, up to the last cell that holds anything. */
function byRow(rows: Iterable<readonly [number, readonly unknown[]]>): Rows {
  const kept: Rows = new Map();
  for (const [line, cells] of rows) {
    const values = cells.map((cell) => (cell === undefined || cell === '' ? null : cell));
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
  ...['a', ' b ', 'é漢', '&amp;&#10;&#x41;', '_x000D_', '_x005F_x', '<![CDATA[<c>]]>', '<!-- c -->', '0', '', '\n', '1'],
);
const content = fc.oneof(
  fc.tuple(text).map(([value]) => `<v>${value}</v>`),
  fc.tuple(text).map(([value]) => `<v xml:space="preserve">${value}</v>`),
  fc.constantFrom('0', '1', '2', '-1.5', '1E3', '45000', '#N/A', '99', '1e5', '007').map((value) => `<v>${value}</v>`),
  text.map((value) => `<is><t>${value}</t></is>`),
  fc.tuple(text, text).map(([one, other]) => `<is><r><rPr><b/></rPr><t xml:space="preserve">${one}</t></r><r><t>${other}</t></r></is>`),
  text.map((value) => `<is><t>x</t><rPh sb="0" eb="1"><t>${value}</t></rPh></is>`),
  fc.constant('<f>A1</f><v>3</v>'),
  fc.constantFrom('', '<f>1+1</f>', '<extLst><ext><v>9</v></ext></extLst>', '<v/>', '<is/>'),
);
const type = fc.constantFrom('', ' t="s"', ' t="n"', ' t="str"', ' t="inlineStr"', ' t="b"', ' t="e"', ' t="x"');
const cell = fc.record({ type, style: fc.constantFrom('', '', ' s="0"', ' s="1"', ' s="7"'), content, skip: fc.nat(2), named: fc.boolean() });
const row = fc.record({ cells: fc.array(cell, { maxLength: 4 }), skip: fc.nat(2), named: fc.boolean(), hidden: fc.boolean() });
const filler = fc.constantFrom('', ' ', '<!-- r -->', '<?pi?>');

/** A sheet that is well-formed, whatever it says. Places are told, or left out where they are the next ones. */
const sheet = fc.array(fc.tuple(row, filler), { maxLength: 5 }).map((rows) => {
  let line = 0;
  return rows.map(([{ cells, skip, named, hidden }, between]) => {
    line += named ? 1 + skip : 1;
    let column = -1;
    const inside = cells.map((one) => {
      column += one.named ? 1 + one.skip : 1;
      const r = one.named ? ` r="${'ABCDEFGHIJKLMNO'.charAt(column)}${line}"` : '';
      return `<c${r}${one.style}${one.type}>${one.content}</c>`;
    });
    return `<row${named ? ` r="${line}"` : ''}${hidden ? ' hidden="1"' : ''}>${inside.join('')}</row>${between}`;
  }).join('');
});
const shared = fc.array(
  fc.oneof(text.map((value) => `<si><t>${value}</t></si>`), text.map((value) => `<si><r><t>${value}</t></r><r><t xml:space="preserve"> y</t></r></si>`)),
  { maxLength: 3 },
);
/** Of no use to us; the other reader asks for it. */
const TYPES = {
  name: '[Content_Types].xml',
  content: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
};
const STYLES = '<numFmts><numFmt numFmtId="164" formatCode="0000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>';

function partsOf(rows: string, strings: string): ZipFile[] {
  const sheets = [{ name: 'Guests', xml: `<sheetData>${rows}</sheetData>` }];
  return workbookParts({ sheets, strings, styles: STYLES });
}

describe('a sheet of any XML', () => {
  test('holds the rows that another reader finds, or is refused', async () => {
    let same = 0;
    await fc.assert(
      fc.asyncProperty(sheet, shared, async (rows, strings) => {
        const bytes = zip([TYPES, ...partsOf(rows, strings.join(''))]);
        const found = await ours(bytes);
        if (typeof found === 'string') return;
        expect(found).toEqual(await theirs(bytes));
        same += found.size;
      }),
      { numRuns: 1000 },
    );
    expect(same).toBeGreaterThan(200);
  });
});
