import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROW_STATES } from '../../../src/registration/model/row-states.ts';
import * as rowStates from '../../../src/registration/model/row-states.ts';
import { listed } from '../../support/tables.ts';

const { among, ...SETS } = rowStates;
const SRC = join(import.meta.dirname, '..', '..', '..', 'src');
/** Where the states and their sets are named. */
const NAMED = ['row-state.ts', 'row-states.ts'];

const STATE = `'(?:${ROW_STATES.join('|')})'`;
const LIST = new RegExp(`[\\[(]\\s*${STATE}(?:,\\s*${STATE})+,?\\s*[\\])]`, 'g');
const COMPARISON = new RegExp(
  `state [!=]==? ${STATE}(?: (?:\\|\\||&&|OR|AND) [\\w.?]*state [!=]==? ${STATE})+`,
  'g',
);

const statesIn = (text: string): string[] =>
  [...new Set(text.match(new RegExp(STATE, 'g')))].map((state) => state.slice(1, -1)).sort();

const named = new Set(Object.values(SETS).map((states) => [...states].sort().join()));

/** Lists of states that are written out, and comparisons with all states of a named set. A pair of one state is none. */
function writtenOut(text: string): string[] {
  const lists = (text.match(LIST) ?? []).filter((list) => statesIn(list).length > 1);
  const comparisons = (text.match(COMPARISON) ?? []).filter((one) => named.has(statesIn(one).join()));
  return [...lists, ...comparisons];
}

describe('sets of states', () => {
  test('are written out nowhere else', () => {
    const found = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !NAMED.some((name) => file.endsWith(name)))
      .flatMap((file) => writtenOut(readFileSync(join(SRC, file), 'utf8')).map((one) => `${file}: ${one}`));
    expect(found).toEqual([]);
  });

  test.each([
    "const OPEN = [\n  'pending',\n  'sending',\n];",
    "state === 'accepted' || state === 'done'",
    ...listed(`
      row.state NOT IN ('done', 'accepted', 'unchanged') | new Set(['done', 'accepted']) |
      any('uncertain', 'sending') | if (row.state !== 'uncertain' && row.state !== 'sending')
    `),
  ])('are found in: %s', (text) => {
    expect(writtenOut(text)).toHaveLength(1);
  });

  test.each([
    "['deleted', 'deleted']",
    "among(['pending', ...THERE])",
    "state === 'done' || state === 'failed'",
  ])('are not found in: %s', (text) => {
    expect(writtenOut(text)).toEqual([]);
  });

  test('differ, each from every other', () => {
    expect(named.size).toBe(Object.keys(SETS).length);
  });

  test('go into SQL in the order in which they are written', () => {
    expect(`state ${among(rowStates.SENT)}`).toBe("state IN ('done', 'accepted')");
    expect(`state NOT ${among(['pending', ...rowStates.IN_DOUBT])}`).toBe(
      "state NOT IN ('pending', 'sending', 'uncertain')",
    );
  });
});
