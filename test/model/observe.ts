import type { RequestLogEntry } from '../../src/sandbox/server.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import type { Habits } from './habits.ts';
import type { Model } from './model.ts';
import type { Said, ToldEntry } from './said.ts';
import type { FileRow, PushStep } from './scenario.ts';
import type { Foreign, Snapshot } from './world.ts';

/** What can be judged of every command. */
export interface Observed {
  /** Number of its step, counted from 1. */
  step: number;
  switches: Switches;
  habits: Habits;
  strict: boolean;
  /** All that the service held before, and after. */
  before: Snapshot;
  after: Snapshot;
  /** What it would hold now had only the others acted. */
  world: Snapshot;
  foreign: readonly Foreign[];
  /** What the service was asked, in order. */
  requests: readonly RequestLogEntry[];
  /** Number of the first of them. */
  firstRequest: number;
  said: Said;
  model: Model;
}

export interface ObservedPush extends Observed {
  push: PushStep;
  /** The rows by number of registration in `world` that they stand for. */
  rows: readonly LinkedRow[];
  /** The diff of the dry run before, when nothing happened in between. */
  told: readonly ToldEntry[] | undefined;
  /** The process was killed and the command given again: `said` is of the second. */
  resumed: boolean;
  calm: boolean;
}

export interface LinkedRow {
  row: FileRow;
  /** `file:line` */
  place: string;
  /** Registrations that were there and that the row is about. */
  ids: readonly string[];
}

export interface ObservedUndo extends Observed {
  /** What the service held before the run that is undone, and after it. */
  runBefore: Snapshot;
  runAfter: Snapshot;
  /** What others did since that run began. */
  since: readonly Foreign[];
  /** How many of them fell into the run itself: what it did, and what they did, cannot be told apart. */
  during: number;
  /** Where in the file of that run each registration stands. */
  places: ReadonlyMap<string, string>;
}

export interface ObservedDelete extends Observed {
  barcode: string;
}

/** A promise that was not kept. */
export interface Violation {
  step: number;
  invariant: string;
  what: string;
}
