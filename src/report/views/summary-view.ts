import type { Who } from '../words/who.ts';
import type { Difference } from '../../registration/model/registration.ts';
import type { Note, Place, Reason } from '../../registration/model/row.ts';
import type { RowCounts, RowState } from '../../registration/model/row-states.ts';
import type { BudgetView } from './events.ts';
import type { LiveService } from '../words/service-name.ts';

/** How a push ended, as far as it is shown. */
export interface SummaryView {
  /** Undefined for a dry run. */
  run: string | undefined;
  state: 'planned' | 'refused' | 'finished' | 'interrupted' | 'stopped';
  event: string;
  /** Where it is; undefined in the embedded sandbox. */
  live: LiveService | undefined;
  /** Rows to send, or sent, by where they stand at the end. */
  counts: RowCounts;
  /** What is left to do, and what there is not to do. */
  plan: PlanCounts;
  /** Whether it was planned, and nothing of that has begun. */
  isPlanned: boolean;
  /** Registrations that the file no longer had, by where their deletion stands at the end. */
  deletions: RowCounts;
  /** Of them those deleted by this push. */
  deleted: number;
  /**
   * Values that stay as only the service has changed them, those that both sides have changed, and those that the
   * service has twice stored otherwise before.
   */
  values: { kept: number; conflict: number; refused: number };
  /** Rows whose registrations were deleted in the service, and stay so. */
  stayGone: number;
  /** Of the rows sent: those that reading the service before and after has shown to be new, and to be updates. */
  created: number;
  updated: number;
  /** Those that were to be new, and are not proven to be. */
  unproven: number;
  /** Those of which nobody has looked whether they were there before. */
  unseen: number;
  /** Rows whose requests have left, and that are in conflict by what came of them. */
  disputed: number;
  /** Rows to send, or sent, that ask the service to write to people. */
  communications: number;
  /** Guests whom an update leaves, or may leave, without the messages that their registrations ask for. */
  takesBackMessages: number;
  repairs: RepairView;
  /** Updates that were sent more than a minute after their registration was last looked at. */
  notRechecked: number;
  /** People of earlier versions of the list who are not in it any more, and who stay. */
  noLonger: readonly Who[];
  /** Rows that are not sent because another one of the same person is, by their places. */
  leftOut: readonly { place: string; kept: string }[];
  /** Rows that are left out because of a value, as was said. */
  leftOutBy: readonly { column: string; text: string; rows: number }[];
  /** What reading back came to; undefined when nothing was to be read back. */
  audit: AuditResult | undefined;
  /** Requests that what is left to do will take. */
  requests: number;
  budget: BudgetView;
  durationMs: number;
  /** Rows that did not get through, with the reason. */
  problems: readonly RowProblem[];
}

/** Rows of a run that comparing has looked at, by what is to become of them. What has been done does not count. */
export interface PlanCounts {
  create: number;
  update: number;
  /** Shown by the service as they are in the file. */
  unchanged: number;
  /** In the service as somebody has changed them there, with nothing else to send. */
  kept: number;
  /** To be sent, without being compared. */
  unknown: number;
  delete: number;
}

/** What reading back told of the rows that the service is said to hold. */
export interface AuditResult {
  /** Rows that were looked for. */
  checked: number;
  /** The service said that it took them, but does not list them. */
  missing: number;
  /** Registered more than once. */
  doubled: number;
  /** Stored otherwise than sent, by field. */
  different: readonly FieldCount[];
  /** Of those values, such as were sent again and stored otherwise again. */
  refused: number;
  /** Not sent, and otherwise than before, by field. */
  changed: readonly FieldCount[];
  /** Stored in the service's own way of writing, by field. */
  spelling: readonly FieldCount[];
  /** Not shown of any registration, by field: kept or not, nobody can tell. */
  hidden: readonly FieldCount[];
  /** Registrations that were listed before, that nobody asked to delete, and that are not listed any more. */
  gone: number;
  /** Such as have lost their parent. */
  orphaned: number;
  /** Changes that the service said it took, while it still lists what was there before. */
  unapplied: number;
  /** Registrations that have appeared since the plan, and that no row stands for; the first ids. */
  unexpected: { count: number; ids: readonly string[] };
  /** Rows of which the service shows too little to say anything. */
  unverified: number;
  /** Why nothing was read back, as a clause. */
  skipped: string | undefined;
}

export interface FieldCount {
  field: string;
  rows: number;
}

interface RepairView {
  readonly cells: number;
  /** By column and repair, the most frequent first, each with its first cell. */
  counts(): readonly { column: string; repair: string; cells: number; place: Place; note: Note }[];
  /** The first of them, in the order of the files. */
  listed(): readonly { place: Place; note: Note }[];
}

export interface RowProblem {
  /** `file:line`, or `registration ID` of what no row stands for. */
  place: string;
  /** Of a row of a file. */
  at?: Place | undefined;
  registrationId?: string | undefined;
  /** Of a row that is rejected: `message` in parts. */
  reasons?: readonly Reason[] | undefined;
  /** Of a row that got through, what the audit found. `unanswered`: a question about it stopped the push; `stopped`: a guard did. */
  state: RowState | 'different' | 'unanswered' | 'stopped' | FindingKind;
  barcode: string | undefined;
  /** The name of its person, unmasked. */
  who?: string;
  message: string;
  /** Where its registration is not as it was to be left; values are unmasked. */
  differences?: readonly Difference[];
}

/**
 * What an audit finds besides the values of a row. Of an undo, `unseen`: left because no list shows it; `lost`: gone by
 * the run that is undone, and not brought back.
 */
export type FindingKind = 'doubled' | 'gone' | 'orphaned' | 'unseen' | 'lost';

/** Rows that this push has sent. */
export const sentNow = ({ counts }: SummaryView): number => counts.done + counts.accepted;
