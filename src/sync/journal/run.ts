import { json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';

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

/** Times in milliseconds since 1970. */
export const RUN = rowCodec({
  id: value<string>(),
  kind: value<RunKind>(),
  /** The run that this one takes back. */
  undoes: value<string | undefined>(),
  service: value<string>(),
  event: value<string>(),
  eventName: value<string>(),
  files: json<readonly string[]>(),
  /** Who began it, where several machines share the journal. */
  who: value<string | undefined>(),
  state: value<RunState>(),
  startedAt: value<number>(),
  endedAt: value<number | undefined>(),
  /** Who works on it now, or did when it was killed. */
  holder: json<Holder | undefined>(),
  message: value<string | undefined>(),
  /** The run that went on from it, with files that were edited since. */
  continuedBy: value<string | undefined>(),
  /** What it came to at its end; undefined while it has none. */
  counts: json<RunCounts | undefined>(),
  /** What was decided or undone since, oldest first. */
  later: json<readonly LaterEvent[]>(`coalesce(later, '[]')`),
});

/** A run as `runs list` shows it. */
export type Run = RowOf<typeof RUN>;

/** What rows of a run may come to, and how many of its values may be in conflict. */
export const COUNTS = [
  'new',
  'changed',
  /** Sent without being compared before: new or changed. */
  'sent',
  'unchanged',
  /** Changed in the service only, so that it stays. */
  'kept',
  'deleted',
  /** Brought back, and left alone, by an undo. */
  'restored',
  'left',
  'rejected',
  'failed',
  'conflict',
  /** Not rows but values in conflict, of rows that are not in conflict as a whole. */
  'values',
  'blocked',
  /** Held back, because too little was known of the service. */
  'postponed',
  'uncertain',
  /** Not sent, or not deleted, any more. */
  'open',
] as const;

/** What a run came to, by what became of its rows. */
export type RunCounts = Record<(typeof COUNTS)[number], number>;
