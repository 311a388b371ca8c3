import { resolve } from 'node:path';
import { InterruptedError } from '../../errors.ts';
import { defaultBackupFile, writeBackup } from '../../sync/delete/backup.ts';
import { shapeFields } from '../../sync/perform/shape-fields.ts';
import type { RemovalContext } from '../../sync/delete/removal-run.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { SendLimits, WorkContext } from '../../sync/journal/send-context.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import type { Reporter, BudgetView } from '../../report/views/events.ts';
import { MASKED_BY_HEADER, SANDBOX_HEADER } from '../../service/contracts/registration-body.ts';
import { visible } from '../../report/words/escape.ts';
import type { Runtime } from '../../runtime.ts';
import type { BudgetOptions } from '../options/budget-options.ts';
import type { EventStream } from './event-stream.ts';
import type { ReportFiles } from './report-files.ts';
import { connect, type Connection, type ConnectOptions } from './connection.ts';
import { withWay } from '../options/help.ts';
import type { GlobalOptions } from '../options/options.ts';
import { confirm, isInteractive, openReporter, type Call, say } from '../terminal/terminal.ts';
import type { Clock } from '../../pacing/clock.ts';
import type { Budget } from '../../pacing/pacer-state.ts';
import { formatCount } from '../../report/words/number.ts';
import { formatProblem } from '../../report/summary/row-problems.ts';
import type { RowProblem } from '../../report/views/summary-view.ts';

interface WorkOptions extends Partial<Pick<SendLimits, 'maxFailures'>> {
  journal: Journal;
  /** Requests that may be under way at once; no fewer than would be of use unless given. */
  concurrency?: number | undefined;
  /** Whether every row with errors is told of, however many there are. */
  allErrors?: boolean;
  /** Whether rows come from standard input. */
  readsStdin?: boolean;
  /** Where programs are told of it. */
  events?: EventStream | undefined;
  reports?: ReportFiles | undefined;
}

export interface Workplace {
  context: WorkContext;
  connection: Connection;
}

/** Connects to the service, reads its event, does the work, and closes everything but the journal. */
export async function workWithService<T>(
  call: Call<GlobalOptions & BudgetOptions>,
  {
    journal,
    concurrency = Number.POSITIVE_INFINITY,
    maxFailures,
    allErrors = false,
    readsStdin = false,
    events,
    reports,
  }: WorkOptions,
  work: (place: Workplace) => Promise<T>,
): Promise<T> {
  const { options, runtime } = call;
  const drawn = await openReporter(call, { allErrors, readsStdin });
  const told = events?.watch(drawn) ?? drawn;
  const reporter = reports?.watch(told, journal) ?? told;
  const halt = new AbortController();
  const { sharing } = journal;
  try {
    let maskedBy: string | undefined;
    let isSandbox = false;
    const connection = await connect(call, {
      onAnswer: (_, { headers }) => {
        maskedBy = headers[MASKED_BY_HEADER];
        isSandbox = headers[SANDBOX_HEADER] !== undefined;
      },
      halted: halt.signal,
      mayLeave: sharing && ((isRead) => sharing.mayLeave(isRead)),
      leadMs: sharing && (() => sharing.leadMs),
      onAttempt: (entry) => events?.request(entry),
      onTrace: (text) => reporter.report({ type: 'trace', text }),
      leave: options.leave,
      maxWaitMs: options.maxWait,
      ...waits(reporter, runtime.clock, options),
    });
    try {
      const { client, service, gate, settings } = connection;
      const event = await client.getEvent();
      const { clock, stopping } = runtime;
      // A request may take its time out to be given up, and as long again to land.
      const settleMs = settings.settleMs === 0 ? 0 : Math.max(settings.settleMs, 2 * settings.timeoutMs);
      const target = { service, eventId: event.eventId, eventName: event.name || event.slug };
      const here = { journal, target, event, clock, reporter, stopping, settleMs };
      const context: WorkContext = {
        journal,
        reporter,
        event,
        registrations: shapeFields(client.registrations, { ...here, fixed: settings.fields }),
        target,
        clock,
        stopping,
        self: runtime.self,
        budget: () => viewOf(options, gate.budget(), clock.now()),
        expect: (requests) => gate.expect(requests),
        halt: () => halt.abort(new InterruptedError()),
        maskedBy,
        isSandbox,
        // Who is asked has to see who is meant; what is answered beforehand is read in logs.
        showValues: options.showValues || (isInteractive(runtime) && !options.yes),
        limits: { workers: () => Math.min(concurrency, gate.workersWanted()), maxFailures, settleMs },
        // A script goes on: nobody is there to be asked, and it was sure enough to be written.
        live: options.sandbox
          ? undefined
          : {
              host: settings.baseUrl.host,
              profile: settings.profile,
              ask: async (question) => {
                if (options.yes || !isInteractive(runtime)) return true;
                reporter.pause();
                return await (await runtime.prompt()).confirm(visible(question), { acts: true });
              },
            },
        confirm: (question) => {
          reporter.pause();
          return confirm(call, question);
        },
      };
      return await work({ context, connection });
    } finally {
      await connection.close();
    }
  } finally {
    reporter.close();
  }
}

/**
 * Writes registrations to a file, before they are deleted: a new one of the state directory unless one is given.
 * Returns the file.
 */
export function backUpTo(runtime: Runtime, records: Iterable<RecordImage>, given?: string): string {
  const { paths, clock, self, cwd } = runtime;
  const file = given === undefined ? defaultBackupFile(paths.state, clock.now(), self) : resolve(cwd, given);
  writeBackup(file, records);
  return file;
}

/** What a delete or an undo works with. When a run of it has ended, that is printed, and then the reports are written. */
export function removalContext(
  { context, connection }: Workplace,
  { runtime }: Call,
  reports: ReportFiles,
  { print, backup }: { print: RemovalContext['onEnd']; backup?: string | undefined },
): RemovalContext {
  return {
    ...context,
    label: connection.label,
    async onEnd(run, state) {
      await print(run, state);
      const unclaimed = state === 'planned' || state === 'nothing' ? state : undefined;
      await reports.write(context.journal, run, unclaimed);
    },
    backUp: (records, { further }) => backUpTo(runtime, records, further ? undefined : backup),
  };
}

/** With requests paced evenly nearly every one waits a little. Less than SHOWN_WAIT_MS: what is shown is told until it ends. */
const LEAST_TOLD_MS = 2_000;

type Waits = Required<Pick<ConnectOptions, 'onWait' | 'onRetryWait'>>;

/** Tells of waits that are long enough to be noticed. */
export function waits(reporter: Reporter, clock: Clock, options: BudgetOptions): Waits {
  const isNoticed = (untilMs: number): boolean => untilMs - clock.now() >= LEAST_TOLD_MS;
  return {
    onWait(untilMs, budget) {
      if (!isNoticed(untilMs)) return;
      reporter.report({
        type: 'waiting',
        untilMs,
        why: 'budget',
        budget: viewOf(options, budget, clock.now()),
      });
    },
    onRetryWait(untilMs) {
      if (isNoticed(untilMs)) reporter.report({ type: 'waiting', untilMs, why: 'retry', budget: undefined });
    },
  };
}

/** What is known of the budget, with what this command may take of it. */
function viewOf({ leave, maxWait }: BudgetOptions, told: Budget, nowMs: number): BudgetView {
  const budget = told.beside === undefined ? told : { ...told.beside, share: told.share };
  const { remaining, refillsAtMs = nowMs } = budget;
  const waitMs = remaining !== undefined && remaining <= leave ? Math.max(0, refillsAtMs - nowMs) : 0;
  return { ...budget, waitMs, leave, maxWaitMs: maxWait };
}

/** All others are in `runs show`. */
const FLAWS_SHOWN = 20;

/** Tells what a delete or an undo did not leave as it was to be. */
export function tellFlaws(
  { run = '', flaws = [] }: { run?: string | undefined; flaws?: readonly RowProblem[] | undefined },
  call: Call,
): void {
  for (const flaw of flaws.slice(0, FLAWS_SHOWN)) {
    for (const line of formatProblem(flaw, call.options.showValues)) say(call, withWay(line, call.options));
  }
  if (flaws.length > FLAWS_SHOWN) {
    const more = formatCount(flaws.length - FLAWS_SHOWN);
    say(call, withWay(`… and ${more} more: \`eventreg runs show ${run}\``, call.options));
  }
}

/** Says that what was deleted or undone comes back with the next push of the lists that have it. */
export function tellComingBack(files: readonly string[], call: Call): void {
  say(call, `Pushing ${files.join(', ')} again brings back whom it still has: change the list first.`);
}
