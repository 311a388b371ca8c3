import type { Switches } from '../../src/sandbox/switches.ts';

/**
 * What is pushed. `all`: every row has a barcode. `few`: only the leaders of groups have one. `edited`:
 * every row has one, and most are there already, some of them with other values.
 */
export type GuestData = 'all' | 'few' | 'edited';

/** One way to push: a line of the table. */
export interface Scenario {
  /** As `--only` takes it. */
  name: string;
  upsert: Switches['upsert'];
  concurrency: number;
  data: GuestData;
}

const CONCURRENCIES = [1, 4, 16];

function scenario(upsert: Switches['upsert'], concurrency: number, data: GuestData): Scenario {
  return { name: `${upsert}-${concurrency}-${data}`, upsert, concurrency, data };
}

/** Every scenario. Rows are edited only where the service updates what it knows. */
export const SCENARIOS: readonly Scenario[] = (['update', 'double', 'refuse', 'ignore'] as const).flatMap(
  (upsert) =>
    CONCURRENCIES.flatMap((concurrency) => [
      scenario(upsert, concurrency, 'all'),
      scenario(upsert, concurrency, 'few'),
      ...(upsert === 'update' ? [scenario(upsert, concurrency, 'edited')] : []),
    ]),
);
