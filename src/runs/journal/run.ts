export type RunState =
  | 'reading'
  | 'sending'
  | 'finished'
  | 'interrupted'
  | 'stopped'
  /** It was interrupted, and another run has gone on from it. */
  | 'closed';

/** What a row asks for. */
export type RowOp = 'send' | 'delete';
export type RunKind = 'push' | 'delete' | 'undo';

export interface Holder {
  pid: number;
  host: string;
  /** When that process was started, in milliseconds since 1970. */
  startedAt: number;
  /** When it took the run. */
  since: number;
}

/** Something that became of a run after its end. */
export interface LaterEvent {
  /** Milliseconds since 1970. */
  at: number;
  /** Holds no values of persons. */
  text: string;
}

/** A run as `runs list` shows it. Times in milliseconds since 1970. */
export interface Run {
  id: string;
  kind: RunKind;
  /** The run that this one takes back. */
  undoes: string | undefined;
  service: string;
  event: string;
  eventName: string;
  files: readonly string[];
  state: RunState;
  startedAt: number;
  endedAt: number | undefined;
  /** Who works on it now, or did when it was killed. */
  holder: Holder | undefined;
  message: string | undefined;
  /** The run that went on from it, with files that were edited since. */
  continuedBy: string | undefined;
  /** What it came to at its end; undefined while it has none. */
  counts: RunCounts | undefined;
  /** What was decided or undone since, oldest first. */
  later: readonly LaterEvent[];
}

/** What a run came to, by what became of its rows. */
export interface RunCounts {
  new: number;
  changed: number;
  /** Sent without being compared before: new or changed. */
  sent: number;
  unchanged: number;
  /** Changed in the service only, so that it stays. */
  kept: number;
  deleted: number;
  /** Brought back by an undo. */
  restored: number;
  /** Left alone by an undo. */
  left: number;
  rejected: number;
  failed: number;
  conflict: number;
  /** Not rows but values in conflict, of rows that are not in conflict as a whole. */
  values: number;
  blocked: number;
  uncertain: number;
  /** Not sent, or not deleted, any more. */
  open: number;
}
