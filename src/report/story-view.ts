import type { Difference } from '../registration/difference.ts';
import type { FieldChange } from '../registration/field-change.ts';
import type { Note, Reason } from '../registration/row.ts';
import type { RowState } from '../registration/row-state.ts';

/** All that is known of one registration, over all runs. Values are unmasked. Times in milliseconds since 1970. */
export interface StoryView {
  /** Newest run first; at least one. */
  chapters: readonly ChapterView[];
  /** Where it stands, in a sentence or two. */
  now: string;
  /** What to do about it, in a sentence. */
  next: string;
}

/** What one run did about it. */
export interface ChapterView {
  run: string;
  /** `push`, `delete`, or `undo of …`. */
  kind: string;
  runState: string;
  startedAt: number;
  files: readonly string[];
  event: string;
  service: string;
  /** `guests.csv:17`; undefined when no row of a file stands for it. */
  place: string | undefined;
  op: 'send' | 'delete';
  state: RowState;
  persona: string | undefined;
  barcode: string | undefined;
  parentBarcode: string | undefined;
  registrationId: string | undefined;
  enableComms: boolean;
  plan: string | undefined;
  /** What the row was to change of the registration that the service listed before. */
  changes: readonly FieldChange[];
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
