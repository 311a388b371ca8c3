import { EXIT } from '../../src/errors.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { type Ended, type Summary, visitors } from '../sync/push-bench.ts';
import { answerLast } from '../support/tcp-faults.ts';
import {
  breakFirst,
  breakNext,
  type FaultBench,
  faultBench,
  firstNameOf,
  pushUntilSettled,
} from './fault-bench.ts';
import type { AttemptClass, NamedFault } from './fault-table.ts';

type Guest = 'Ann' | 'Bob' | 'Cid' | 'Dan' | 'Eve' | 'Fay' | 'Gus';
const GUESTS: readonly Guest[] = ['Ann', 'Bob', 'Cid', 'Dan', 'Eve', 'Fay', 'Gus'];
/** Ann and Dan come with members, who are sent after all who are none. */
const PARTIES = visitors('A:Ann', 'B/A:Bob', 'C/A:Cid', 'D:Dan', 'E/D:Eve', 'F:Fay', 'G/A:Gus');
const NAMES_ONLY = visitors(...GUESTS.map((name) => `:${name}`));

/** Which of seven rows the fault hits, and how many were sent before it when they go one by one. */
export const POSITIONS = { first: ['Ann', 0], middle: ['Dan', 3], last: ['Gus', 6] } as const;
export type Position = keyof typeof POSITIONS;

export interface FaultCase {
  fault: NamedFault;
  position: Position;
  upsert: Switches['upsert'];
  barcodes: boolean;
}

/** How a case ended: what the program said, what the journal noted, and what the service has seen. */
interface Facts extends FaultCase {
  runs: (Ended & { summary: Summary })[];
  /** The row that was hit; where connections are, the journal tells which one it was. */
  victim: Guest;
  history: Readonly<Record<Guest, readonly string[]>>;
  /** Requests that the service worked on. */
  posts: Readonly<Record<Guest, number>>;
  /** Ids that the service holds. */
  ids: Readonly<Record<Guest, readonly string[]>>;
}

/** Runs a case to its end. Returns what went wrong, in words. */
export async function runCase(each: FaultCase): Promise<string[]> {
  const { fault, barcodes, upsert, position } = each;
  const bench = await faultBench({ upsert }, { silent: fault.silent === true });
  const argv = [bench.write('guests.csv', barcodes ? PARTIES : NAMES_ONLY)];
  if (typeof fault.wire === 'string') {
    argv.push('--concurrency', '1');
    await breakConnection(bench, fault.wire, { argv, each });
  } else {
    const [victim] = POSITIONS[position];
    breakFirst(bench, fault, (request) => request.method === 'POST' && firstNameOf(request) === victim);
  }
  const settled = barcodes ? [EXIT.done] : [EXIT.done, EXIT.uncertain];
  const runs = await pushUntilSettled(bench, argv, ({ code }) => settled.some((one) => one === code));
  if (fault.late === true) await bench.proxy.release();
  const facts = readFacts(bench, each, runs);
  return [...checkEveryone(facts), ...checkVictim(facts), ...checkReport(facts)];
}

/** Breaks the connection for the row at a position. Every answer is the last one of its connection. */
async function breakConnection(
  bench: FaultBench,
  how: 'refuse' | 'close' | 'reset',
  { argv, each }: { argv: readonly string[]; each: FaultCase },
): Promise<void> {
  const { proxy } = bench;
  const before = (await readsBeforeFirstPost(argv, each)) + POSITIONS[each.position][1];
  proxy.fault = () => {
    if (proxy.requests.length === before) breakNext(bench, how);
    return answerLast;
  };
}

/** What the same command reads when all is well. */
async function readsBeforeFirstPost(
  argv: readonly string[],
  { barcodes, upsert }: FaultCase,
): Promise<number> {
  const bench = await faultBench({ upsert });
  bench.write('guests.csv', barcodes ? PARTIES : NAMES_ONLY);
  await bench.push(argv);
  return bench.proxy.requests.findIndex(({ method }) => method === 'POST');
}

function readFacts(bench: FaultBench, each: FaultCase, runs: Facts['runs']): Facts {
  const perGuest = <T>(read: (guest: Guest) => T): Record<Guest, T> =>
    Object.fromEntries(GUESTS.map((guest) => [guest, read(guest)])) as Record<Guest, T>;
  const histories = bench.histories();
  const history = perGuest((guest) => histories.get(guest) ?? []);
  const posted = bench.posts().map(({ body = '' }) => firstNameOf({ body }));
  const kept = bench.sandbox.registrations();
  const hit = GUESTS.find((guest) => classOf(history[guest]) !== 'done');
  return {
    ...each,
    runs,
    victim: typeof each.fault.wire === 'string' ? (hit ?? 'Ann') : POSITIONS[each.position][0],
    history,
    posts: perGuest((guest) => posted.filter((name) => name === guest).length),
    ids: perGuest((guest) => kept.filter(({ fields }) => fields['first_name'] === guest).map(({ id }) => id)),
  };
}

/** What the journal made of the first attempt. */
function classOf([, second, third]: readonly string[]): AttemptClass | 'none' {
  if (second === 'sending') return third === 'done' ? 'resent' : 'none';
  return second === 'done' || second === 'uncertain' ? second : 'none';
}

/** Nobody is lost, nobody is there twice, and those who were not hit were sent once. */
function checkEveryone({ barcodes, fault, history, ids, posts, upsert, victim }: Facts): string[] {
  const wrong: string[] = [];
  for (const guest of GUESTS) {
    const isHit = guest === victim;
    const copies = ids[guest].length;
    const doubledByNetwork = fault.landed === 2 && (!barcodes || upsert === 'double');
    const leftInDoubt = !barcodes && history[guest].at(-1) === 'uncertain';
    const expected = isHit && doubledByNetwork ? 2 : isHit && leftInDoubt ? fault.landed : 1;
    if (copies !== expected) wrong.push(`${guest} is there ${copies} times, not ${expected}`);
    if (isHit || fault.silent === true) continue;
    if (history[guest].join() !== 'sending,done') wrong.push(`${guest}: ${history[guest].join()}`);
    if (posts[guest] !== 1) wrong.push(`${guest} arrived ${posts[guest]} times`);
  }
  return wrong;
}

/** The first attempt got its class, and was followed by as many as that allows. */
function checkVictim({ barcodes, fault, history, posts, victim }: Facts): string[] {
  const wrong: string[] = [];
  const seen = classOf(history[victim]);
  const allowed: readonly string[] = [fault.attempt].flat();
  if (!allowed.includes(seen)) {
    wrong.push(`${victim} is ${seen}, not ${allowed.join(' or ')}: ${history[victim].join()}`);
  }
  const again = seen === 'resent' || (seen === 'uncertain' && fault.landed === 0 && barcodes);
  const attempts = history[victim].filter((state) => state === 'sending').length;
  if (attempts !== (again ? 2 : 1)) wrong.push(`${victim} was sent ${attempts} times`);
  const arrived = fault.landed + Number(again);
  if (posts[victim] !== arrived) wrong.push(`${victim} arrived ${posts[victim]} times, not ${arrived}`);
  return wrong;
}

/** The exit codes and what was printed tell the truth. */
function checkReport({ barcodes, fault, history, ids, runs, victim, upsert }: Facts): string[] {
  const said = runs.map(({ code, err, out }) => `exit ${code}: ${err}${out}`).join('\n');
  const [first, last] = [runs[0]?.code, runs.at(-1)?.code];
  if (fault.landed === 2 && upsert === 'double' && barcodes) {
    const told = last !== EXIT.done && ids[victim].every((id) => said.includes(id));
    return told ? [] : [`${victim} is doubled (${ids[victim].join(', ')}), which is not reported: ${said}`];
  }
  const inDoubt = !barcodes && history[victim].at(-1) === 'uncertain';
  // What arrived twice is named by each push while both are there.
  const isDoubled = !barcodes && !inDoubt && fault.landed === 2;
  const end = inDoubt ? EXIT.uncertain : isDoubled ? EXIT.rejected : EXIT.done;
  const wrong: string[] = [];
  if (first !== end) wrong.push(`began with ${first}, not ${end}: ${said}`);
  if (last !== end) wrong.push(`ended with ${last}, not ${end}: ${said}`);
  const listed = runs.at(-1)?.summary.problems.map(({ place, state }) => `${place} ${state}`) ?? [];
  const state = inDoubt ? 'uncertain' : isDoubled ? 'doubled' : undefined;
  const place = state === undefined ? '' : `guests.csv:${GUESTS.indexOf(victim) + 2} ${state}`;
  if (listed.join() !== place) wrong.push(`lists ${listed.join() || 'no problem'}`);
  return wrong;
}
