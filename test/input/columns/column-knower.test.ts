import { describe, expect, test } from 'vitest';
import { columnKnower } from '../../../src/input/columns/heading-reader.ts';
import { field, persona } from '../persona-of-labels.ts';
import { listed } from '../../support/tables.ts';

const personas = [
  persona('a', [field('seat', 'Where you sit')]),
  persona('b', [field('name'), field('twin', 'Same'), field('other', 'Same')]),
];

describe('a heading is known', () => {
  test.each(
    listed(`
      seat | where you sit: | Same | Barcode | registration_id | _errors | _notes | Código de barras |
      Nachname | VAT number | Guest 1 seat | Companion 2 Courriel | Guest 1 parent_barcode
    `),
  )('such as %j', (name) => {
    expect(columnKnower(personas)(name)).toBe(true);
  });

  test.each([
    '',
    '*',
    'Ann',
    'ann@example.com',
    'Guest 1',
    'Guest 1 foo',
    'x'.repeat(400),
    `name${' '.repeat(400)}`,
  ])('unlike %j', (name) => {
    expect(columnKnower(personas)(name)).toBe(false);
  });
});
