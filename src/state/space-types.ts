import type { Clock } from '../pacing/clock.ts';
import type { SpaceAddress } from '../settings/state-address.ts';
import type { Holder as RunHolder } from '../sync/journal/run.ts';

/** What was changed, sealed; bound to the one before. */
export interface Change {
  number: number;
  body: Buffer;
}

/** A number, and the tag by which the change after it is bound to it. */
export interface Position {
  number: number;
  tag: Buffer;
}

/** Who writes to a space, since when it is that process's turn. */
export interface Holder extends RunHolder {
  user: string;
  /** What it does, as in "pushes guests.csv". */
  does: string;
  /** Where the job is shown that it is part of. */
  job?: string | undefined;
}

/** Where a space stands. Times are the database's, in milliseconds since 1970. */
export interface Head extends Position {
  epoch: number;
  /** Where its snapshot stands. */
  base: number;
  baseTag: Buffer;
  holder: Holder | undefined;
  /** How much longer the turn lasts; 0 where nobody has it. */
  leftMs: number;
  nowMs: number;
}

/** Which space, and who opens it. */
export interface SpaceOptions {
  address: SpaceAddress;
  key: Buffer;
  stateDir: string;
  clock: Clock;
  /** Ends waiting for a turn; ends waiting for the database. */
  stopping: AbortSignal;
  aborting: AbortSignal;
  self: Omit<Holder, 'since' | 'does'>;
  tell: (text: string) => void;
}
