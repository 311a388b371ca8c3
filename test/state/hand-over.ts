import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { InterruptedError } from '../../src/errors.ts';
import { main } from '../../src/main.ts';
import type { Clock } from '../../src/pacing/clock.ts';
import type { RequestLogEntry } from '../../src/sandbox/server.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { guestsAsCsv } from '../crash/guests.ts';
import { makeHome } from '../crash/home.ts';
import type { Scenario } from '../crash/scenarios.ts';
import type { SharedSpace, Team } from '../crash/team.ts';
import { type UnderFire, underFire } from '../crash/under-fire.ts';
import type { EndedPush } from '../crash/verdict.ts';
import { fakeRuntime } from '../support/fake-runtime.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { realClock } from './state-bench.ts';

/** Where a machine is cut off: at what it sends the n-th time to one of both, which arrives or does not. */
export interface Cut {
  to: 'database' | 'service';
  nth: number;
  arrives: boolean;
}

/** A way out of the machine that works just now. What it has sent is under way, whatever becomes of it. */
class Way {
  sent = 0;
  /** Told of each piece that the machine sends; false keeps it back. */
  onSent: () => boolean = () => true;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isOpen = false;

  private constructor(target: number, delayMs: number) {
    // What has been sent arrives, whatever becomes of the machine.
    const later = (work: () => void): void => (delayMs === 0 ? work() : void setTimeout(work, delayMs));
    this.#server = createServer((machine) => {
      if (!this.#isOpen) {
        machine.destroy();
        return;
      }
      const there = connect(target, '127.0.0.1');
      this.#sockets.add(machine);
      machine.on('data', (bytes) => {
        this.sent += 1;
        if (this.#isOpen && this.onSent()) later(() => there.write(bytes));
      });
      there.on('data', (bytes) => machine.writable && machine.write(bytes));
      machine.on('close', () => {
        this.#sockets.delete(machine);
        later(() => there.end());
      });
      there.on('close', () => machine.destroy());
      for (const socket of [machine, there]) socket.on('error', () => undefined);
    });
  }

  static async to(target: number, delayMs = 0): Promise<Way> {
    const way = new Way(target, delayMs);
    way.#server.listen(0, '127.0.0.1');
    await once(way.#server, 'listening');
    return way;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  open(): void {
    [this.sent, this.#isOpen] = [0, true];
  }

  cut(): void {
    this.#isOpen = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}

export interface WorldOptions {
  switches?: Partial<Switches>;
  /** How late something may land. */
  settleSeconds?: number;
  /** Seconds that an answer may take; what is in doubt is waited for twice as long. */
  timeout?: number;
  /** How long what is sent to the database is under way. */
  databaseMs?: number;
  /** The clock of each machine. */
  clockOf?: (machine: number) => Clock;
}

/**
 * A command that is given again and again, each time on a machine that has nothing. A machine that is killed is cut off
 * from database and service in one moment: to all others that is the same, and takes no process.
 */
export class HandOver {
  readonly sandbox: Sandbox;
  readonly plan: UnderFire;
  readonly #scenario: Scenario;
  readonly #directory = temporaryDirectory();
  readonly #home: Readonly<Record<string, string>>;
  readonly #space: SharedSpace;
  readonly #ways: Readonly<Record<Cut['to'], Way>>;
  readonly #clockOf: (machine: number) => Clock;
  #run = '';
  #machines = 0;
  #since = 0;

  private constructor(
    scenario: Scenario,
    sandbox: Sandbox,
    space: SharedSpace,
    ways: Record<Cut['to'], Way>,
    { settleSeconds = 0, timeout, clockOf = () => realClock }: WorldOptions,
  ) {
    this.#clockOf = clockOf;
    this.#scenario = scenario;
    this.sandbox = sandbox;
    this.plan = underFire(scenario);
    this.#space = space;
    this.#ways = ways;
    const baseUrl = sandbox.baseUrl.replace(/:\d+/, `:${ways.service.port}`);
    this.#home = makeHome(this.#directory, { ...sandbox, baseUrl }, settleSeconds, timeout);
  }

  /** Starts the service and pushes what is to be there beforehand. */
  static async open(scenario: Scenario, team: Team, options: WorldOptions = {}): Promise<HandOver> {
    const switches = { limit: 0, upsert: scenario.upsert, ...options.switches };
    const sandbox = await startSandbox({ file: ':memory:', switches });
    const space = await team.openSpace();
    const ways = {
      database: await Way.to(space.port, options.databaseMs),
      service: await Way.to(Number(new URL(sandbox.baseUrl).port)),
    };
    const world = new HandOver(scenario, sandbox, space, ways, options);
    for (const guests of world.plan.before) {
      world.#write(guestsAsCsv(guests));
      const { code, out, err } = await world.#give(['push', world.#file, '--json', '--quiet']);
      if (code !== 0) throw new Error(`The push before the first kill ended with ${String(code)}: ${err}`);
      world.#run = (JSON.parse(out) as { run: string }).run;
    }
    world.#write(guestsAsCsv(world.plan.file));
    world.#since = sandbox.requests().length;
    return world;
  }

  /** The command on a new machine, which is cut off as it is said; false where it has ended before. */
  async killed(cut: Cut): Promise<boolean> {
    const machine = new AbortController();
    let isCut = false;
    const way = this.#ways[cut.to];
    way.onSent = () => {
      if (way.sent !== cut.nth) return true;
      isCut = true;
      // After what is let through has gone.
      queueMicrotask(() => {
        for (const one of Object.values(this.#ways)) one.cut();
        machine.abort(new InterruptedError());
      });
      return cut.arrives;
    };
    await this.#give(this.#args, machine.signal);
    way.onSent = () => true;
    return isCut;
  }

  /** The command on a new machine, left alone; how often it sent something to each. */
  async whole(): Promise<
    EndedPush & { sent: Record<Cut['to'], number>; requests: readonly RequestLogEntry[] }
  > {
    const before = this.requests().length;
    const end = await this.#give(this.#args);
    const { database, service } = this.#ways;
    const requests = this.requests().slice(before);
    return { ...end, sent: { database: database.sent, service: service.sent }, requests };
  }

  /** The part of its changes that the service has not taken yet. */
  get partLeft(): number {
    const taken = this.requests().filter(({ method, status }) => method !== 'GET' && status < 300).length;
    return Math.max(0, 1 - taken / this.plan.changes);
  }

  /** What the service was asked under fire. */
  requests(): readonly RequestLogEntry[] {
    return this.sandbox.requests().slice(this.#since);
  }

  async close(): Promise<void> {
    for (const way of Object.values(this.#ways)) way.close();
    await this.#space.close();
    await this.sandbox.close();
  }

  async #give(argv: readonly string[], signal = new AbortController().signal): Promise<EndedPush> {
    this.#machines += 1;
    const machine = await this.#space.nextMachine(this.#directory);
    const address = new URL(machine['EVENTREG_STATE'] ?? '');
    address.port = String(this.#ways.database.port);
    const env: Record<string, string> = { ...this.#home, ...machine, EVENTREG_STATE: address.href };
    for (const way of Object.values(this.#ways)) way.open();
    const { runtime, out, err } = fakeRuntime({
      env,
      clock: this.#clockOf(this.#machines),
      paths: { config: env['EVENTREG_CONFIG_DIR'] ?? '', state: env['EVENTREG_STATE_DIR'] ?? '' },
      stopping: signal,
      aborting: signal,
      self: { pid: 1, host: `machine-${this.#machines}`, startedAt: this.#machines },
    });
    const code = await main(argv, runtime);
    return { code, out: out(), err: err() };
  }

  get #args(): string[] {
    const args = this.plan.args({ file: this.#file, run: this.#run });
    return this.#scenario.command === 'push' ? [...args, '--yes'] : args;
  }

  get #file(): string {
    return join(this.#directory, 'guests.csv');
  }

  #write(text: string): void {
    writeFileSync(this.#file, text);
  }
}
