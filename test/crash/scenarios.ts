import type { Switches } from '../../src/sandbox/store/switches.ts';

/**
 * What is pushed. `all`: every row has a barcode. `few`: only the leaders of groups have one. `edited`:
 * every row has one, and most are there already, some of them with other values.
 */
export type GuestData = 'all' | 'few' | 'edited';

/** What is killed. */
export type Command = 'push' | 'prune' | 'delete' | 'undo';

/** One way to push, to delete or to undo: a line of the table. */
export interface Scenario {
  /** As `--only` takes it. */
  name: string;
  command: Command;
  /** The service lets few requests through at a time, and what is in doubt is waited for. */
  limited: boolean;
  upsert: Switches['upsert'];
  concurrency: number;
  data: GuestData;
}

const CONCURRENCIES = [1, 4, 16];

function scenario(upsert: Switches['upsert'], concurrency: number, data: GuestData): Scenario {
  const name = `${upsert}-${concurrency}-${data}`;
  return { name, command: 'push', limited: false, upsert, concurrency, data };
}

/** Pushes. Rows are edited only where the service updates what it knows. */
const PUSHES: readonly Scenario[] = (['update', 'double', 'refuse', 'ignore'] as const).flatMap((upsert) =>
  CONCURRENCIES.flatMap((concurrency) => [
    scenario(upsert, concurrency, 'all'),
    scenario(upsert, concurrency, 'few'),
    ...(upsert === 'update' ? [scenario(upsert, concurrency, 'edited')] : []),
  ]),
);

/** What takes away, free and limited, and a push that is limited. */
const OTHERS: readonly Scenario[] = (['push', 'prune', 'delete', 'undo'] as const).flatMap((command) =>
  [false, true].flatMap((limited) => {
    if (command === 'push' && !limited) return [];
    const name = `${command}${limited ? '-limited' : ''}`;
    const concurrency = command === 'push' || command === 'prune' ? 4 : 1;
    return [{ name, command, limited, upsert: 'update' as const, concurrency, data: 'edited' as const }];
  }),
);

/** Every scenario. */
export const SCENARIOS: readonly Scenario[] = [...PUSHES, ...OTHERS];
