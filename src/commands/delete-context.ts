import { InterruptedError } from '../errors.ts';
import type { Journal } from '../push/journal.ts';
import type { PushContext } from '../push/push-options.ts';
import type { SendLimits } from '../push/send-context.ts';
import type { Reporter } from '../report/events.ts';
import type { Runtime } from '../runtime.ts';
import { type Connection, connect } from './connection.ts';
import type { GlobalOptions } from './options.ts';
import { waits } from './push-waits.ts';
import { confirm, openReporter } from './terminal.ts';

/** What a run works with that takes no file: a delete, an undo. */
export type WorkContext = Omit<PushContext, 'onPlan' | 'backUp'>;

export interface Workplace {
  context: WorkContext;
  connection: Connection;
  reporter: Reporter;
}

/** Connects to the service, reads its event, does the work, and closes everything but the journal. */
export async function workWithService<T>(
  options: GlobalOptions,
  runtime: Runtime,
  { journal, concurrency }: { journal: Journal; concurrency: number },
  work: (place: Workplace) => Promise<T>,
): Promise<T> {
  const reporter = await openReporter(options, runtime, { rejectsFile: false });
  const at: { run: string | undefined } = { run: undefined };
  const halt = new AbortController();
  try {
    const connection = await connect(options, runtime, {
      halted: halt.signal,
      onWait: waits({ journal, reporter, runtime }, at),
    });
    try {
      const { client, service, gate } = connection;
      const event = await client.getEvent();
      const context: WorkContext = {
        journal,
        reporter,
        event,
        registrations: client.registrations,
        target: { service, eventId: event.eventId, eventName: event.name || event.slug },
        clock: runtime.clock,
        stopping: runtime.stopping,
        self: runtime.self,
        budget: () => gate.budget(),
        halt: () => halt.abort(new InterruptedError()),
        limits: limitsOf(connection, concurrency),
        confirm: (question) => {
          reporter.pause();
          return confirm(options, runtime, question);
        },
        onRun(id) {
          at.run = id;
        },
      };
      return await work({ context, connection, reporter });
    } finally {
      await connection.close();
    }
  } finally {
    reporter.close();
  }
}

function limitsOf({ settings }: Connection, concurrency: number): SendLimits {
  const { settleMs, timeoutMs } = settings;
  return {
    concurrency,
    maxFailures: undefined,
    // A request may take its time out to be given up, and as long again to land.
    settleMs: settleMs === 0 ? 0 : Math.max(settleMs, 2 * timeoutMs),
  };
}
