import { onTestFinished } from 'vitest';
import type { Account } from '../../src/commands/pacing-account.ts';
import { openPacingFile } from '../../src/commands/pacing-file.ts';
import type { Ledger } from '../../src/pacing/ledger.ts';
import type { Answer } from '../../src/pacing/pacer.ts';
import type { SharedRows } from '../../src/pacing/shared-rows.ts';
import { createSharedLedger } from '../../src/pacing/shared-ledger.ts';
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
  start: (account?: Account) => Process;
}

export interface Process {
  ledger: Ledger;
  /** A ticket, or undefined when it has to wait. */
  take: (leave?: number) => number | undefined;
  answered: (ticket: number | undefined, answer: Answer) => void;
  /** How long it would have to wait, and when it asks again; undefined when a request went instead. */
  wait: (leave?: number) => { delayMs: number; againMs: number } | undefined;
  /** Nothing is written any more, as after SIGKILL. */
  kill: () => void;
}

export function machine(directory = temporaryDirectory()): Machine {
  const clock = fakeClock();
  return { directory, clock, start: (account = ACCOUNT) => startProcess(directory, clock, account) };
}

function startProcess(directory: string, clock: FakeClock, account: Account): Process {
  let rows: SharedRows | undefined;
  const ledger = createSharedLedger({
    clock,
    makePacer: (memory) => new CountingPacer(WINDOW_MS, memory),
    open: () => (rows = openPacingFile(directory, account, clock.now(), 0)),
  });
  const kill = (): void => {
    rows?.close();
    rows = undefined;
  };
  onTestFinished(() => {
    // Unless it was closed by the test.
    if (rows?.isOpen === true) kill();
  });
  return {
    ledger,
    kill,
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
