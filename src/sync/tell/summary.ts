import { EventregError, EXIT, type ExitCode, GuardError } from '../../errors.ts';
import { IN_DOUBT, PROBLEMS, SENT, TO_SEND } from '../../registration/model/row-states.ts';
import type { SummaryView } from '../../report/views/summary-view.ts';
import type { LiveService } from '../../report/words/service-name.ts';
import {
  countPlan,
  countShares,
  countStates,
  countVerdicts,
  readShares,
  type Share,
} from '../journal/count-run.ts';
import { countFindings } from '../journal/steps.ts';
import type { Journal } from '../journal/journal.ts';
import type { WorkContext } from '../journal/send-context.ts';
import { readGuarded, readProblems } from './problems.ts';

/** How a push ended, as data. Every reporter draws from this. */
export interface PushSummary extends SummaryView {
  /** What stopped it, if anything did. */
  error: Error | undefined;
  exitCode: ExitCode;
}

/** What is told of a push besides what its rows came to. */
export interface SummaryFacts
  extends Pick<SummaryView, 'repairs' | 'leftOut' | 'leftOutBy' | 'state'>,
    Partial<Pick<SummaryView, 'audit' | 'noLonger' | 'takesBackMessages' | 'isPlanned'>> {
  /** Its rows. */
  rows: string;
  startedAt: number;
  error?: Error | undefined;
  /** What an earlier run has left was found otherwise now. */
  isFlawed?: boolean;
  notRechecked?: ReadonlySet<number>;
  /** What is still to be asked of the service; without it, one request a row that is left. */
  requests?: number | undefined;
}

type SummaryContext = Pick<WorkContext, 'journal' | 'event' | 'clock' | 'budget'> & {
  live?: LiveService | undefined;
};

/** Of a dry run, and of one whose file is refused, the rows are those of no run. */
export function summarise(
  facts: SummaryFacts,
  { journal, event, live, clock, budget }: SummaryContext,
): PushSummary {
  const { rows, state, startedAt, error, noLonger = [], takesBackMessages = 0 } = facts;
  const shares = readShares(journal, rows, startedAt);
  const counts = countStates(shares, 'send');
  const deletions = countStates(shares, 'delete');
  const values = countValues(journal, rows);
  const isRun = state !== 'planned' && state !== 'refused';
  const isShort =
    facts.isFlawed === true ||
    facts.audit?.skipped !== undefined ||
    values.conflict > 0 ||
    shares.some((share) => PROBLEMS.has(share.state) || (isRun && share.isDifferent)) ||
    (isRun && countFindings(journal, rows) > 0);
  const guard = facts.isPlanned === true && error instanceof GuardError ? error.guard : 'busy';
  const uncertain = countShares(shares, (share) => IN_DOUBT.has(share.state));
  return {
    run: isRun ? rows : undefined,
    state,
    event: event.name || event.slug || event.eventId,
    live: live && { host: live.host, profile: live.profile },
    counts,
    plan: countPlan(shares),
    isPlanned: facts.isPlanned ?? false,
    values,
    stayGone: countShares(shares, ({ staysGone }) => staysGone),
    deletions,
    ...countDone(shares),
    communications: countCommunications(shares, state),
    takesBackMessages,
    repairs: facts.repairs,
    audit: facts.audit,
    notRechecked: facts.notRechecked?.size ?? 0,
    noLonger,
    leftOut: facts.leftOut,
    leftOutBy: facts.leftOutBy,
    requests: facts.requests ?? counts.pending + deletions.pending,
    budget: budget(),
    durationMs: clock.now() - startedAt,
    error,
    exitCode: exitCodeOf({ state, uncertain, error }, isShort),
    problems: [...readProblems(journal, rows), ...readGuarded(journal, rows, guard)],
  };
}

/** Values of a run that are not sent: changed in the service alone, on both sides, or not accepted by the service. */
function countValues(journal: Journal, run: string): SummaryView['values'] {
  const values = { kept: 0, conflict: 0, refused: 0 };
  for (const { verdict, n } of countVerdicts(journal, run)) {
    if (verdict === 'kept' || verdict === 'conflict' || verdict === 'refused') values[verdict] += n;
  }
  return values;
}

type Done = Pick<SummaryView, 'deleted' | 'disputed' | 'created' | 'updated' | 'unproven' | 'unseen'>;

/** What was done since this push began, by what reading the service has shown of it: an answer proves nothing. */
function countDone(shares: readonly Share[]): Done {
  const sent = shares.filter(({ op, state, doneSince }) => op === 'send' && SENT.has(state) && doneSince);
  const created = countShares(sent, ({ plan, isProven }) => plan === 'create' && isProven);
  const unproven = countShares(sent, ({ plan, isProven }) => plan === 'create' && !isProven);
  const updated = countShares(sent, ({ plan, wasListed }) => plan === 'update' && wasListed);
  const unseen = countShares(sent, () => true) - created - unproven - updated;
  const isGone = ({ op, state, doneSince }: Share) => op === 'delete' && state === 'deleted' && doneSince;
  const isDisputed = ({ op, state, sentSince }: Share) => op === 'send' && state === 'conflict' && sentSince;
  const [deleted, disputed] = [countShares(shares, isGone), countShares(shares, isDisputed)];
  return { created, unproven, updated, unseen, deleted, disputed };
}

/** Rows that ask the service to write to people: those that are to be sent, or that this push has. */
function countCommunications(shares: readonly Share[], state: PushSummary['state']): number {
  if (state === 'refused') return 0;
  return countShares(shares, (share) => {
    const counts = state === 'planned' ? TO_SEND.has(share.state) : SENT.has(share.state) && share.doneSince;
    return share.op === 'send' && share.asks && counts;
  });
}

/** The exit code that tells a script what happened to a run of any kind; `isShort`: not all is as it was to be. */
export function exitCodeOf(
  { state, uncertain, error }: { state: string; uncertain: number; error?: Error | undefined },
  isShort: boolean,
): ExitCode {
  if (state === 'interrupted') return EXIT.interrupted;
  if (error !== undefined) return error instanceof EventregError ? error.exitCode : EXIT.failed;
  if (uncertain > 0) return EXIT.uncertain;
  return isShort ? EXIT.rejected : EXIT.done;
}
