import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Clock } from '../../src/pacing/clock.ts';
import { Turn } from '../../src/state/turn.ts';
import { SCENARIOS } from '../crash/scenarios.ts';
import { Team } from '../crash/team.ts';
import { type EndedPush, judge } from '../crash/verdict.ts';
import { judgeState } from '../crash/verdict-of-state.ts';
import { IS_NIGHT } from '../support/night.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type Cut, HandOver, type WorldOptions } from './hand-over.ts';
import { realClock, WITHOUT } from './state-bench.ts';

let team: Team | undefined;
beforeAll(async () => {
  if (WITHOUT === undefined) team = await Team.open();
});
afterAll(() => team?.close());
afterEach(() => void vi.restoreAllMocks());

/** Of each of five commands. */
const KILLS = IS_NIGHT ? 100 : 4;
/** Where something is waited for, in all; worlds are played at once. */
const WAITING_KILLS = IS_NIGHT ? 100 : 2;
const WORLDS = IS_NIGHT ? 3 : 2;

async function openWorld(name: string, options?: WorldOptions): Promise<HandOver> {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario === undefined || team === undefined) throw new Error(`There is no scenario ${name}.`);
  const world = await HandOver.open(scenario, team, options);
  onTestFinished(() => world.close());
  return world;
}

/** Cuts off one machine after the other, all over what a whole command sends. */
async function kill(
  world: HandOver,
  kills: number,
  most: Record<Cut['to'], number>,
  random: () => number,
): Promise<number> {
  for (let killed = 0; killed < kills; killed += 1) {
    const to = random() < 0.6 ? 'database' : 'service';
    const nth = 1 + Math.floor(random() * Math.max(4, most[to] * world.partLeft));
    if (!(await world.killed({ to, nth, arrives: random() < 0.6 }))) return killed;
  }
  return kills;
}

/** Plays so many worlds that there are enough kills; `judged` holds each against the truth, true where that is enough. */
async function killAll(
  open: () => Promise<HandOver>,
  kills: number,
  judged: (world: HandOver, resumed: EndedPush) => Promise<boolean | void>,
  worlds = 1,
): Promise<void> {
  const { sent } = await (await open()).whole();
  const random = seededRandom(31);
  let killed = 0;
  const lane = async (): Promise<void> => {
    while (killed < kills) {
      const world = await open();
      killed += await kill(world, Math.ceil(kills / worlds), sent, random);
      if (await judged(world, await world.whole())) killed = kills;
    }
  };
  await Promise.all(Array.from({ length: worlds }, lane));
}

/** Holds what the last machine said against what is there; then the command once more has nothing to do. */
async function judgeWhole(world: HandOver, resumed: EndedPush, isPush: boolean): Promise<void> {
  const requests = world.requests();
  const again = await world.whole();
  const { plan, sandbox } = world;
  const evidence = { resumed, again, registrations: sandbox.registrations() };
  const verdict = isPush
    ? judge({ ...evidence, guests: plan.file, requests })
    : judgeState({ ...evidence, expected: plan.expected });
  expect(verdict).toMatchObject({ lost: 0, doubled: 0, violations: [] });
}

describe.skipIf(WITHOUT !== undefined)(
  'a command that is killed again and again',
  { timeout: 1_200_000 },
  () => {
    test.each(['double-4-all', 'double-4-few', 'update-4-edited', 'delete', 'undo'])(
      'goes on, whole and once, on machines that have nothing: %s',
      async (name) => {
        await killAll(
          () => openWorld(name),
          KILLS,
          (world, resumed) => judgeWhole(world, resumed, name.includes('-')),
        );
      },
    );

    /** Shows neither barcodes nor values, takes each create for a new one, and does its work late. */
    const UNSEEN: WorldOptions = {
      switches: { recordBarcode: 'hidden', recordShape: 'no-values', upsert: 'double', landMs: 150 },
      settleSeconds: 0.3,
      timeout: 0.5,
      databaseMs: 20,
    };

    /** How many are there more than once, and are neither there nor told of: in doubt, or members of somebody in doubt. */
    async function comeTo(world: HandOver, { out }: EndedPush) {
      const { problems } = JSON.parse(out) as { problems: { place: string; state: string }[] };
      const lines = problems
        .filter(({ state }) => /^(?:uncertain|blocked)$/.test(state))
        .map(({ place }) => /\d+$/.exec(place)?.[0]);
      const counts = world.plan.file.map(
        ({ barcode }) => world.sandbox.registrations().filter((one) => one.barcode === barcode).length,
      );
      return {
        doubled: counts.filter((count) => count > 1).length,
        lost: counts.filter((count, at) => count === 0 && !lines.includes(String(at + 2))).length,
      };
    }

    test('leaves in doubt what may have left, where nothing can be compared and all lands late', async () => {
      await killAll(
        () => openWorld('double-4-all', UNSEEN),
        WAITING_KILLS,
        async (world, resumed) => {
          expect(await comeTo(world, resumed)).toEqual({ doubled: 0, lost: 0 });
          const { requests } = await world.whole();
          expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
        },
        WORLDS,
      );
    });

    test('leaves nobody twice where the clocks of the machines are five minutes apart', async () => {
      const clockOf = (machine: number): Clock => ({
        ...realClock,
        now: () => Date.now() + (machine % 2 === 0 ? 150_000 : -150_000),
      });
      await killAll(
        () =>
          openWorld('double-4-all', { switches: { landMs: 150 }, settleSeconds: 0.4, timeout: 2, clockOf }),
        WAITING_KILLS,
        (world, resumed) => judgeWhole(world, resumed, true),
        WORLDS,
      );
    });

    test.runIf(IS_NIGHT)(
      'would be doubled there if anything left before its intent is in the space',
      async () => {
        const shipped = Object.getOwnPropertyDescriptor(Turn.prototype, 'shipped')?.value as Turn['shipped'];
        vi.spyOn(Turn.prototype, 'shipped').mockImplementation(function (this: Turn) {
          void shipped.call(this).catch(() => undefined);
          return Promise.resolve();
        });
        let doubled = 0;
        await killAll(
          () => openWorld('double-4-all', { ...UNSEEN, databaseMs: 100 }),
          KILLS,
          async (world, resumed) => {
            doubled += (await comeTo(world, resumed)).doubled;
            return doubled > 0;
          },
          WORLDS,
        );
        expect(doubled).toBeGreaterThan(0);
      },
    );
  },
);
