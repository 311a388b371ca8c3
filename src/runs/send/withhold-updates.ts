import type { UpdateRule } from '../../sync/decide/judge-trial.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { UPDATES } from '../../sync/journal/queued-rows.ts';
import { KEY_WORDS, type PersonKey } from '../../sync/decide/near.ts';
import type { Difference } from '../../registration/model/difference.ts';
import { formatPlace, type Place } from '../../registration/model/row.ts';

const HABITS: Readonly<Record<Exclude<UpdateRule, 'update'>, string>> = {
  double: 'this service adds a second registration when it is sent a barcode that it has already',
  refuse: 'this service refuses a barcode that it has already',
  ignore: 'the updates that were sent first have changed nothing in this service',
};

/**
 * Takes the updates of a run out of what is sent, because the service would not update. `seen` says where that
 * was seen. Returns how many.
 */
export function withholdUpdates(
  context: SendContext,
  rule: Exclude<UpdateRule, 'update'>,
  seen: string,
): number {
  const why = `not sent: ${HABITS[rule]} (${seen})${wayOut(rule)}`;
  return setAside(context, { where: UPDATES }, { state: 'conflict', why });
}

/** What changed nothing may be what the service will not store: then a change of something else shows that it updates. */
const wayOut = (rule: UpdateRule): string =>
  rule === 'ignore'
    ? '; leave these columns out if it does not store them, or change another field too: that is tried first'
    : '';

/** Keeps the updates of a run back until it is known what they would do. Returns how many. */
export function postponeUpdates(context: SendContext, because: string): number {
  const unknown = 'not sent yet: what this service does with a barcode that it has already is not known';
  return setAside(context, { where: UPDATES }, { state: 'postponed', why: `${unknown}, because ${because}` });
}

/** Keeps rows back that would fare like one that went first and came back otherwise. */
export function holdBackLike(
  context: SendContext,
  which: { where: string; values?: { persona: string } },
  { place, otherwise }: { place: Place; otherwise: readonly Difference[] },
): void {
  const fields = otherwise.map(({ field }) => field).join(', ');
  const isOwn = otherwise.every(({ kind }) => kind === 'stored');
  const wayOut = isOwn ? '; --keep sends them all the same, and takes what the service makes of them' : '';
  const why = `not sent yet: ${formatPlace(place)} went first, and came back otherwise than it was sent: ${fields}${wayOut}`;
  setAside(context, which, { state: 'postponed', why });
}

/** Takes the rows out of what is sent that a condition chooses, with a step each. Returns how many. */
function setAside(
  { journal, run, clock }: SendContext,
  { where, values = {} }: { where: string; values?: Readonly<Record<string, string | number>> },
  { state, why }: { state: 'conflict' | 'postponed'; why: string },
): number {
  const which = { ...values, run, now: clock.now() };
  return journal.transaction(() => {
    journal.run(
      `INSERT INTO step (run, seq, at, what, detail)
       SELECT run, seq, $now, 'planned', $detail FROM row WHERE ${where} ORDER BY seq`,
      { ...which, detail: `${state}: ${why}` },
    );
    return journal.run(
      `UPDATE row SET state = $state, done_at = $now, message = $why,
         plan = CASE $state WHEN 'conflict' THEN 'conflict' ELSE plan END
       WHERE ${where}`,
      { ...which, state, why },
    );
  });
}

/** Pending rows that a service might take for a registration which they share a key with, but for one. */
const LIKE = `run = $run AND op = 'send' AND state = 'pending' AND plan = 'create' AND near IS NOT NULL
  AND EXISTS (SELECT 1 FROM json_each(near) WHERE value ->> 'key' IN ($key, $also)) AND seq <> $but`;

/** Takes the rows out of what is sent that would change a registration instead of adding one. Returns how many. */
export function withholdCreates(context: SendContext, key: PersonKey, but: number): number {
  const why = `not sent: this service knows people by ${KEY_WORDS[key]}, so that it would change a registration that is there`;
  return setAside(context, choose(key, but), { state: 'conflict', why });
}

/** Keeps such rows back until it is known what they would do. Returns how many. */
export function postponeCreates(context: SendContext, key: PersonKey, because: string): number {
  const why = `not sent yet: whether this service knows people by ${KEY_WORDS[key]} is not known, because ${because}`;
  return setAside(context, choose(key, -1), { state: 'postponed', why });
}

function choose(key: PersonKey, but: number): Parameters<typeof setAside>[1] {
  return { where: LIKE, values: { key, also: key === 'email-across' ? 'email' : key, but } };
}
