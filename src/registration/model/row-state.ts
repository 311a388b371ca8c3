/** Where a row of a run stands. Everything after `rejected` is an outcome of sending. */
export const ROW_STATES = [
  'pending',
  /** The intent is written; the request may have left. */
  'sending',
  'rejected',
  /** Sent by an earlier run, and equal to what it sent. */
  'unchanged',
  'done',
  /** Taken by the service without a record to show for it. */
  'accepted',
  'failed',
  'conflict',
  'uncertain',
  /** Not sent because its parent was not. */
  'blocked',
  /** Was done, and has been deleted with `eventreg delete` since. */
  'deleted',
] as const;
export type RowState = (typeof ROW_STATES)[number];

/** How many rows are in which state. */
export type RowCounts = Readonly<Record<RowState, number>>;
