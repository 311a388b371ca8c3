import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../src/main.ts';
import type { Arrival, Fate } from '../../src/sandbox/server.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { fakeRuntime } from '../support/fake-runtime.ts';
import { faultyService } from '../support/faulty-service.ts';
import { FAST_PLACE } from '../support/fast-place.ts';
import { type Habits, takeOn } from './habits.ts';

const TOKEN = 'model-token-1234';

/** What a command left behind. */
export interface Ended {
  argv: readonly string[];
  code: number;
  out: string;
  err: string;
  /** The process was killed: nobody has read what it said. */
  killed: boolean;
  /** It went on asking until it was given up. */
  endless: boolean;
}

/** No command of the model needs as many. */
const MOST_REQUESTS = 800;

/** A death of the process while a request is at the service. */
export interface Kill {
  /** It dies when the request with this number of the command has come, counted from 0. */
  request: number;
  /** Whether the service still does the work of that request. */
  landed: boolean;
}

/** What happens while a command runs. */
export interface Meanwhile {
  kill?: Kill | undefined;
  /** How long after whatever was before it begins; default: as late as no list lags. */
  waitMs?: number;
  /** Called when a request has come, before its work. */
  onArrival?: ((nth: number, arrival: Arrival) => void) | undefined;
}

/** The whole program, run by its arguments against a sandbox in memory, on a clock that jumps. */
export interface ModelBench {
  sandbox: Sandbox;
  clock: FakeClock;
  write(name: string, text: string): void;
  run(argv: readonly string[], meanwhile?: Meanwhile): Promise<Ended>;
  close(): Promise<void>;
}

export async function modelBench(switches: Partial<Switches>, habits?: Habits): Promise<ModelBench> {
  const directory = mkdtempSync(join(FAST_PLACE, 'eventreg-model-'));
  const clock = fakeClock({ auto: true });
  let arrive: (arrival: Arrival) => Fate = () => 'serve';
  const sandbox = await startSandbox({
    file: ':memory:',
    token: TOKEN,
    switches,
    now: () => clock.now(),
    onArrival: (arrival) => arrive(arrival),
  });
  const odd = habits === undefined ? undefined : await faultyService(sandbox.url);
  if (odd !== undefined && habits !== undefined) takeOn(odd, habits, sandbox);
  const env = {
    EVENTREG_BASE_URL: sandbox.baseUrl.replace(sandbox.url, odd?.url ?? sandbox.url),
    EVENTREG_INTEG_URL: sandbox.integUrl.replace(sandbox.url, odd?.url ?? sandbox.url),
    EVENTREG_TOKEN: TOKEN,
    EVENTREG_KEYCHAIN: 'off',
  };
  return {
    sandbox,
    clock,
    write: (name, text) => writeFileSync(join(directory, name), text),
    async run(argv, { kill, onArrival, waitMs = 60_000 } = {}) {
      await clock.advance(waitMs);
      const stop = new AbortController();
      const state = join(directory, 'state');
      const image = join(directory, 'image');
      let nth = 0;
      let killed = false;
      arrive = (arrival) => {
        if (killed) return 'drop';
        const number = nth;
        nth += 1;
        if (nth > MOST_REQUESTS) {
          stop.abort();
          return 'drop';
        }
        onArrival?.(number, arrival);
        if (number !== kill?.request) return 'serve';
        killed = true;
        copyState(state, image);
        stop.abort();
        return kill.landed ? 'drop-answer' : 'drop';
      };
      const { runtime, out, err } = fakeRuntime({
        directory,
        clock,
        env,
        stopping: stop.signal,
        aborting: stop.signal,
      });
      const code = await main(argv, runtime);
      arrive = () => 'serve';
      if (killed) {
        rmSync(state, { recursive: true, force: true });
        cpSync(image, state, { recursive: true });
      }
      return { argv, code, out: out(), err: err(), killed, endless: nth > MOST_REQUESTS };
    },
    async close() {
      odd?.close();
      await sandbox.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The files as a killed process leaves them: nothing that is done afterwards is in them. */
function copyState(state: string, image: string): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  rmSync(image, { recursive: true, force: true });
  cpSync(state, image, { recursive: true });
}
