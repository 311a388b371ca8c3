import type { Readable, Writable } from 'node:stream';
import type { Clock } from './pacing/clock.ts';

/** A stream that may be a terminal. */
export type TextOutput = Writable & { isTTY?: boolean; columns?: number };

/** Questions to the person at the terminal. Only called when stdin and stderr are terminals. */
export interface Prompt {
  confirm(question: string): Promise<boolean>;
  /** Reads a secret without showing it. */
  secret(question: string): Promise<string>;
  text(question: string, initial?: string): Promise<string>;
}

/** Everything that a command may take from the outside world. Costly things are functions. */
export interface Runtime {
  version: string;
  /** Working directory. */
  cwd: string;
  stdin: Readable & { isTTY?: boolean };
  /** Data only. */
  stdout: TextOutput;
  /** Conversation: progress, notes, questions, errors. */
  stderr: TextOutput;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** A number in [0, 1). */
  random(): number;
  /** Aborts on the first Ctrl-C: take no new work, finish what is under way. */
  stopping: AbortSignal;
  /** Aborts on the second Ctrl-C: drop what is under way. */
  aborting: AbortSignal;
  /** Directories; created by whoever writes into them first. */
  paths: { config: string; state: string };
  prompt(): Promise<Prompt>;
}
