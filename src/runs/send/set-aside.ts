import type { SendContext } from '../journal/send-context.ts';

/** Takes the rows out of what is sent that a condition chooses, with a step each. Returns how many. */
export function setAside(
  { journal, run, clock }: SendContext,
  { where, values = {} }: { where: string; values?: Readonly<Record<string, string | number>> },
  { state, why }: { state: 'conflict' | 'blocked'; why: string },
): number {
  const which = { ...values, $run: run, $now: clock.now() };
  return journal.transaction(() => {
    journal.run(
      `INSERT INTO step (run, seq, at, what, detail)
       SELECT run, seq, $now, 'planned', $detail FROM row WHERE ${where} ORDER BY seq`,
      { ...which, $detail: `${state}: ${why}` },
    );
    return journal.run(
      `UPDATE row SET state = $state, done_at = $now, message = $why,
         plan = CASE $state WHEN 'conflict' THEN 'conflict' ELSE plan END
       WHERE ${where}`,
      { ...which, $state: state, $why: why },
    );
  });
}
