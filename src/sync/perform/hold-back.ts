import type { Difference } from '../../registration/model/difference.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { KEY_WORDS, type PersonKey } from '../decide/near.ts';
import { learnFields, type UpdateRule } from '../journal/learned.ts';
import { noteDifferences, type QueuedRow } from '../journal/queued-rows.ts';
import { CREATES, LIKE_OTHERS, UPDATES } from '../journal/rows-to-send.ts';
import type { SendContext } from '../journal/send-context.ts';

/** Rows of a run that are still to be sent, by a condition. */
interface Which {
  where: string;
  values?: Readonly<Record<string, string | number>>;
}

const HABITS: Readonly<Record<Exclude<UpdateRule, 'update'>, string>> = {
  double: 'this service adds a second registration when it is sent a barcode that it has already',
  refuse: 'this service refuses a barcode that it has already',
  ignore: 'the update that was sent first has changed nothing in this service',
};

/** What changed nothing may be what the service will not store: then a change of something else shows that it updates. */
const WAY_OUT =
  '; leave these columns out if it does not store them, or change another field too: that is sent first';

/** Takes the updates of a run out of what is sent, because the service would not update. `seen` says where that was seen. */
export function withholdUpdates(
  context: SendContext,
  rule: Exclude<UpdateRule, 'update'>,
  seen: string,
): void {
  const why = `not sent: ${HABITS[rule]} (${seen})${rule === 'ignore' ? WAY_OUT : ''}`;
  setAside(context, { where: UPDATES }, { state: 'conflict', why });
}

/** Keeps the updates of a run back until it is known what they would do. */
export function postponeUpdates(context: SendContext, because: string): void {
  const unknown = 'not sent yet: what this service does with a barcode that it has already is not known';
  setAside(context, { where: UPDATES }, { state: 'postponed', why: `${unknown}, because ${because}` });
}

/** Rows of one plan and persona. */
interface Kind {
  sends: 'create' | 'update';
  persona: string;
}

const like = ({ sends, persona }: Kind): Which => ({
  where: `${sends === 'create' ? CREATES : UPDATES} AND persona = $persona`,
  values: { persona },
});

/** Nothing else of the kind of a row goes that has come back otherwise, and is not tried again until somebody asks. */
export function stopLike(context: SendContext, row: QueuedRow, differences: readonly Difference[]): void {
  const { journal, run } = context;
  const slugs = differences.map(({ field }) => field);
  const { persona } = row.registration;
  const sends = row.plan === 'create' ? 'create' : 'update';
  // For whoever does not have it read back at the end.
  noteDifferences(journal, run, row.seq, differences);
  noteFields(context, { fact: 'faulty', sends, persona, slugs });
  const isOwn = differences.every(({ kind }) => kind === 'stored');
  const wayOut = isOwn ? '; --keep sends them all the same, and takes what the service makes of them' : '';
  const undo = sends === 'update' ? `; eventreg runs undo ${run} brings that one back` : '';
  const why = `not sent yet: ${formatPlace(row.place)} went first, and came back otherwise than it was sent: ${slugs.join(', ')}${wayOut}${undo}`;
  setAside(context, like({ sends, persona }), { state: 'postponed', why });
}

export function noteFields(
  { journal, target, clock }: SendContext,
  fields: Parameters<typeof learnFields>[2],
): void {
  learnFields(journal, target.service, fields, clock.now());
}

/** Keeps rows back because so many like them were refused. */
export function holdBackRefused(context: SendContext, kind: Kind, why: string): void {
  setAside(context, like(kind), { state: 'postponed', why: `not sent yet: ${why}` });
}

/** Keeps what is new of a persona back that the list does not show: each may replace one that is there. */
export function postponeUnlisted(
  context: SendContext,
  { place, registration: { persona } }: QueuedRow,
): void {
  const why = `not sent yet: the list does not show ${persona}, so that it cannot be told whether they are there: ${formatPlace(place)} went first, was taken, and is not listed; --overwrite sends them all the same`;
  setAside(context, like({ sends: 'create', persona }), { state: 'postponed', why });
}

/** Keeps rows back that send fields which were seen to come back otherwise, until somebody asks to try one again. */
export function holdBackFaulty(context: SendContext, kind: Kind, fields: ReadonlySet<string>): void {
  const said = `json_extract(coalesce(ask, payload), '$.fields')`;
  const held = `json_extract(coalesce(latest, before), '$.fields')`;
  // What the file says is sent where somebody takes what the service makes of it.
  const isSent = `(${context.takesOther === true ? '0' : `${said} -> $slug IS NOT NULL`}
    OR ($carries AND ${said} -> $slug IS NULL AND coalesce(${held} ->> $slug, '') <> ''))`;
  const { where, values } = like(kind);
  for (const slug of fields) {
    const why = `not sent yet: this service was seen to store ${slug} otherwise than it is sent; --overwrite sends one again, alone`;
    const carries = kind.sends === 'update' ? 1 : 0;
    setAside(
      context,
      { where: `${where} AND ${isSent}`, values: { ...values, slug, carries } },
      { state: 'postponed', why },
    );
  }
}

/** Pending rows that a service might take for a registration which they share a key with, but for one. */
const SHARING = `${LIKE_OTHERS}
  AND EXISTS (SELECT 1 FROM json_each(near) WHERE value ->> 'key' IN ($key, $also)) AND seq <> $but`;

const sharing = (key: PersonKey, but = -1): Which => ({
  where: SHARING,
  values: { key, also: key === 'email-across' ? 'email' : key, but },
});

/** Takes the rows out of what is sent that would change a registration instead of adding one. */
export function withholdCreates(context: SendContext, key: PersonKey, but: number): void {
  const why = `not sent: this service knows people by ${KEY_WORDS[key]}, so that it would change a registration that is there`;
  setAside(context, sharing(key, but), { state: 'conflict', why });
}

/** Keeps such rows back until it is known what they would do. */
export function postponeCreates(context: SendContext, key: PersonKey, because: string): void {
  const why = `not sent yet: whether this service knows people by ${KEY_WORDS[key]} is not known, because ${because}`;
  setAside(context, sharing(key), { state: 'postponed', why });
}

/** Takes rows out of what is sent, with a step each. */
function setAside(
  { journal, run, clock }: SendContext,
  { where, values = {} }: Which,
  { state, why }: { state: 'conflict' | 'postponed'; why: string },
): void {
  const which = { ...values, run, now: clock.now() };
  journal.transaction(() => {
    journal.run(
      `INSERT INTO step (run, seq, at, what, detail)
       SELECT run, seq, $now, 'planned', $detail FROM row WHERE ${where} ORDER BY seq`,
      { ...which, detail: `${state}: ${why}` },
    );
    journal.run(
      `UPDATE row SET state = $state, done_at = $now, message = $why,
         plan = CASE $state WHEN 'conflict' THEN 'conflict' ELSE plan END
       WHERE ${where}`,
      { ...which, state, why },
    );
  });
}
