import { seededRandom } from '../support/seeded-random.ts';
import { ALL_WAYS, AT_WRITES, chooseKill, type KillOrder, type Target } from './kill-order.ts';
import type { ProcessEnd } from './push-process.ts';
import { type Machines, PushUnderFire } from './push-under-fire.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import type { Verdict } from './verdict.ts';

/** One file pushed, killed and resumed until it is done. */
export interface ChainResult {
  scenario: Scenario;
  /** How long the service took to answer. */
  latencyMs: number;
  /** All that was tried, in order. */
  orders: readonly KillOrder[];
  /** Those that took effect: a push may end before its kill. */
  kills: readonly KillOrder[];
  /** Of the kills during a write, those that fell inside it. */
  inside: number;
  /** Pushes after the first, those that were killed as well included. */
  resumes: number;
  verdict: Verdict;
}

/** Kills for a chain, one after the other; undefined ends it. `part` is what the push has still to send. */
export type NextKill = (nth: number, part: number) => KillOrder | undefined;

const KILLS = { fewest: 6, most: 14 };
/** Steps of the golden section come close to every point of [0, 1) soon, however many there are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Pushes the file of a scenario without any kill; kills are aimed at what that did. */
export async function profileScenario(
  scenario: Scenario,
  machines: Machines,
): Promise<{ target: Target; result: ChainResult }> {
  const bench = await PushUnderFire.open(scenario, 0, machines);
  try {
    const { end, profile: full } = await bench.profile();
    const { verdict, profile: idle } = await bench.judge(end);
    const nothing = { latencyMs: 0, orders: [], kills: [], inside: 0, resumes: 0 };
    return { target: { full, idle }, result: { scenario, ...nothing, verdict } };
  } finally {
    await bench.close();
  }
}

/** Plays the chain of a number: its kills are chosen by the seed, and by what is left to send each time. */
export function playChain(
  scenario: Scenario,
  target: Target,
  chain: number,
  seed: number,
  machines: Machines,
): Promise<ChainResult> {
  const random = seededRandom(hash(`${seed} ${scenario.name} ${chain}`));
  const length = KILLS.fewest + Math.floor(random() * (KILLS.most - KILLS.fewest + 1));
  const latencyMs = random() < 0.5 ? 0 : 3;
  const first = { position: firstPosition(scenario, chain, seed), ways: AT_WRITES };
  return playKills(
    scenario,
    latencyMs,
    (nth, part) => {
      if (nth >= length) return undefined;
      const aim = nth === 0 ? first : { position: random(), ways: ALL_WAYS };
      return chooseKill(target, random, { ...aim, part });
    },
    machines,
  );
}

/** Pushes, kills and resumes until there are no more kills or the push has ended before one. */
export async function playKills(
  scenario: Scenario,
  latencyMs: number,
  nextKill: NextKill,
  machines: Machines,
): Promise<ChainResult> {
  const bench = await PushUnderFire.open(scenario, latencyMs, machines);
  try {
    const orders: KillOrder[] = [];
    const kills: KillOrder[] = [];
    let inside = 0;
    let end: ProcessEnd;
    do {
      const order = nextKill(orders.length, bench.partLeft);
      end = await (order === undefined ? bench.push() : bench.pushAndKill(order));
      if (order === undefined) break;
      orders.push(order);
      if (end.ending === 'killed') kills.push(order);
      if (end.report === 'inside') inside += 1;
    } while (end.ending === 'killed');
    const { verdict } = await bench.judge(end);
    return { scenario, latencyMs, orders, kills, inside, resumes: kills.length, verdict };
  } finally {
    await bench.close();
  }
}

/** The first kills of all chains of all scenarios together are spread over the writes of a push. */
function firstPosition(scenario: Scenario, chain: number, seed: number): number {
  const number = chain * SCENARIOS.length + SCENARIOS.indexOf(scenario);
  return (seededRandom(seed)() + number * GOLDEN) % 1;
}

/** FNV-1a: a number for a text. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
