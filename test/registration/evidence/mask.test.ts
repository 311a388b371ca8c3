import { describe, expect, it } from 'vitest';
import { cut } from '../../../src/registration/model/cut.ts';
import { mask } from '../../../src/registration/evidence/mask.ts';
import { paired } from '../../support/tables.ts';

describe('mask', () => {
  it.each([
    ['ann@exa mple,com', 'a••@e•• m•••,c••'],
    ['+49 (171) 5550199', '+49 (•••) •••••••'],
    ['Jo\u0308rg O’Neil', 'J••• •’N•••'],
    ['abc1234', 'a••12••'],
    ['山田太郎', '山•••'],
    ['', ''],
  ])('keeps the shape of %j', (value, masked) => {
    expect(mask(value)).toBe(masked);
  });

  it.each(
    paired(`
      600 22 33 44 → 60• •• •• •• | 6 0 0 2 2 3 3 4 4 → 6 0 • • • • • • • |
      91-22-33-44-55 → 91-••-••-••-•• | 1990-02-31 → 19••-••-•• | 31.2.90 → 31.•.•• | A1B2C3D4 → •1•2•••• |
      42 → 4• | 7 → • | M → • | A n n → • • • | ٦٠٠٢٢ → ٦٠•••
    `),
  )('shows no more than two digits of %j, and never all of it', (value, masked) => {
    expect(mask(value)).toBe(masked);
  });

  it.each(['n/a', '-', 'keine Angabe', 'not applicable'])('leaves %j as it is: it is of nobody', (value) => {
    expect(mask(value)).toBe(value);
  });

  it('masks what may be a name', () => {
    expect(mask('Nil')).toBe('N••');
  });

  it('cuts at 60 characters', () => {
    expect(mask('x'.repeat(60))).toBe(`x${'•'.repeat(59)}`);
    expect(mask('x'.repeat(61))).toBe(`x${'•'.repeat(58)}…`);
    expect(mask('😀'.repeat(1_000_000))).toBe(`${'😀'.repeat(59)}…`);
  });
});

it('cut counts characters, not code units', () => {
  expect(cut('😀😀😀', 3)).toBe('😀😀😀');
  expect(cut('😀😀😀😀', 3)).toBe('😀😀…');
});
