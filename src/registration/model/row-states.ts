type States = ReadonlySet<RowState>;

/** The service has taken the row. */
export const SENT: States = new Set(['done', 'accepted']);

/** The service holds the row as it is. */
export const THERE: States = new Set([...SENT, 'unchanged']);

/** A request for the row may have landed or not. */
export const IN_DOUBT: States = new Set(['sending', 'uncertain']);

/** What an interruption leaves: not tried yet, under way, or without an answer. */
export const OPEN: States = new Set(['pending', ...IN_DOUBT]);

/** Its turn comes once something else is settled. */
export const HELD_BACK: States = new Set(['blocked', 'postponed']);

/** Deletions that are not done yet, with those that something stands in the way of. */
export const UNFINISHED: States = new Set([...OPEN, ...HELD_BACK]);

/** Its turn has not come, or its request is under way. */
export const UNANSWERED: States = new Set(['pending', 'sending']);

/** May still be sent: the doubts once they are settled. */
export const TO_SEND: States = new Set(['pending', 'uncertain']);

/** No request for the row has left. */
export const NEVER_SENT: States = new Set(['rejected', 'pending', ...HELD_BACK]);

/** A request for the row has landed, or may have. */
export const MAY_HAVE_LANDED: States = new Set([...SENT, ...IN_DOUBT]);

/** The service may list a registration that the row is about. */
export const MAY_BE_LISTED: States = new Set([...THERE, 'conflict', ...IN_DOUBT]);

/** An answer or a list has shown the registration of the row. */
export const SHOWN: States = new Set(['done', 'unchanged']);

/** The row changes nothing in the service. */
export const LEFT_ALONE: States = new Set(['rejected', 'conflict']);

/** What was to become of the row has been done, by sending or by deleting. */
export const CARRIED_OUT: States = new Set([...SENT, 'deleted']);

/** What was to be deleted is not there any more, or was not deleted because it is to stay. */
export const OFF_THE_LIST: States = new Set(['deleted', 'unchanged']);

/** A deletion that has come to its end, whatever it was. */
export const DELETION_ENDED: States = new Set([...OFF_THE_LIST, 'failed', 'conflict']);

/** A deletion that is to be seen in what the service lists: it is said to be done, or may be. */
export const MAY_BE_DELETED: States = new Set(['deleted', 'uncertain']);

/** What somebody has to be told of. */
export const PROBLEMS: States = new Set([
  'rejected',
  'failed',
  'conflict',
  'uncertain',
  'blocked',
  'postponed',
]);

/** Says in SQL that a state is one of these: `state ${among(OPEN)}`, `state NOT ${among(THERE)}`. */
export const among = (states: Iterable<RowState>): string =>
  `IN (${[...states].map((state) => `'${state}'`).join(', ')})`;

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
  /** Not sent because its parent was not, or not deleted because a member of it was not. */
  'blocked',
  /** Held back, because it is not known what the service would do with it, or what it holds. */
  'postponed',
  /** Was done, and has been deleted with `eventreg delete` since. */
  'deleted',
] as const;
export type RowState = (typeof ROW_STATES)[number];

/** How many rows are in which state. */
export type RowCounts = Readonly<Record<RowState, number>>;
