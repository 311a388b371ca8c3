import { describe, expect, it } from 'vitest';
import { readRow } from '../../../src/registration/reading/read-row.ts';
import { DEFAULT_REPAIRS } from '../../../src/registration/repairs/repair-options.ts';
import { type Cells, event, field, mappingOf, persona, rowOf } from '../persona-fixture.ts';
import { numberCell } from '../read-cells.ts';

const visitor = persona('visitor', [
  field('name', 'name'),
  field('size', 'choice', ['S', 'M']),
  field('days', 'choice', ['Mon', 'Tue'], true),
  field('country', 'country'),
]);
const expo = event(visitor, persona('speaker', [field('name', 'name')]));

function read(
  cells: Cells,
  values: Record<string, Record<string, string>>,
  { blank = 'omit' }: { blank?: 'omit' | 'clear' } = {},
) {
  const row = rowOf(cells);
  const meanings = new Map(
    Object.entries(values).map(([column, of]) => [column, new Map(Object.entries(of))]),
  );
  return readRow(row, mappingOf(row.columns), {
    event: expo,
    persona: 'visitor',
    blank,
    repairs: { ...DEFAULT_REPAIRS, values: meanings },
  });
}

describe('a text that has a meaning', () => {
  it('counts as that, with a note', () => {
    const result = read({ size: ' KLEIN ' }, { size: { klein: 's' } });
    expect(result).toMatchObject({
      ok: true,
      read: { registration: { fields: { size: 'S' } } },
      notes: [
        {
          column: 'size',
          field: 'size',
          repair: 'taken as s, as was said, written as the allowed value is',
          before: ' KLEIN ',
          after: 'S',
        },
      ],
    });
  });

  it('counts so in a number of a workbook', () => {
    expect(read({ size: numberCell('1') }, { size: { '1': 'S' } })).toMatchObject({
      ok: true,
      read: { registration: { fields: { size: 'S' } } },
      notes: [{ before: '1', after: 'S' }],
    });
  });

  it('is blank where it means nothing', () => {
    const values = { size: { none: '' } };
    const note = { repair: 'taken as blank, as was said', before: 'none', after: '' };
    const left = read({ size: 'none', name: 'Ada' }, values);
    expect(left).toMatchObject({ ok: true, notes: [note] });
    expect(left.ok && left.read.registration.fields).toEqual({ name: 'Ada' });
    const cleared = read({ size: 'none' }, values, { blank: 'clear' });
    expect(cleared.ok && cleared.read.registration.fields).toEqual({ size: '' });
  });

  it('is a part of several values too', () => {
    expect(read({ days: 'Mo, Tue' }, { days: { mo: 'Mon' } })).toMatchObject({
      ok: true,
      read: { registration: { fields: { days: ['Mon', 'Tue'] } } },
      notes: [{ repair: 'taken as several values, taken as Mon, as was said' }],
    });
    expect(read({ days: ['Mo', 'Tue'] }, { days: { mo: 'Mon' } })).toMatchObject({
      ok: true,
      read: { registration: { fields: { days: ['Mon', 'Tue'] } } },
    });
  });

  it('names personas, countries and switches', () => {
    const result = read(
      { persona: 'Redner', enable_comms: 'ja', name: 'Ada' },
      { persona: { redner: 'speaker' }, enable_comms: { ja: 'yes' } },
    );
    expect(result).toMatchObject({
      ok: true,
      read: { registration: { persona: 'speaker', enableComms: true } },
      notes: [
        { column: 'persona', before: 'Redner', after: 'speaker' },
        { column: 'enable_comms', before: 'ja', after: 'yes' },
      ],
    });
    expect(read({ country: 'BRDeutschland' }, { country: { brdeutschland: 'DE' } })).toMatchObject({
      ok: true,
      read: { registration: { fields: { country: 'DE' } } },
    });
  });

  it('is told with its meaning where that is wrong', () => {
    expect(read({ size: 'klein' }, { size: { klein: 'Small' } })).toMatchObject({
      ok: false,
      reasons: [
        {
          value: 'klein',
          problem: 'means "Small" by the mapping, which is not one of the allowed values "S", "M"',
        },
      ],
    });
  });

  it('says nothing of a personal meaning', () => {
    const result = read({ name: 'n/a' }, { name: { 'n/a': 'Ada' } });
    expect(result).toMatchObject({
      ok: true,
      notes: [{ repair: 'taken as what it means, as was said', personal: true }],
    });
  });

  it('leaves other columns and texts alone', () => {
    expect(read({ size: 'klein' }, { days: { klein: 'S' } }).ok).toBe(false);
    expect(read({ size: 'kleiner' }, { size: { klein: 'S' } }).ok).toBe(false);
  });
});
