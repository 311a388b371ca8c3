import { expect, test } from 'vitest';
import { painter, wantsColor } from '../../../src/report/words/paint.ts';
import { listed } from '../../support/tables.ts';

test.each([
  ['a terminal has them', true, {}, true, true],
  ['a file has none', true, {}, false, false],
  ['--no-color', false, { FORCE_COLOR: '1' }, true, false],
  ['NO_COLOR', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  ['an empty NO_COLOR is none', true, { NO_COLOR: '' }, true, true],
  ['FORCE_COLOR, also elsewhere', true, { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, true, false],
  ['a terminal that knows none', true, { TERM: 'dumb' }, true, false],
])('colours: %s', (_name, color, env, isTTY, wanted) => {
  expect(wantsColor({ color, env, stream: { isTTY } })).toBe(wanted);
});

test('every meaning has its colour, and ends it', () => {
  const paint = painter(true);
  expect(['done', 'waiting', 'refused', 'asked'].map((one) => paint(one as 'done', 'x'))).toEqual(
    listed(`
      \u001B[32mx\u001B[39m | \u001B[33mx\u001B[39m | \u001B[31mx\u001B[39m | \u001B[36mx\u001B[39m
    `),
  );
  expect([paint('done', ''), paint(undefined, 'x'), painter(false)('done', 'x')]).toEqual(['', 'x', 'x']);
});
