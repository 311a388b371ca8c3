import { describe, expect, it } from 'vitest';
import type { ColumnMapping, ColumnTarget, OwnTarget } from '../../../src/registration/model/columns.ts';
import type { Persona } from '../../../src/registration/model/persona.ts';
import { readRow, type ReadRowOptions } from '../../../src/registration/reading/read-row.ts';
import { DEFAULT_REPAIRS } from '../../../src/registration/repairs/repair-options.ts';
import { type Cells, event, field, mappingOf, persona, rowOf } from '../persona-fixture.ts';
import { sheetCell } from '../read-cells.ts';

const visitor = persona('visitor', [field('name', 'name'), field('email', 'email')]);
const speaker = persona('speaker', [field('name', 'name'), field('topic', 'text')]);
const options: ReadRowOptions = {
  event: event(visitor, speaker),
  persona: 'visitor',
  blank: 'omit',
  repairs: DEFAULT_REPAIRS,
};

/** Maps `2 name` to the name of companion 2; a field that a persona lacks is foreign to it. */
function withCompanions(columns: readonly string[]): ColumnMapping {
  const inner = columns.map((column) => /^(\d) (.+)$/.exec(column));
  const plain = mappingOf(columns);
  const targetsFor = (persona: Persona): ColumnTarget[] =>
    plain.targetsFor(persona).map((target, index) => {
      const [, number, name] = inner[index] ?? [];
      if (number === undefined || name === undefined) return target;
      const own = mappingOf([name]).targetsFor(persona)[0] ?? { kind: 'foreign' };
      return own.kind === 'foreign'
        ? own
        : { kind: 'companion', number: Number(number), target: own as OwnTarget };
    });
  return { ...plain, targetsFor };
}

function read(cells: Cells, change: Partial<ReadRowOptions> = {}) {
  const row = rowOf(cells);
  return readRow(row, withCompanions(row.columns), { ...options, ...change });
}

function companions(cells: Cells, change: Partial<ReadRowOptions> = {}) {
  const result = read(cells, change);
  if (!result.ok) throw new Error(JSON.stringify(result.reasons));
  return result.companions;
}

function problems(cells: Cells) {
  const result = read(cells);
  if (result.ok) throw new Error('was taken');
  return result.reasons.map(({ column, problem }) => [column, problem]);
}

describe('people who come along', () => {
  it('are registrations of their own, tied to the barcode of the row', () => {
    const result = companions({
      '1 name': 'Ana ',
      barcode: '7',
      '2 name': 'Ben',
      enable_comms: 'yes',
      '1 email': 'ana@x.example',
      '2 persona': 'speaker',
      '2 topic': 'Bees',
      '2 barcode': '9',
      '2 enable_comms': 'true',
    });
    const ana = { name: 'Ana', email: 'ana@x.example' };
    const ben = { name: 'Ben', topic: 'Bees' };
    expect(result.map(({ registration }) => registration)).toEqual([
      { persona: 'visitor', fields: ana, barcode: undefined, parentBarcode: '7', enableComms: false },
      { persona: 'speaker', fields: ben, barcode: '9', parentBarcode: '7', enableComms: true },
    ]);
    expect(result[0]?.emails.map(({ domain }) => domain)).toEqual(['x.example']);
  });

  it('are nobody when all their cells are blank', () => {
    const cells: Cells = { barcode: '7', '1 name': ' ', '1 persona': null, '1 barcode': '\u200B' };
    expect(companions(cells)).toEqual([]);
    expect(companions(cells, { blank: 'clear' })).toEqual([]);
    expect(companions({ '1 name': '' })).toEqual([]);
  });

  it('are nobody with a persona or a switch only, whatever these say and whether or not the row has a barcode', () => {
    for (const cell of ['speaker', 'x', sheetCell('error', '#REF!')]) {
      for (const blank of ['omit', 'clear'] as const) {
        expect(
          companions(
            { '1 persona': cell, '1 name': '', '1 enable_comms': 'perhaps', '1 topic': ' ' },
            { blank },
          ),
        ).toEqual([]);
      }
    }
  });

  it('are somebody with a barcode only, or with a field of their own persona only', () => {
    const cells: Cells = { barcode: '7', '1 barcode': '8', '2 persona': 'speaker', '2 topic': 'Bees' };
    expect(companions(cells).map(({ registration }) => registration.fields)).toEqual([{}, { topic: 'Bees' }]);
  });

  it('have their blank fields emptied when the row has', () => {
    const [companion] = companions({ barcode: '7', '1 name': 'Ana', '1 email': '' }, { blank: 'clear' });
    expect(companion?.registration.fields).toEqual({ name: 'Ana', email: '' });
  });

  it('take on the padded barcode of the row, and their notes are the row’s', () => {
    const pad = { ...DEFAULT_REPAIRS, pad: new Map([['barcode', 3]]) };
    const result = read({ barcode: '7', '1 barcode': '8', '1 name': 'Ana ' }, { repairs: pad });
    expect(result.ok && result.companions[0]?.registration).toMatchObject({
      barcode: '008',
      parentBarcode: '007',
    });
    expect(result.notes.map(({ column, before, after }) => [column, before, after])).toEqual([
      ['barcode', '7', '007'],
      ['1 barcode', '8', '008'],
      ['1 name', 'Ana ', 'Ana'],
    ]);
  });

  it('cannot come along with a row that has no barcode', () => {
    const problem = 'belongs to a companion, and the row has no barcode to which it could be tied';
    const reasons = [['1 email', problem]];
    expect(problems({ name: 'Zoë', '1 name': '', '1 email': 'a@x.example', '1 barcode': '9' })).toEqual(
      reasons,
    );
    expect(problems({ barcode: '1E+9', '1 name': 'Ana' })).toHaveLength(1);
  });

  it('make the whole row wrong when they are', () => {
    const result = read({ barcode: '7', name: 'Zoë', '1 name': 'Ana', '1 email': 'nobody' });
    expect(result).toMatchObject({
      ok: false,
      reasons: [{ column: '1 email', field: 'email', problem: 'has no @' }],
    });
  });

  const foreign = (persona: string): string => `stands in a column that persona ${persona} has no field for`;
  const unknown = 'is not a persona of the event, which has visitor, speaker';
  const own = "is the row's own barcode, and a companion needs one of its own";
  const beside = 'stands beside a value in column 1 barcode, which fills the same field';
  const broken = sheetCell('error', '#REF!');
  it.each<readonly [string, Cells, string, string]>([
    ['an unknown persona', { '1 persona': 'x', '1 name': 'Ana' }, '1 persona', unknown],
    ['an error', { '1 persona': broken, '1 barcode': '8' }, '1 persona', 'holds the error #REF!'],
    ['the row’s fields', { '1 persona': 'speaker', '1 email': 'a@x.co' }, '1 email', foreign('speaker')],
    ['fields of another persona', { '1 topic': 'Bees' }, '1 topic', foreign('visitor')],
    ['the barcode of the row', { '1 barcode': '7' }, '1 barcode', own],
    ['two cells for one field', { '1 barcode': '8', '1 barcode#2': '9' }, '1 barcode#2', beside],
  ])('cannot have %s', (_, cells, column, problem) => {
    expect(problems({ barcode: '7', ...cells })).toEqual([[column, problem]]);
  });
});
