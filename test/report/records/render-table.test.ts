import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import * as anyScript from '../../../src/report/words/display-width.ts';
import { measureFor } from '../../../src/report/words/measure.ts';
import { renderTable } from '../../../src/report/records/render-table.ts';
import { anyText } from '../arbitrary-text.ts';

function render(head: string[], rows: string[][], width = 80, color = false): string {
  return renderTable({ head, rows, width, color }, anyScript);
}

describe('renderTable', () => {
  it('draws a head, a line and rows, without spaces at the ends', () => {
    expect(render(['id', 'name'], [['1', 'Ann'], ['22']])).toBe(
      ['id  name', '──  ────', '1   Ann', '22'].join('\n'),
    );
  });

  it('aligns wide, combined and joined characters', () => {
    const names = ['山田太郎', 'Jo\u0308rg', '👨\u200D👩\u200D👧 x', 'ที่นี่', '❤\uFE0F', '한'];
    const lines = render(
      ['name', 'no'],
      names.map((name) => [name, '7']),
    ).split('\n');
    const columns = lines.slice(2).map((line) => stringWidth(line.slice(0, -1)));
    expect(columns).toEqual(names.map(() => 10));
  });

  it('shrinks the widest column first and cuts its cells with …', () => {
    expect(render(['id', 'name', 'note'], [['1', 'Annabel', 'a long note on nothing']], 28)).toBe(
      ['id  name     note', '──  ───────  ───────────────', '1   Annabel  a long note on…'].join('\n'),
    );
  });

  it('never wraps a cell: line breaks are shown', () => {
    expect(render(['a'], [['x\ny']]).split('\n')).toEqual(['a', '────', String.raw`x\ny`]);
  });

  it('drops the last columns when there is no room for 14 characters each, and says so', () => {
    const head = ['one11', 'two22', 'three', 'four4', 'five5'];
    const cells = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(20));
    const lines = render(head, [cells], 32).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'one11            two22',
      `${'─'.repeat(15)}  ${'─'.repeat(15)}`,
      `${'a'.repeat(14)}…  ${'b'.repeat(14)}…`,
    ]);
    expect(
      render(head, [['a', 'b', 'c', 'd', 'e']], 21)
        .split('\n')
        .at(-1),
    ).toHaveLength(21);
    expect(render(head, [], 60).split('\n')).toEqual(['one11  two22  three  four4  five5']);
    const wide = render(['x'.repeat(9), ...Array.from({ length: 12 }, (_, i) => `c${i}aaaa`)], [], 60);
    expect(wide.split('\n').at(-1)).toBe('(+6 columns: c6aaaa, c7aaaa, c8aaaa,…; --output csv has all)');
  });

  it('cuts no id, whatever else goes for it', () => {
    const [id, barcode] = ['8f14e45f-ceea-467f-9575-2c9c3f1b8d0a', 'HTF27-000000000000120'];
    const head = ['registration_id', 'name', 'barcode', 'note'];
    const lines = render(head, [[id, 'Annabel Longname the Third', barcode, 'a note']], 80).split('\n');
    expect(lines[2]).toBe(`${id}  Annabel Longname t…  ${barcode}`);
    expect(lines[3]).toBe('(+1 column: note; --output csv has all)');
    expect(
      render(head, [[id, 'Ann', barcode, 'x']], 60)
        .split('\n')
        .slice(2),
    ).toEqual([`${id}  ${barcode}`, '(+2 columns: name, note; --output csv has all)']);
    expect(render(head, [[id, 'Ann', barcode, 'x']], 20)).toContain(`\n${id}\n(+3 colu`);
  });

  it('has states in the colours of what they say', () => {
    const lines = render(
      ['name', 'state'],
      [
        ['done', 'done'],
        ['x', 'failed'],
      ],
      80,
      true,
    ).split('\n');
    expect(lines.slice(2)).toEqual(['done  \u001B[32mdone\u001B[39m', 'x     \u001B[31mfailed\u001B[39m']);
  });

  it('puts the head in bold with color, and writes no escape without', () => {
    expect(render(['a', 'b'], [['1', '2']], 80, true)).toBe(
      '\u001B[1ma\u001B[22m  \u001B[1mb\u001B[22m\n─  ─\n1  2',
    );
    expect(render(['a\u001B[31m'], [['\u001B[0m']])).not.toContain('\u001B');
  });

  it('draws every row of a long table once, below one head', () => {
    const rows = Array.from({ length: 250 }, (_, i) => [String(i)]);
    const expected = ['no', '───', ...rows.flat()];
    expect(render(['no'], rows).split('\n')).toEqual(expected);
  });

  it('has nothing to draw without columns', () => {
    expect(render([], [['x']])).toBe('');
  });

  it('takes a mark on nothing for no part of the blank before it', () => {
    expect(
      render(['a', 'b'], [['', '\u{16FF0}x']], 30)
        .split('\n')
        .at(-1),
    ).toBe('   ◌\u{16FF0}x');
  });

  it('never exceeds the width, whatever the cells', () => {
    const table = fc.record({
      head: fc.array(anyText(), { minLength: 1, maxLength: 8 }),
      rows: fc.array(fc.array(anyText(), { maxLength: 8 }), { maxLength: 4 }),
      width: fc.integer({ min: 1, max: 90 }),
    });
    fc.assert(
      fc.property(table, ({ head, rows, width }) => {
        const lines = render(head, rows, width).split('\n');
        expect(lines.every((line) => stringWidth(line) <= width)).toBe(true);
        expect(lines.length).toBeLessThanOrEqual(rows.length + 3);
      }),
      { numRuns: 500 },
    );
  });
});

const { displayWidth, fitWidth } = anyScript;

it('displayWidth measures as terminals draw', () => {
  const texts = ['abc', '山', 'é', '👍🏽', '🇫🇷', '1\uFE0F\u20E3', '\u1112\u1161\u11AB', '①', ''];
  expect(texts.map((text) => displayWidth(text))).toEqual([3, 2, 1, 2, 2, 2, 2, 1, 0]);
});

it('fitWidth cuts between characters only', () => {
  expect(fitWidth('山田太郎', 5)).toBe('山田…');
  expect(fitWidth('山田太郎', 4)).toBe('山…');
  expect(fitWidth('👨\u200D👩\u200D👧👍', 3)).toBe('👨\u200D👩\u200D👧…');
  expect(fitWidth('ab', 2)).toBe('ab');
  expect(fitWidth('ab', 0)).toBe('');
});

describe('measureFor', () => {
  it('measures printable ASCII as any other text, without what knows all scripts', async () => {
    const ascii = await measureFor(['ab', '~']);
    expect(ascii.displayWidth).not.toBe(displayWidth);
    const texts = fc.stringMatching(/^[ -~]{0,30}$/);
    fc.assert(
      fc.property(texts, fc.integer({ min: -1, max: 32 }), (text, width) => {
        expect(ascii.displayWidth(text)).toBe(displayWidth(text));
        expect(ascii.fitWidth(text, width)).toBe(fitWidth(text, width));
      }),
    );
  });

  it.each(['é', '山', 'a\u0007', '…'])('knows that %j takes more', async (text) => {
    expect((await measureFor(['ab', text])).displayWidth).toBe(displayWidth);
  });
});
