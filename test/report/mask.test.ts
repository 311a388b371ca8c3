import { describe, expect, it } from 'vitest';
import { cut } from '../../src/report/cut.ts';
import { mask } from '../../src/report/mask.ts';

describe('mask', () => {
  it.each([
    ['ann@exa mple,com', 'a••@e•• m•••,c••'],
    ['+49 (171) 5550199', '+49 (17•) 55•••••'],
    ['Jo\u0308rg O’Neil', 'J••• O’N•••'],
    ['abc1234', 'a••12••'],
    ['山田太郎', '山•••'],
    ['', ''],
  ])('keeps the shape of %j', (value, masked) => {
    expect(mask(value)).toBe(masked);
  });

  it('cuts at 60 characters', () => {
    expect(mask('x'.repeat(60))).toBe(`x${'•'.repeat(59)}`);
    expect(mask('x'.repeat(61))).toBe(`x${'•'.repeat(58)}…`);
    expect(mask('😀'.repeat(1_000_000))).toBe(`${'😀'.repeat(59)}…`);
  });
});

describe('cut', () => {
  it('counts characters, not code units', () => {
    expect(cut('😀😀😀', 3)).toBe('😀😀😀');
    expect(cut('😀😀😀😀', 3)).toBe('😀😀…');
  });
});
