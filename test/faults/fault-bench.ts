import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../src/pacing/clock.ts';
import { ROW_STATES } from '../../src/registration/model/row-states.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { listRuns } from '../../src/sync/journal/runs.ts';
import { toldRows } from '../../src/sync/journal/told-rows.ts';
import { type Bench, type Ended, pushBench, type Summary } from '../sync/push-bench.ts';
import { passOn, type TcpFaultProxy, tcpFaultProxy, type WireRequest } from '../support/tcp-fault-proxy.ts';
import type { NamedFault } from './fault-table.ts';

/** Long enough for a busy machine, short enough to be waited for in real time. */
const SILENT_TIMEOUT_SECONDS = 0.5;

export interface FaultBench extends Bench {
  proxy: TcpFaultProxy;
  /** Called before each sleep of the program, which waits for it. */
  onSleep: (ms: number) => Promise<void> | void;
  /** What the journal tells of each guest since the first request about it: states, `sending` once a request. */
  histories(): Map<string, string[]>;
}

/** The whole program against a real sandbox behind a network that can be broken, on a clock that jumps. */
export async function faultBench(
  switches: Partial<Switches> = {},
  { silent = false }: { silent?: boolean } = {},
): Promise<FaultBench> {
  const bench = await pushBench(switches);
  const proxy = await tcpFaultProxy(bench.sandbox.url);
  const baseUrl = bench.sandbox.baseUrl.replace(bench.sandbox.url, proxy.url);
  writeProfile(bench.directory, { baseUrl, ...(silent ? { timeout: SILENT_TIMEOUT_SECONDS } : {}) });
  const clock: Clock = {
    now: () => bench.clock.now(),
    async sleep(ms, signal) {
      await faulty.onSleep(ms);
      await bench.clock.sleep(ms, signal);
    },
  };
  const overrides = { clock, env: { EVENTREG_TOKEN: bench.sandbox.token, EVENTREG_KEYCHAIN: 'off' } };
  const faulty: FaultBench = {
    ...bench,
    proxy,
    onSleep: () => undefined,
    run: (argv) => bench.run(argv, overrides),
    push: (argv) => bench.push(argv, overrides),
    histories: () => readHistories(bench),
  };
  return faulty;
}

function writeProfile(directory: string, profile: { baseUrl: string; timeout?: number }): void {
  const config = join(directory, 'config');
  mkdirSync(config, { recursive: true });
  const profiles = { current: 'default', profiles: { default: profile } };
  writeFileSync(join(config, 'profiles.json'), JSON.stringify(profiles));
}

/** Reads the story of every row as the journal tells it: each request, and what was made of it. */
function readHistories(bench: Bench): Map<string, string[]> {
  const rows = bench.journal((opened) => listRuns(opened).flatMap(({ id }) => [...toldRows(opened, id)]));
  const told = rows.flatMap(({ payload, steps }) =>
    steps.map((step) => ({ ...step, name: String(payload?.fields['first_name']) })),
  );
  const steps = told.sort((one, other) => one.no - other.no);
  const histories = new Map<string, string[]>();
  for (const { name, what, detail } of steps) {
    const history = histories.get(name) ?? [];
    histories.set(name, history);
    const state = what === 'sent' ? 'sending' : (detail?.split(':')[0] ?? '');
    // What was before the first request is no matter, nor is that something stays as it is.
    const isNews = what === 'sent' || (isRowState(state) && history.length > 0 && history.at(-1) !== state);
    if (isNews) history.push(state);
  }
  return histories;
}

const isRowState = (word: string): boolean => ROW_STATES.some((state) => state === word);

/** First name in the body of a POST. */
export function firstNameOf({ body }: Pick<WireRequest, 'body'>): string {
  return (JSON.parse(body) as { fields: { first_name: string } }).fields.first_name;
}

/** Whether a request reads the list. */
export function isListRead({ method, path }: WireRequest): boolean {
  return method === 'GET' && path.includes('/registration');
}

/** Runs the same command until everything is settled, three times at most. Returns how each run ended. */
export async function pushUntilSettled(
  bench: FaultBench,
  argv: readonly string[],
  isSettled: (ended: Ended) => boolean,
): Promise<(Ended & { summary: Summary })[]> {
  const runs: (Ended & { summary: Summary })[] = [];
  do runs.push(await bench.push(argv));
  while (runs.length < 3 && !isSettled(runs.at(-1) as Ended));
  return runs;
}

/** Breaks the first request that a test is after; a late fault lets go as soon as the list is read. */
export function breakFirst(
  { proxy }: FaultBench,
  { wire, late }: NamedFault,
  isHit: (request: WireRequest) => boolean,
): void {
  let broken = false;
  proxy.fault = (request) => {
    if (late === true && isListRead(request)) {
      return async (reading) => {
        await proxy.release();
        await passOn(reading);
      };
    }
    if (broken || typeof wire === 'string' || !isHit(request)) return undefined;
    broken = true;
    return wire;
  };
}

/** Breaks the next connection that is made; what is refused is let in when the program tries again. */
export function breakNext(bench: FaultBench, how: 'refuse' | 'close' | 'reset'): void {
  const { proxy } = bench;
  if (how !== 'refuse') {
    const next = proxy.connections;
    proxy.onAccept = (nth) => (nth === next ? how : undefined);
    return;
  }
  proxy.refuse();
  bench.onSleep = async () => {
    bench.onSleep = () => undefined;
    await proxy.listen();
  };
}
