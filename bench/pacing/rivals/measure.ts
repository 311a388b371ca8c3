import { figuresOf } from '../../../test/support/rate/figures.ts';
import { shortestMs } from '../../../test/support/rate/oracle.ts';
import type { World } from '../../../test/support/rate/world.ts';
import { measurePacer, type Push, type Setting, type Summary, summarise } from '../summary.ts';
import type { PushRow, Rival } from './rival.ts';
import { restartTime, runNextTimer, settle } from './virtual-time.ts';
import { Wire } from './wire.ts';

const WINDOWS = 12;
/** A rival has failed that takes so many times the shortest time, or asks so many times for each row. */
const LONGEST_TIMES = 40;
const MOST_TRIES = 12;

/** The same pushes by our pacer and by everybody else. */
export async function* measureRivals(
  setting: Setting,
  seeds: number,
): AsyncGenerator<{ client: string; summary: Summary }> {
  yield { client: 'eventreg', summary: measurePacer(setting, seeds) };
  for (const [client, rival] of await loadRivals()) {
    const pushes: Push[] = [];
    for (let seed = 0; seed < seeds; seed += 1) pushes.push(await push(setting, seed, rival));
    yield { client, summary: summarise(setting, pushes) };
  }
}

/** Loaded late, so that they find virtual timers. */
async function loadRivals(): Promise<[string, Rival][]> {
  const { bottleneckByHeaders, bottleneckTold } = await import('./bottleneck.ts');
  const { fixedSleep, plainRetry } = await import('./by-hand.ts');
  const { throttleTold } = await import('./p-throttle.ts');
  const { undiciRetry } = await import('./undici-retry.ts');
  return [
    ['Bottleneck fed by the headers', bottleneckByHeaders],
    ['Bottleneck told limit and window', bottleneckTold],
    ['p-throttle told limit and window', throttleTold],
    ['undici RetryAgent', undiciRetry],
    ['retry with backoff', plainRetry],
    ['sleep of 1 s', fixedSleep],
  ];
}

async function push(setting: Setting, seed: number, rival: Rival): Promise<Push> {
  const world: World = { ...setting, seed, requests: WINDOWS * setting.limit, client: NOBODY };
  restartTime();
  const wire = new Wire(world);
  const crew = startCrew(
    world,
    rival(() => wire.ask(), setting),
  );
  const giveUpMs = Date.now() + LONGEST_TIMES * shortestMs(world);
  const patient = () => Date.now() < giveUpMs && wire.sendings.length < MOST_TRIES * world.requests;
  do await settle();
  while (crew.accepted < world.requests && patient() && runNextTimer());
  const figures = figuresOf(world, wire.sendings, wire.service.others, Date.now());
  return { ...figures, stalled: crew.accepted < world.requests };
}

/** Workers that push the rows, each one after the other. */
function startCrew({ requests, workers }: World, pushRow: PushRow): { accepted: number } {
  const crew = { accepted: 0 };
  let taken = 0;
  const work = async () => {
    while (taken < requests) {
      taken += 1;
      await pushRow();
      crew.accepted += 1;
    }
  };
  const count = typeof workers === 'number' ? workers : 64;
  for (let worker = 0; worker < count; worker += 1) void work();
  return crew;
}

/** The figures need a world, and a world a client. */
const NOBODY: World['client'] = {
  delayMs: () => Number.POSITIVE_INFINITY,
  sent: () => 0,
  answered: () => undefined,
  lost: () => undefined,
};
