import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ColumnMapping, ColumnTarget, OwnTarget } from '../../src/registration/model/columns.ts';
import type { Field } from '../../src/registration/model/persona.ts';
import { readRow } from '../../src/registration/reading/read-row.ts';
import type { FieldValue, Registration } from '../../src/registration/model/registration.ts';
import { DEFAULT_REPAIRS, type RepairOptions } from '../../src/registration/repairs/repair-options.ts';
import type { Cell, Note, SourceRow } from '../../src/registration/model/row.ts';
import { SheetCell } from '../../src/registration/model/sheet-cell.ts';
import { anyCell, anyRepairs } from './fuzz-cells.ts';
import { type Cells, event, field, persona, rowOf } from './persona-fixture.ts';
import { runsOf } from '../support/night.ts';

const CHOICES = ['S', 'M', 'A;B', ' odd ', '45000', "'=S", 'é', '[1]'];
const own: Field = field('choice', 'choice', CHOICES);
const choice: Field = {
  ...own,
  choices: [...own.choices, { value: '45000', label: '2023-03-15' }, { value: "'=S", label: '=S' }],
};
const fields: readonly Field[] = [
  ...(['name', 'email', 'phone', 'country', 'website', 'upload', 'date', 'numeric', 'text'] as const).map(
    (kind) => field(kind, kind),
  ),
  choice,
  { ...choice, slug: 'several', multiple: true },
];
const visitor = persona('visitor', fields);
const expo = event(visitor);

const TARGETS: readonly OwnTarget[] = [
  { kind: 'barcode' },
  ...fields.map(({ slug }) => ({ kind: 'field', slug }) as const),
];
/** What one row is read as: each target for the row itself, and each once more for a companion. */
const COLUMNS: readonly { column: string; target: ColumnTarget; companion: boolean; own: OwnTarget }[] = [
  ...TARGETS.map((one) => ({ column: nameOf(one), target: one, companion: false, own: one })),
  ...TARGETS.map((one) => ({
    column: `companion ${nameOf(one)}`,
    target: { kind: 'companion', number: 1, target: one } as const,
    companion: true,
    own: one,
  })),
];

function nameOf(target: OwnTarget): string {
  return target.kind === 'field' ? target.slug : target.kind;
}

type Repairs = RepairOptions;

/** What became of the cell in a column. */
interface Outcome {
  source: string;
  /** Undefined when the cell is blank or refused. */
  sent: FieldValue | undefined;
  notes: readonly Note[];
  refused: boolean;
}

/** Reads a row with one cell in the column; a companion's row has a barcode of its own. */
function readIn(at: number, cell: Cell, escaped: boolean, repairs: RepairOptions): Outcome {
  const { column, target, companion, own: what } = COLUMNS[at % COLUMNS.length] as (typeof COLUMNS)[number];
  const needed: Cells = companion ? { 'own barcode': 'row-1' } : {};
  const targets: ColumnTarget[] = companion ? [{ kind: 'barcode' }, target] : [target];
  const plain = rowOf({ ...needed, [column]: cell });
  const source = `${escaped ? "'" : ''}${textOf(cell)}`;
  const row: SourceRow = escaped ? { ...plain, escaped: new Map([[targets.length - 1, source]]) } : plain;
  const mapping: ColumnMapping = { columns: row.columns, personaColumn: -1, targetsFor: () => targets };
  const result = readRow(row, mapping, { event: expo, persona: 'visitor', blank: 'omit', repairs });
  if (!result.ok) {
    // Errors of a workbook stand in the finding itself.
    const shown = cell instanceof SheetCell && ['error', 'missing'].includes(cell.type) ? undefined : source;
    expect(result.reasons.map(({ column: where, value }) => [where, value])).toEqual([[column, shown]]);
    return { source, sent: undefined, notes: [], refused: true };
  }
  const read = companion ? result.companions[0] : result.read;
  return { source, sent: read && valueIn(read.registration, what), notes: result.notes, refused: false };
}

function valueIn(registration: Registration, target: OwnTarget): FieldValue | undefined {
  return target.kind === 'field' ? registration.fields[target.slug] : registration.barcode;
}

/** A cell as the file has it. */
function textOf(cell: unknown): string {
  if (typeof cell === 'string') return cell;
  if (!(cell instanceof SheetCell)) return JSON.stringify(cell);
  return cell.type === 'boolean' ? (['FALSE', 'TRUE'][Number(cell.stored)] ?? '') : cell.stored;
}

/** Whether a cell says word for word what is sent. Several values stand in one text behind each other. */
function says(cell: Cell, source: string, sent: FieldValue): boolean {
  if (typeof sent === 'string') return sent === source;
  return partsOf(cell, source).some((parts) => JSON.stringify(parts) === JSON.stringify(sent));
}

/** The ways to find several values in a cell; blank ones are none. */
function partsOf(cell: Cell, source: string): string[][] {
  const filled = (parts: readonly unknown[]): string[] =>
    parts
      .map((part) => (part === null ? '' : typeof part === 'string' ? part : textOf(part)))
      .filter((part) => part.trim() !== '');
  if (Array.isArray(cell)) return [filled(cell)];
  const split = source.split(/[;|]/).map((part) => part.trim());
  return [[source], filled(split), ...listIn(source).map(filled)];
}

/** The list of a text that is one as JSON. */
function listIn(text: string): unknown[][] {
  try {
    const json: unknown = JSON.parse(text);
    return Array.isArray(json) ? [json] : [];
  } catch {
    return [];
  }
}

/** Written out as 2023-03-15, which here is a label of the value 45000: one repair undoes the other. */
const day = new SheetCell('number', '45000', { code: 'yyyy-mm-dd', kind: 'date', zeros: 0 }, false);
const column = fc.nat(COLUMNS.length - 1);
const runs = { numRuns: runsOf(10_000) };

/** The notes that there must be. Spaces round several values need one at the ends of the cell only, as in others. */
function wantedNotes(cell: Cell, { source, sent }: Outcome): Pick<Note, 'before' | 'after'>[] {
  const sound = Array.isArray(cell) || source.trim() === source || String(sent) === source;
  if (sent === undefined || (sound && says(cell, source, sent))) return [];
  return [{ before: source, after: typeof sent === 'string' ? sent : sent.join('; ') }];
}

function toldBy(notes: readonly Note[]): Pick<Note, 'before' | 'after'>[] {
  return notes.map(({ before, after }) => ({ before, after }));
}

describe('any cell in any column', () => {
  test('is refused, sent as it stands, or has one note that tells before and after', () => {
    let noted = 0;
    fc.assert(
      fc.property(column, anyCell, fc.boolean(), anyRepairs, (at, cell, quote, repairs: Repairs) => {
        const read = readIn(at, cell, quote && typeof cell === 'string', repairs);
        // What nobody sees is nothing, whether that is told or not.
        if (read.sent !== undefined || read.notes.some(({ after }) => after !== ''))
          expect(toldBy(read.notes)).toEqual(wantedNotes(cell, read));
        noted += read.notes.length;
      }),
      {
        ...runs,
        examples: [[COLUMNS.findIndex(({ column: name }) => name === 'choice'), day, false, DEFAULT_REPAIRS]],
      },
    );
    expect(noted).toBeGreaterThan(runsOf(200));
  });

  test('is sent in a form that is sent as it stands the next time', () => {
    fc.assert(
      fc.property(column, anyCell, anyRepairs, (at, cell, repairs: Repairs) => {
        const { sent } = readIn(at, cell, false, repairs);
        if (sent === undefined) return;
        const again = readIn(at, sent, false, repairs);
        expect(again).toMatchObject({ sent, notes: [] });
      }),
      runs,
    );
  });
});
