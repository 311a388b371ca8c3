import { among, IN_DOUBT } from '../../registration/model/row-states.ts';
import type { SendContext } from '../journal/send-context.ts';

/** Between two reads that both have to find nothing. */
export const SECOND_LOOK_MS = 10_000;

/** Waits until a time (milliseconds since 1970), and says so. Throws at once on Ctrl-C. */
export async function waitUntil(
  { clock, reporter, stopping }: Pick<SendContext, 'clock' | 'reporter' | 'stopping'>,
  untilMs: number,
): Promise<void> {
  reporter.report({ type: 'waiting', untilMs, why: 'retry', budget: undefined });
  await clock.sleep(untilMs - clock.now(), stopping);
}

/**
 * Waits until no request can land any more that another run sent for one of the pending rows and got no
 * answer to: it would put the old values over the new ones.
 */
export async function waitForLate(context: SendContext): Promise<void> {
  const { clock, journal, run, target, limits } = context;
  const row = journal.get<{ at?: number }>(
    `SELECT max(past.sent_at) AS at FROM row AS mine
       JOIN row AS past ON past.row_key = mine.row_key AND past.run <> mine.run
       JOIN run ON run.id = past.run AND run.service = $service AND run.event = $event
     WHERE mine.run = $run AND mine.state = 'pending' AND past.state ${among(IN_DOUBT)}`,
    { service: target.service, event: target.eventId, run },
  );
  const now = clock.now();
  const untilMs = Math.min((row?.at ?? Number.NEGATIVE_INFINITY) + limits.settleMs, now + limits.settleMs);
  if (untilMs > now) await waitUntil(context, untilMs);
}
