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

/** Between the first two reads; each further wait is twice as long. */
const FIRST_WAIT_MS = 1000;

/** Reads again and again until it is enough, or for so long. Throws what reading throws, and the reason on Ctrl-C. */
export async function readUntil<Reading>(
  { clock, stopping }: Pick<SendContext, 'clock' | 'stopping'>,
  forMs: number,
  read: () => Promise<Reading>,
  isEnough: (reading: Reading) => boolean,
): Promise<Reading> {
  const untilMs = clock.now() + forMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
    const reading = await read();
    const leftMs = untilMs - clock.now();
    if (isEnough(reading) || leftMs <= 0) return reading;
    await clock.sleep(Math.min(waitMs, leftMs), stopping);
  }
}
