import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { type DamageOutcome, runDamaged } from './damage-bench.ts';
import { GENERATED_INPUTS } from './damage-inputs.ts';
import { DAMAGE_TABLE } from './damage-table.ts';
import { type Bench, pushBench } from './push-bench.ts';
import { casesOf, IS_NIGHT } from '../support/night.ts';

const FOLDER = fileURLToPath(new URL('../../fixtures/damage/', import.meta.url));
const NAMES = readdirSync(FOLDER).sort();
/** By day not the one of 65,536 rows, and of the others each second. */
const TRIED = casesOf(
  NAMES.filter((name) => IS_NIGHT || name !== 'cut-off-sheet'),
  2,
);
/** Columns and lines of a small terminal. */
const SCREEN = { columns: 80, lines: 24 };

/** What is expected of a damaged file: `expected.json` of its folder. */
interface Fixture {
  /** The row of the table that it shows. */
  table: string;
  /** What becomes of the file as it stands. */
  does: 'refuse' | 'fix' | 'ask';
  /** How the service differs, where that matters. */
  service?: Partial<Switches>;
  /** The first one without any flag. */
  cases: readonly ({ argv: readonly string[] } & DamageOutcome)[];
}

function readFixture(name: string): Fixture {
  return JSON.parse(readFileSync(join(FOLDER, name, 'expected.json'), 'utf8')) as Fixture;
}

/** Where the damaged file is: in its folder, or made anew. */
function inputOf(name: string, bench: Bench): { folder: string; file: string } {
  const generated = GENERATED_INPUTS.get(name)?.();
  if (generated !== undefined) {
    writeFileSync(join(bench.directory, generated.name), generated.bytes);
    return { folder: bench.directory, file: generated.name };
  }
  const folder = join(FOLDER, name);
  return { folder, file: readdirSync(folder).find((entry) => entry.startsWith('input.')) ?? 'none' };
}

/** Lines as a small terminal breaks them. */
function screenLines(says: readonly string[]): number {
  return says.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / SCREEN.columns)), 0);
}

describe('every kind of damage', () => {
  test('of the table has fixtures, and every fixture stands in the table and has its file', () => {
    expect([...DAMAGE_TABLE.values()].flat().sort()).toEqual(NAMES);
    for (const [row, folders] of DAMAGE_TABLE) {
      expect([row, folders.length > 0]).toEqual([row, true]);
      for (const name of folders) expect([name, readFixture(name).table]).toEqual([name, row]);
    }
    for (const name of NAMES) {
      const stored = readdirSync(join(FOLDER, name)).filter((entry) => entry !== 'expected.json');
      expect([name, stored.length]).toEqual([name, GENERATED_INPUTS.has(name) ? 0 : 1]);
    }
    for (const name of GENERATED_INPUTS.keys()) expect(NAMES).toContain(name);
  });

  test.each(TRIED)('%s: the file comes to what is expected of it', async (name) => {
    const { cases, service = {} } = readFixture(name);
    const bench = await pushBench(service);
    const { folder, file } = inputOf(name, bench);
    for (const { argv, ...expected } of cases) {
      expect({ argv, ...(await runDamaged(bench, folder, file, argv)) }).toEqual({ argv, ...expected });
    }
    // Neither a dry run nor a refusal leaves anything behind, half-loaded or whole.
    expect([bench.posts(), bench.runs()]).toEqual([[], []]);
  });
});

describe('what is said of damage', () => {
  const all = NAMES.map((name) => ({ name, ...readFixture(name) }));
  const first = (cases: Fixture['cases']) => {
    const [asItStands] = cases;
    if (asItStands === undefined || asItStands.argv.length > 0) throw new Error('no case without flags');
    return asItStands;
  };
  const doing = (does: Fixture['does']) => all.filter((fixture) => fixture.does === does);

  test.each(doing('refuse'))('$name is refused with its place, and nothing would be sent', ({ cases }) => {
    const { exit, sent, says } = first(cases);
    expect([EXIT.usage, EXIT.rejected]).toContain(exit);
    expect(sent).toBe(0);
    expect(says.join('\n')).toMatch(/(?:^|\n)(?:eventreg: )?input\.\w+:/);
  });

  test.each(doing('fix'))('$name is mended and would be sent', ({ cases }) => {
    const { exit, sent } = first(cases);
    expect([exit, sent > 0]).toEqual([EXIT.done, true]);
  });

  test.each(doing('ask'))('$name names the flags that answer, and each lets it pass', ({ cases }) => {
    const { exit, sent, says } = first(cases);
    expect([[EXIT.usage, EXIT.rejected].includes(exit as 2 | 3), sent]).toEqual([true, 0]);
    const answered = cases.slice(1);
    expect(answered.length).toBeGreaterThan(0);
    for (const { argv, exit: then, sent: passing } of answered) {
      expect([argv, then, passing > 0]).toEqual([argv, EXIT.done, true]);
      expect(says.join('\n')).toContain(argv[0]);
    }
  });

  test.each(all)('$name takes one screen, and every changed cell shows its change', ({ cases }) => {
    for (const { argv, says, notes } of cases) {
      expect([argv, screenLines(says) <= SCREEN.lines]).toEqual([argv, true]);
      for (const { place, column, repair, before, after } of notes) {
        expect(place).toMatch(/^input\.\w+:(?:[\w ]+:)?\d+$/);
        expect([column === '', repair === '', before === after]).toEqual([false, false, false]);
      }
    }
  });
});
