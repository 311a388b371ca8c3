import type { RejectsView } from './reject-groups.ts';
import type { ChangeView, RowView } from './story-view.ts';
import type { FieldCount, RowProblem } from './summary-view.ts';

/**
 * Everything that a report tells of a run, as its journal has it. Values are unmasked, files go by their names without
 * folders, times are milliseconds since 1970. What iterates reads the journal, and may be asked more than once.
 */
export interface RunReport {
  run: string;
  /** `push`, `delete`, or `undo of …`. */
  kind: string;
  /** How it ended, in a word or two: `done`, `interrupted`, `dry run`, … */
  state: string;
  /** Whether it has come to its end, whatever that was for its rows. */
  complete: boolean;
  /** Nothing was sent: the counts say what would be. */
  dry: boolean;
  files: readonly string[];
  event: string;
  /** Address of the service, or the sandbox in words. */
  service: string;
  startedAt: number;
  endedAt: number | undefined;
  /** Why it ended, what it goes on from, what became of it since. */
  remarks: readonly string[];
  /** What was warned of at the terminal, each once. */
  warnings: readonly string[];
  /** What its rows came to, those that there are. */
  results: readonly ResultCount[];
  rejects: RejectsView;
  /**
   * Rows that did not get through, or not as they were sent, and what else the audit has found; the first 1,000. `at`
   * has the file as it was given.
   */
  problems: readonly RowProblem[];
  /** How many there are beyond those. */
  problemsUnlisted: number;
  /** Undefined where nothing was read back. */
  audit: AuditReport | undefined;
  /** Undefined where nothing was sent. */
  pace: PaceReport | undefined;
  /** Rows that `each` goes over: of very many only those of which there is something to say. */
  listed: number;
  each: () => Iterable<ReportRow>;
}

/** How well it went: done, nothing to do, not done, in doubt, gone wrong. */
export type Tone = 'good' | 'same' | 'open' | 'doubt' | 'bad';

export interface ResultCount {
  /** In words: `new`, `the same`, `to create`. */
  name: string;
  tone: Tone;
  rows: number;
}

/** What reading back has shown. */
export interface AuditReport {
  checked: number;
  /** Values otherwise than sent, otherwise than before, and not accepted, by field. */
  stored: readonly FieldCount[];
  changed: readonly FieldCount[];
  refused: readonly FieldCount[];
  /** Of registrations, named among the problems. */
  findings: number;
}

/** How the requests for rows left. */
export interface PaceReport {
  requests: number;
  from: number;
  to: number;
  /** How many had left by when; at most a few hundred points. */
  line: readonly { at: number; sent: number }[];
  /** The longest times without a request. */
  waits: readonly { from: number; to: number }[];
  /** Requests that the service allowed in a window, as it said last, and how long one is where that is known. */
  limit: { limit: number; windowMs?: number | undefined } | undefined;
}

/** Points of the line, and the share of the time that a wait must take to be told. */
const POINTS = 240;
const SHORTEST_WAIT_MS = 2000;

/** How requests left at some times, in order; undefined where there are none. */
export function paceOf(times: readonly number[], limit: PaceReport['limit']): PaceReport | undefined {
  const [from] = times;
  const to = times.at(-1);
  if (from === undefined || to === undefined) return undefined;
  const stepMs = Math.max(1, to - from) / POINTS;
  const points = new Map<number, { at: number; sent: number }>();
  for (const [index, at] of times.entries()) {
    points.set(Math.trunc((at - from) / stepMs), { at, sent: index + 1 });
  }
  const waits = times.flatMap((at, index) => {
    const before = times[index - 1] ?? at;
    return at - before >= Math.max(SHORTEST_WAIT_MS, stepMs) ? [{ from: before, to: at }] : [];
  });
  return { requests: times.length, from, to, line: [...points.values()], waits, limit };
}

export interface ReportRow extends RowView {
  result: number;
  /** The name of its person; empty where there is none. */
  who: string;
  /** All values of what is new, or was deleted. */
  values: readonly ChangeView[];
}
