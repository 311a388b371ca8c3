import { KEY_WORDS, type PersonKey } from './near.ts';
import type { SendContext } from './send-context.ts';

/** Pending rows that a service might take for a registration which they share a key with. */
const LIKE = `run = $run AND op = 'send' AND state = 'pending' AND plan = 'create' AND near IS NOT NULL
  AND EXISTS (SELECT 1 FROM json_each(near) WHERE value ->> 'key' IN ($key, $also))`;

/** Takes the rows out of what is sent that would change a registration instead of adding one. Returns how many. */
export function withholdCreates(context: SendContext, key: PersonKey, but: number): number {
  const why = `not sent: this service knows people by ${KEY_WORDS[key]}, so that it would change a registration that is there`;
  return setAside(context, { key, but, state: 'conflict', why });
}

/** Keeps such rows back until it is known what they would do. Returns how many. */
export function postponeCreates(context: SendContext, key: PersonKey, because: string): number {
  const why = `not sent yet: whether this service knows people by ${KEY_WORDS[key]} is not known, because ${because}`;
  return setAside(context, { key, but: -1, state: 'blocked', why });
}

function setAside(
  { journal, run, clock }: SendContext,
  { key, but, state, why }: { key: PersonKey; but: number; state: 'conflict' | 'blocked'; why: string },
): number {
  const which = { $run: run, $key: key, $also: key === 'email-across' ? 'email' : key, $but: but };
  const now = clock.now();
  return journal.transaction(() => {
    journal.run(
      `INSERT INTO step (run, seq, at, what, detail)
       SELECT run, seq, $now, 'planned', $detail FROM row WHERE ${LIKE} AND seq <> $but ORDER BY seq`,
      { ...which, $now: now, $detail: `${state}: ${why}` },
    );
    return journal.run(
      `UPDATE row SET state = $state, done_at = $now, message = $why,
         plan = CASE $state WHEN 'conflict' THEN 'conflict' ELSE plan END
       WHERE ${LIKE} AND seq <> $but`,
      { ...which, $now: now, $state: state, $why: why },
    );
  });
}
