import type { LiveService } from '../words/service-name.ts';
import type { Note, Place } from '../../registration/model/row.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import type { RejectsView } from './reject-groups.ts';

/** How many rows stand where. Kept by the core, drawn by reporters. */
export interface Tally {
  /** Rows that this run is to send, whether done or not. */
  total: number;
  sent: number;
  failed: number;
  uncertain: number;
  /** Not sent because of their parent, or because the run stopped. */
  notSent: number;
}

/** What push tells while it works. Reporters draw it; the core never prints. */
export type PushEvent =
  /** The first of two readings: what only all rows of a file can tell. */
  | { type: 'surveying'; file: string; rows: number }
  | { type: 'reading'; file: string; rows: number }
  | { type: 'checking'; what: string; done: number; total: number }
  | { type: 'deleting'; done: number; total: number; budget: BudgetView }
  /** `full`: with all of it, for `--verbose`. */
  | { type: 'note'; text: string; full?: string }
  /** `isCaution`: nothing is wrong yet, and whoever wants quiet is not told. */
  | { type: 'warning'; text: string; isCaution?: boolean }
  /** The run that everything from now on is about. */
  | { type: 'run'; run: string }
  /** What became of a request, for whoever wants to know of each. */
  | { type: 'trace'; text: string }
  /** All rows that cannot be sent, once everything is checked. */
  | { type: 'rejected'; rejects: RejectsView }
  /** A cell that is sent otherwise than the file has it. */
  | { type: 'repaired'; place: Place; note: Note }
  /** What has become of rows, as the journal has it when it is asked. */
  | { type: 'rows'; each: () => Iterable<OutcomeView> }
  /** What is about to be asked of the service: rows, and requests with those to read. `ahead`: of a push. */
  | { type: 'expecting'; rows: number; requests: number; budget: BudgetView; ahead?: PushAhead }
  /** Not every row is shown: the budget is looked up for those that are. */
  | { type: 'sending'; tally: Tally; budget: () => BudgetView }
  /** Whatever goes on stands still until then, in milliseconds since 1970. */
  | { type: 'waiting'; untilMs: number; why: 'budget' | 'retry'; budget: BudgetView | undefined };

/** What has become of a row, or would. */
export interface OutcomeView {
  seq: number;
  /** Undefined where no row of a file stands for it. */
  place: Place | undefined;
  op: 'send' | 'delete';
  /** What comparing came to. */
  plan: string | undefined;
  state: RowState;
  barcode: string | undefined;
  registrationId: string | undefined;
  /** What is wrong with it: codes of problems. */
  codes: readonly string[];
}

/** What a push is about to do, and where: rows by what becomes of them. */
export interface PushAhead {
  event: string;
  /** Undefined in the embedded sandbox. */
  live: LiveService | undefined;
  create: number;
  update: number;
  /** In the service as they are in the file, or sent before. */
  same: number;
  /** To send without having been compared. */
  unknown: number;
  /** Only the service has changed them. */
  kept: number;
  conflict: number;
  /** Sent before without a certain answer. */
  doubtful: number;
  /** With errors. */
  rejected: number;
  delete: number;
  /** In the service, and not in the list any more. */
  noLonger: number;
}

export interface BudgetView {
  /** Requests a window, from X-Ratelimit-Limit. */
  limit: number | undefined;
  /** Requests left now, own requests under way already taken off. */
  remaining: number | undefined;
  /** Part of the limit that comes to this process, beside others who spend from it; all of it unless told. */
  share?: number;
  /** Length of the window as learned. */
  windowMs: number | undefined;
  /** When more are expected, in milliseconds since 1970. */
  refillsAtMs: number | undefined;
  /** How long none can be sent from now on, in milliseconds; none unless told. */
  waitMs?: number;
  /** Requests of each window that are kept for other people (`--leave`). */
  leave?: number;
  /** The longest that may be waited for it in all (`--max-wait`). */
  maxWaitMs?: number | undefined;
}

/** Draws events. `close` clears what is drawn and is always called, also after an error. */
export interface Reporter {
  report(event: PushEvent): void;
  /** Clears what is drawn until the next event, so that a question can be asked. */
  pause(): void;
  close(): void;
}

const NAMED = 3;

/** A note that names the first few, and all of them where that is wished. */
export function noteSome(text: string, names: readonly string[], reporter: Reporter): void {
  const all = `${text}: ${names.join(', ')}.`;
  const some = `${text}: ${names.slice(0, NAMED).join(', ')}, … (--verbose names all).`;
  reporter.report({ type: 'note', text: names.length > NAMED ? some : all, full: all });
}
