import { onTestFinished } from 'vitest';
import { openPacingFile, type Account } from '../../src/commands/connect/pacing-file.ts';
import type { Ledger } from '../../src/pacing/ledger.ts';
import type { Answer } from '../../src/pacing/pacer-state.ts';
import type { RowFile } from '../../src/pacing/shared/shared-row.ts';
import { SharedLedger } from '../../src/pacing/shared/shared-ledger.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { CountingPacer } from './counting-pacer.ts';

export const WINDOW_MS = 60_000;
const ACCOUNT = { origin: 'https://events.example', token: 'a token' };

export function answer(limit: number | undefined, more: Partial<Answer> = {}): Answer {
  return { refused: false, limit, remaining: undefined, retryAfterMs: undefined, ...more };
}

/** Ledgers on one file: to each other they are what processes are. */
export interface Machine {
  directory: string;
  clock: FakeClock;
  /** `change` is told of each pacer that the process makes. */
  start: (account?: Account, change?: (pacer: CountingPacer) => void) => Process;
}

export interface Process {
  ledger: Ledger;
  /** A ticket, or undefined when it has to wait. */
  take: (leave?: number) => number | undefined;
  answered: (ticket: number | undefined, answer: Answer) => void;
  /** How long it would have to wait, and when it asks again; undefined when a request went instead. */
  wait: (leave?: number) => { delayMs: number; againMs: number } | undefined;
  /** Nothing is written any more, as after SIGKILL; to the process itself the file has failed. */
  kill: () => void;
  /** It sleeps on until the end, as after SIGSTOP. */
  stop: () => void;
  /** How often it has closed the file. */
  closed: () => number;
}

export function machine(directory = temporaryDirectory()): Machine {
  const clock = fakeClock();
  return {
    directory,
    clock,
    start: (account = ACCOUNT, change) => startProcess(directory, clock, account, change),
  };
}

function fail(): never {
  throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
}

function startProcess(
  directory: string,
  clock: FakeClock,
  account: Account,
  change?: (pacer: CountingPacer) => void,
): Process {
  let rows: RowFile | undefined;
  let [closed, isStopped] = [0, false];
  const ledger = new SharedLedger({
    clock: {
      now: () => clock.now(),
      async sleep(ms, signal) {
        await clock.sleep(ms, signal);
        if (isStopped) await new Promise(() => undefined);
      },
    },
    makePacer(memory) {
      const pacer = new CountingPacer(WINDOW_MS, memory);
      change?.(pacer);
      return pacer;
    },
    open() {
      const opened = openPacingFile(directory, account, clock.now(), 0);
      rows = opened;
      const close = opened.close.bind(opened);
      opened.close = () => {
        closed += 1;
        if (closed === 1) close();
      };
      return opened;
    },
  });
  const kill = (): void => {
    if (rows === undefined) return;
    rows.close();
    closed = 1;
    Object.assign(rows, { transact: fail });
  };
  onTestFinished(() => {
    if (closed === 0) rows?.close();
  });
  return {
    ledger,
    kill,
    stop: () => (isStopped = true),
    closed: () => closed,
    take(leave) {
      const turn = ledger.take(clock.now(), leave);
      return 'ticket' in turn ? turn.ticket : undefined;
    },
    wait(leave) {
      const turn = ledger.take(clock.now(), leave);
      return 'ticket' in turn ? undefined : turn;
    },
    answered(ticket, given) {
      if (ticket === undefined) throw new Error('There was no ticket.');
      ledger.answered(ticket, clock.now(), given);
    },
  };
}
