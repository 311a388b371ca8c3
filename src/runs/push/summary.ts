import type { WorkContext } from '../../sync/journal/send-context.ts';
import {
  among,
  IN_DOUBT,
  PROBLEMS,
  type RowCounts,
  type RowState,
  SENT,
  TO_SEND,
} from '../../registration/model/row-states.ts';
import { EventregError, EXIT, type ExitCode } from '../../errors.ts';
import type { AuditResult, RowProblem, SummaryView } from '../../report/views/summary-view.ts';
import type { LiveService } from '../../report/words/service-name.ts';
import { countPlan, countTakenBack } from '../compare/count-plan.ts';
import { countRows } from '../../sync/journal/queued-rows.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { readProblems } from '../../sync/tell/problems.ts';

/** How a push ended, as data. Every reporter draws from this. */
export interface PushSummary extends SummaryView {
  /** What stopped it, if anything did. */
  error: Error | undefined;
  exitCode: ExitCode;
}

interface SummaryFacts {
  run: string | undefined;
  /** The rows that a dry run has planned. */
  planned?: string;
  state: PushSummary['state'];
  counts: RowCounts;
  sentBefore: number;
  communications: number;
  error: Error | undefined;
  startedAt: number;
  repairs: SummaryView['repairs'];
  leftOut: SummaryView['leftOut'];
  audit?: AuditResult | undefined;
  notRechecked?: ReadonlySet<number>;
  noLonger?: number;
  /** What is still to be asked of the service; without it, one request a row that is left. */
  requests?: number | undefined;
  /** Read from the run unless it is gone by now. */
  problems?: readonly RowProblem[];
}

type SummaryContext = Pick<WorkContext, 'journal' | 'target' | 'event' | 'clock' | 'budget'> & {
  live?: LiveService | undefined;
};

export function summarise(
  facts: SummaryFacts,
  { journal, target, event, live, clock, budget }: SummaryContext,
): PushSummary {
  const { run, state, counts, error, startedAt } = facts;
  const planned = facts.planned ?? run ?? '';
  const deletions = countRows(journal, planned, 'delete');
  const values = countLeft(journal, planned);
  return {
    run,
    state,
    event: event.name || event.slug || event.eventId,
    live: live && { host: live.host, profile: live.profile },
    counts,
    plan: countPlan(journal, planned),
    values,
    deletions,
    deleted: countSince(journal, run, `op = 'delete' AND state = 'deleted' AND done_at >= $since`, startedAt),
    sentBefore: facts.sentBefore,
    ...countProven(journal, run, startedAt),
    disputed: countSince(journal, run, `op = 'send' AND state = 'conflict' AND sent_at >= $since`, startedAt),
    communications: facts.communications,
    takesBackMessages: countTakenBack({ journal, target, clock }, planned, [...TO_SEND, ...SENT]),
    repairs: facts.repairs,
    audit: facts.audit,
    notRechecked: facts.notRechecked?.size ?? 0,
    noLonger: facts.noLonger ?? 0,
    leftOut: facts.leftOut,
    requests: facts.requests ?? counts.pending + deletions.pending,
    budget: budget(),
    durationMs: clock.now() - startedAt,
    error,
    exitCode: exitCodeOf(
      state,
      [counts, deletions],
      error,
      values.conflict > 0 || (run !== undefined && hasFlaws(journal, run)),
    ),
    problems: facts.problems ?? (run === undefined ? [] : readProblems(journal, run)),
  };
}

/** Whether the audit of a run has found a registration otherwise than it was to be left. */
function hasFlaws(journal: Journal, run: string): boolean {
  return journal.has(
    `FROM finding WHERE run = $run
     UNION ALL SELECT 1 FROM row WHERE run = $run AND differences IS NOT NULL`,
    { run },
  );
}

/**
 * Values of a run that are not sent: those that only the service has changed, those that both sides have, and those
 * that the service does not accept.
 */
function countLeft(journal: Journal, run: string): SummaryView['values'] {
  const row = journal.get<SummaryView['values']>(
    `SELECT count(*) FILTER (WHERE value = 'kept') AS kept, count(*) FILTER (WHERE value = 'conflict') AS conflict,
       count(*) FILTER (WHERE value = 'refused') AS refused
     FROM row, json_each(row.verdicts) WHERE row.run = $run AND row.verdicts IS NOT NULL AND row.op = 'send'`,
    { run },
  );
  return row ?? { kept: 0, conflict: 0, refused: 0 };
}

/**
 * The exit code that tells a script what happened; the worst finding wins. Counts of rows to send, and to delete;
 * `inConflict`: values of rows that got through are.
 */
function exitCodeOf(
  state: PushSummary['state'],
  counts: readonly RowCounts[],
  error: Error | undefined,
  inConflict: boolean,
): ExitCode {
  if (state === 'interrupted') return EXIT.interrupted;
  if (error !== undefined) return error instanceof EventregError ? error.exitCode : EXIT.failed;
  const any = (states: Iterable<RowState>): boolean =>
    counts.some((count) => [...states].some((one) => count[one] > 0));
  if (any(IN_DOUBT)) return EXIT.uncertain;
  return inConflict || any(PROBLEMS) ? EXIT.rejected : EXIT.done;
}

type Proven = Pick<SummaryView, 'created' | 'updated' | 'unproven' | 'unseen'>;

/** Rows sent since this push began, by what reading the service has shown of them: an answer proves nothing. */
function countProven(journal: Journal, run: string | undefined, since: number): Proven {
  const row = journal.get<Proven>(
    `SELECT count(*) FILTER (WHERE kind = 'created') AS created, count(*) FILTER (WHERE kind = 'updated') AS updated,
       count(*) FILTER (WHERE kind = 'unproven') AS unproven, count(*) FILTER (WHERE kind = 'unseen') AS unseen
     FROM (SELECT CASE WHEN plan = 'create' THEN iif(proof IS NULL, 'unproven', 'created')
         WHEN plan = 'update' AND before IS NOT NULL THEN 'updated' ELSE 'unseen' END AS kind
       FROM row WHERE run = $run AND op = 'send' AND state ${among(SENT)} AND done_at >= $since)`,
    { run, since },
  );
  return row ?? { created: 0, updated: 0, unproven: 0, unseen: 0 };
}

function countSince(journal: Journal, run: string | undefined, which: string, since: number): number {
  return journal.count(`FROM row WHERE run = $run AND ${which}`, { run, since });
}

/** Rows in some states that ask the service to write to people; with `since`, those settled from then on. */
export function countCommunications(
  journal: Journal,
  run: string,
  states: Iterable<RowState>,
  since?: number,
): number {
  return journal.count(
    `FROM row WHERE run = $run AND op = 'send' AND enable_comms = 1
       AND state IN (SELECT value FROM json_each($states)) AND ($since IS NULL OR done_at >= $since)`,
    { run, states: JSON.stringify([...states]), since },
  );
}
