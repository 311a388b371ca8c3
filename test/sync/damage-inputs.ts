import { oneSheet, text } from '../support/workbook.ts';

/** A damaged file that is too large to be kept. */
export interface GeneratedInput {
  name: string;
  bytes: Buffer;
}

/** By the folder that says what is expected of it. */
export const GENERATED_INPUTS: ReadonlyMap<string, () => GeneratedInput> = new Map([
  ['cut-off-sheet', () => ({ name: 'input.xlsx', bytes: cutOffSheet(65_536) })],
  ['huge-cell', () => ({ name: 'input.csv', bytes: hugeCell(1024 * 1024) })],
  ['too-many-columns', () => ({ name: 'input.csv', bytes: tooManyColumns(1_001) })],
]);

/** A sheet that ends in the last row that old spreadsheet programs can hold. */
function cutOffSheet(rows: number): Buffer {
  const first = `<row>${text('Barcode')}${text('First name')}</row>`;
  const others = Array.from({ length: rows - 1 }, (_, at) => {
    // Barcodes that do not look alike, or the sheet packs so well that it is taken for a bomb.
    const barcode = String((at + 1) * 7919).padStart(9, '0');
    return `<row>${text(`A${barcode}`)}${text('Ada')}</row>`;
  });
  return oneSheet(first + others.join(''));
}

function hugeCell(characters: number): Buffer {
  return Buffer.from(`Barcode,First name,Remarks\nA1,Ada,fine\nA2,Bob,${'x'.repeat(characters)}\n`);
}

function tooManyColumns(columns: number): Buffer {
  const header = Array.from({ length: columns }, (_, at) => (at === 0 ? 'Barcode' : `Answer ${at}`));
  return Buffer.from(`${header.join(',')}\nA1${','.repeat(columns - 1)}\n`);
}
