import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestLogEntry } from '../../src/sandbox/server.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { FAST_PLACE } from '../support/fast-place.ts';
import { guestsAsCsv } from './guests.ts';
import { makeHome } from './home.ts';
import type { KillOrder, PushProfile } from './kill-order.ts';
import { type PreloadOrder, type ProcessEnd, startProgram } from './push-process.ts';
import type { Scenario } from './scenarios.ts';
import { Power } from './power.ts';
import type { SharedSpace, Team } from './team.ts';
import { type UnderFire, underFire } from './under-fire.ts';
import { judge, type Verdict } from './verdict.ts';
import { judgeState } from './verdict-of-state.ts';

/** So few that a push has to wait several times, and does not wait for long. */
const LIMITED = { limit: 10, windowMs: 300 };
const SETTLE_SECONDS = 1;
/** So late a list is where power is cut: what has left and is not known of is not found by comparing. */
const LATE = { readLagMs: 4000 };
const LATE_SETTLE_SECONDS = 5;

/** On what commands are killed. */
export interface Machines {
  /** Machines that share what was sent: each process is on a new one. */
  team: Team | undefined;
  /** With each kill the power is cut as well. */
  cutsPower: boolean;
}

/** A service and a home of its own for one file that is pushed again and again. */
export class PushUnderFire {
  readonly #scenario: Scenario;
  readonly #directory: string;
  readonly #plan: UnderFire;
  /** Of the last push in peace. */
  #run = '';
  readonly #sandbox: Sandbox;
  readonly #env: Record<string, string>;
  /** Where machines share what was sent: then each process is on a new one. */
  readonly #shared: SharedSpace | undefined;
  /** Of the machine, where it is cut with each kill. */
  readonly #power: Power | undefined;
  /** Hears of every request before it is answered. */
  readonly #seen: { onRequest: () => void };
  /** How many requests came before the push under fire began. */
  #since = 0;

  private constructor(
    scenario: Scenario,
    directory: string,
    sandbox: Sandbox,
    seen: { onRequest: () => void },
    { shared, cutsPower }: { shared: SharedSpace | undefined; cutsPower: boolean },
  ) {
    this.#shared = shared;
    this.#power = cutsPower ? new Power(directory, join(directory, 'state')) : undefined;
    this.#seen = seen;
    this.#scenario = scenario;
    this.#directory = directory;
    this.#sandbox = sandbox;
    this.#plan = underFire(scenario);
    const settleSeconds = scenario.limited ? SETTLE_SECONDS : 0;
    this.#env = makeHome(directory, sandbox, cutsPower ? LATE_SETTLE_SECONDS : settleSeconds);
  }

  /** Starts the service and pushes what is to be there beforehand. Always close it. */
  static async open(
    scenario: Scenario,
    latencyMs: number,
    { team, cutsPower }: Machines,
  ): Promise<PushUnderFire> {
    const seen = { onRequest: (): void => undefined };
    const sandbox = await startSandbox({
      file: ':memory:',
      switches: {
        ...(scenario.limited ? LIMITED : { limit: 0 }),
        ...(cutsPower && LATE),
        upsert: scenario.upsert,
        latencyMs,
      },
      onRequest: () => seen.onRequest(),
    });
    const directory = mkdtempSync(join(FAST_PLACE, 'eventreg-crash-'));
    const shared = await team?.openSpace();
    const bench = new PushUnderFire(scenario, directory, sandbox, seen, { shared, cutsPower });
    await bench.#pushBefore();
    return bench;
  }

  async #pushBefore(): Promise<void> {
    for (const guests of this.#plan.before) {
      this.#write(guestsAsCsv(guests));
      const args = ['push', this.#file, '--json', '--quiet'];
      const { code, out, err } = await startProgram(args, await this.#machine()).done;
      if (code !== 0) {
        await this.close();
        throw new Error(`The push before the first kill ended with ${code}: ${err}`);
      }
      this.#run = (JSON.parse(out) as { run: string }).run;
    }
    this.#write(guestsAsCsv(this.#plan.file));
    this.#since = this.#sandbox.requests().length;
  }

  /** The part of its requests that the service has not taken yet: 1 all of them, 0 none. */
  get partLeft(): number {
    const taken = this.#requests().filter(({ method, status }) => method !== 'GET' && status < 300).length;
    return Math.max(0, 1 - taken / this.#plan.changes);
  }

  /** A push that is left alone. */
  push(): Promise<ProcessEnd> {
    return this.#start();
  }

  /** A push that is left alone and tells what it did. */
  async profile(): Promise<{ end: ProcessEnd; profile: PushProfile }> {
    const before = this.#requests().length;
    const end = await this.#start({ at: 'count' });
    if (end.report === '')
      throw new Error(`The push wrote nothing; it ${end.ending}, with ${end.code}: ${end.err}`);
    const told = JSON.parse(end.report) as Omit<PushProfile, 'requests'>;
    return { end, profile: { ...told, requests: this.#requests().length - before } };
  }

  /** A push that is killed, unless it ends before. */
  async pushAndKill(order: KillOrder): Promise<ProcessEnd> {
    const end = await this.#killed(order);
    if (end.ending === 'killed') this.#power?.cut();
    return end;
  }

  async #killed(order: KillOrder): Promise<ProcessEnd> {
    if (order.at !== 'request' && order.at !== 'time') return this.#start(order);
    const { child, done } = await this.#spawn();
    const kill = (): unknown => child.kill('SIGKILL');
    let seen = 0;
    const timer = order.at === 'time' ? setTimeout(kill, order.delayMs) : undefined;
    this.#seen.onRequest = () => {
      seen += 1;
      if (order.at === 'request' && seen === order.nth) kill();
    };
    const end = await done;
    clearTimeout(timer);
    this.#seen.onRequest = () => undefined;
    await allRead();
    return end;
  }

  /** Pushes once more, and judges what all pushes came to. `resumed` is the end of the last of them. */
  async judge(resumed: ProcessEnd): Promise<{ verdict: Verdict; profile: PushProfile }> {
    const before = this.#requests().length;
    const { end: again, profile } = await this.profile();
    const requests = this.#requests();
    const registrations = this.#sandbox.registrations();
    const late = { ...again, requests: requests.slice(before) };
    const { file: guests, expected } = this.#plan;
    const verdict =
      this.#scenario.command === 'push'
        ? judge({ guests, registrations, requests: requests.slice(0, before), resumed, again: late })
        : judgeState({ expected, registrations, resumed, again: late });
    return { verdict, profile };
  }

  async close(): Promise<void> {
    await this.#sandbox.close();
    await this.#shared?.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #start(order?: PreloadOrder): Promise<ProcessEnd> {
    const { done } = await this.#spawn(order);
    const end = await done;
    await allRead();
    return end;
  }

  async #spawn(order?: PreloadOrder) {
    const args = this.#plan.args({ file: this.#file, run: this.#run });
    const env = { ...(await this.#machine()), ...this.#power?.nextProcess() };
    // Without an order nothing would keep what is on the disk.
    return startProgram(args, env, order ?? (this.#power && { at: 'never' }));
  }

  async #machine(): Promise<Record<string, string>> {
    return { ...this.#env, ...(await this.#shared?.nextMachine(this.#directory)) };
  }

  /** What the service was asked by the pushes under fire. */
  #requests(): readonly RequestLogEntry[] {
    return this.#sandbox.requests().slice(this.#since);
  }

  get #file(): string {
    return join(this.#directory, 'guests.csv');
  }

  #write(text: string): void {
    writeFileSync(this.#file, text);
  }
}

/** What a dead process left in its sockets has been read by the service when this is over. */
async function allRead(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
