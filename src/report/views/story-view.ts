import type { Difference, FieldValue } from '../../registration/model/registration.ts';
import type { FieldChange } from '../../registration/changes/field-change.ts';
import type { Note, Reason } from '../../registration/model/row.ts';
import type { RowState } from '../../registration/model/row-states.ts';

/** All that is known of one registration, over all runs. Values are unmasked. Times in milliseconds since 1970. */
export interface StoryView {
  /** What was done last comes first; at least one. */
  chapters: readonly ChapterView[];
  look: LookView;
  /** Where it stands, in a sentence or two. */
  now: string;
  /** What to do about it, in a sentence. */
  next: string;
}

/** What the service holds of it now, or why that is not known. */
export type LookView =
  /** None: it is not there. */
  | { kind: 'asked'; at: number; found: readonly FoundView[] }
  /** `why` is undefined when nobody wanted to know. `knownAt`: when what is told was true. */
  | { kind: 'not-asked'; why: string | undefined; at: number; knownAt: number | undefined };

/** A registration that the service lists now. */
export interface FoundView {
  id: string | undefined;
  /** Value by value; undefined when the service does not show its fields. */
  values: readonly ValueView[] | undefined;
}

/** One value as the service lists it now, held against what this machine knows. */
export interface ValueView {
  /** Slug of the field, or `persona`, `barcode`, `parent_barcode`. */
  field: string;
  now: FieldValue | undefined;
  state: ValueState;
  /** What was last known; undefined where that is what it is now, or nothing was. */
  was: FieldValue | undefined;
}

export type ValueState =
  | 'sent'
  /** It was sent otherwise, and has been listed so ever since. */
  | 'stored'
  /** It was sent, and no list shows a value there, of nobody of the persona: it may be there or not. */
  | 'hidden'
  /** As it was before it was sent, or was never sent and is as it was. */
  | 'before'
  /** It was sent, and is another one since. */
  | 'edited'
  /** The row has another value, which was not sent: kept, or in conflict. */
  | 'left'
  /** It was never sent, and is another one than was listed. */
  | 'changed'
  /** It was never sent, and nobody has looked before. */
  | 'unknown';

/** A value that was to change, and what became of that where it is known: `send`, `kept`, `conflict`, … */
export type ChangeView = FieldChange & { verdict?: string | undefined };

/** What one run did about it. */
export interface ChapterView extends RowView {
  run: string;
  /** `push`, `delete`, or `undo of …`. */
  kind: string;
  runState: string;
  startedAt: number;
  files: readonly string[];
  event: string;
  service: string;
  /** Why it was overwritten or deleted, as clauses. */
  because: readonly string[];
}

/** What a step says of a row that was sent although nothing had changed. */
export const SENT_AGAIN = 'to send again as it is (--again)';

/** What became of one row of a run. */
export interface RowView {
  /** `guests.csv:17`; undefined when no row of a file stands for it. */
  place: string | undefined;
  op: 'send' | 'delete';
  state: RowState;
  persona: string | undefined;
  barcode: string | undefined;
  parentBarcode: string | undefined;
  registrationId: string | undefined;
  enableComms: boolean;
  /** When the request left that asked the service to write to the person; undefined when none has landed, or may have. */
  askedToWriteAt: number | undefined;
  plan: string | undefined;
  /** What the row was to change of the registration that the service listed before. */
  changes: readonly ChangeView[];
  /** Where the service lists other values since than were sent: `before` is the service's. */
  storedOtherwise: readonly FieldChange[];
  /** Where the audit found it otherwise than it was to be left. */
  differences: readonly Difference[];
  /** What the audit found besides, as clauses. */
  findings: readonly string[];
  notes: readonly Note[];
  reasons: readonly Reason[];
  message: string | undefined;
  attempts: number;
  steps: readonly StepView[];
  /** When the audit read it back. */
  checkedAt: number | undefined;
}

export interface StepView {
  at: number;
  /** `sent`, `answered`, `looked`, … */
  what: string;
  /** Counted from 1, of the run; undefined before the first. */
  attempt: number | undefined;
  status: number | undefined;
  requestId: string | undefined;
  detail: string | undefined;
}
