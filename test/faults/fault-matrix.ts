import { expect, test } from 'vitest';
import { type FaultCase, type Position, POSITIONS, runCase } from './fault-case.ts';
import { IS_NIGHT } from '../support/night.ts';
import type { NamedFault } from './fault-table.ts';

const EVERYWHERE = Object.keys(POSITIONS) as Position[];
type Faults = readonly (readonly [name: string, fault: NamedFault])[];

/**
 * One test a fault; unless told otherwise, for the first, the middle and the last row. What shows only by
 * its silence costs real time, so that all of it is tested at once.
 */
export function testFaults(
  faults: Readonly<Record<string, NamedFault>>,
  each: Pick<FaultCase, 'upsert' | 'barcodes'>,
  positions: readonly Position[] = EVERYWHERE,
): void {
  const [silent, loud] = bySilence(faults);
  const names = Object.keys(faults);
  // By day one of them for each fault, by turns.
  const placesOf = (name: string) =>
    positions.filter((_, at) => IS_NIGHT || at === names.indexOf(name) % positions.length);
  const check = async (together: Faults): Promise<void> => {
    const cases = together.flatMap(([name, fault]) =>
      placesOf(name).map(async (position) => {
        const wrong = await runCase({ ...each, fault, position });
        return wrong.map((sentence) => `${name}, ${position} row: ${sentence}`);
      }),
    );
    expect((await Promise.all(cases)).flat()).toEqual([]);
  };
  test.each(loud)('%s', (name, fault) => check([[name, fault]]));
  test(`side by side: ${silent.map(([name]) => name).join(', ')}`, () => check(silent));
}

/** Faults that show only by the time that passes, and the others. */
export function bySilence(faults: Readonly<Record<string, NamedFault>>): [silent: Faults, loud: Faults] {
  const all = Object.entries(faults);
  return [all.filter(([, fault]) => fault.silent === true), all.filter(([, fault]) => fault.silent !== true)];
}
