import type { SendContext } from '../journal/send-context.ts';

/** Waits until a time (milliseconds since 1970), and says so. Throws at once on Ctrl-C. */
export async function waitUntil(
  { clock, reporter, stopping }: Pick<SendContext, 'clock' | 'reporter' | 'stopping'>,
  untilMs: number,
): Promise<void> {
  reporter.report({ type: 'waiting', untilMs, why: 'retry', budget: undefined });
  await clock.sleep(untilMs - clock.now(), stopping);
}
