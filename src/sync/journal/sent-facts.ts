import { fieldsOf } from '../../registration/changes/field-change.ts';
import { canonicalValue } from '../../registration/changes/same-value.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { among, MAY_HAVE_LANDED, SENT } from '../../registration/model/row-states.ts';
import { json, rowCodec, value } from '../../sqlite/row-codec.ts';
import { type Base, type SaidOf, UNSAID, writtenText } from '../decide/base.ts';
import { type EarlierSend, lastParent, lastSaid } from '../decide/left-behind.ts';
import { type SentFacts, type WhatIsSent, whatIsSent } from '../decide/what-is-sent.ts';
import { BaseStore } from './base-store.ts';
import { columns } from './row-tables.ts';
import type { Journal } from './journal.ts';
import { readFields } from './learned.ts';
import type { QueuedRow } from './queued-rows.ts';
import type { Target } from './runs.ts';
import type { SendContext, Session } from './send-context.ts';

type KnowledgeContext = Pick<SendContext, 'journal' | 'target' | 'event' | 'clock' | 'before'>;
/** `base`: what is known of its registration once its plan is written. */
type Row = Pick<QueuedRow, 'registration' | 'before' | 'remoteId'> & { base?: Base | undefined };

/** What goes over the wire for a row at this moment. `without`: fields that are not sent, though its registration holds them. */
export const whatIsSentNow = (
  context: KnowledgeContext,
  row: Row,
  without: readonly string[] = [],
): WhatIsSent => whatIsSent(sentFacts(context, row, without));

/** What is known of a row when it is to be sent: of its registration, its files, and of the service. */
function sentFacts(
  context: KnowledgeContext,
  { registration, before, remoteId, base: planned }: Row,
  without: readonly string[],
): SentFacts {
  const { journal, target, event, before: reading } = context;
  const { barcode, persona } = registration;
  const hidden = reading?.parentsShown === false && barcode !== undefined;
  const names = { barcode, id: before?.id ?? remoteId };
  const parents = before?.parentId === undefined ? [] : reading?.listed.byId(before.parentId);
  const known = once(() => {
    const bases = new BaseStore(journal, target, event.endDate);
    return { bases, base: planned ?? bases.read(names) };
  });
  const said = once(() => earlierSends(journal, target, names));
  const saidLast = (slug: string) => lastSaid(slug, said())?.fields?.[slug];
  const untaken =
    before === undefined ? [] : readFields(context, { fact: 'untaken', sends: 'update', persona });
  return {
    registration,
    before,
    fields: fieldsOf(event),
    untaken: new Set([...untaken, ...without]),
    sight: reading?.sight,
    lastParent: hidden ? () => parents?.[0]?.barcode ?? lastParent(said()) : undefined,
    saidLast,
    lastWord: (field, shown) => {
      const { bases, base } = known();
      const pair = base?.pairs.get(field.slug);
      if (pair === undefined || pair.said === UNSAID) return undefined;
      const isAsSeen = pair.seen === bases.digest(canonicalValue(field, shown));
      // What the service has shown as it was said, somebody has written otherwise since.
      if (!isAsSeen || pair.rewritten !== true) return undefined;
      const value = saidLast(field.slug);
      return value !== undefined && bases.digest(writtenText(value)) === pair.said ? { value } : 'lost';
    },
    sentByFile: (slug, text) => {
      const { bases, base } = known();
      return base?.pairs.get(slug)?.said === bases.digest(text);
    },
  };
}

/** Reads when it is first asked for. */
function once<Value>(read: () => Value): () => Value {
  let kept: { value: Value } | undefined;
  return () => (kept ??= { value: read() }).value;
}

const SAID = rowCodec({
  ...columns('op', 'barcode', 'after'),
  id: value<string | undefined>('row.remote_id'),
  registration: json<Partial<Registration> | undefined>('coalesce(ask, payload)'),
});

/**
 * What this machine had sent of a registration, and the service had taken, before a step of the journal, be it deleted
 * since: newest first, back to when the registration was last deleted from here.
 */
export function earlierSends(
  journal: Journal,
  { service, eventId }: Target,
  { barcode, id }: Pick<RecordImage, 'barcode' | 'id'>,
  before?: number,
): EarlierSend[] {
  const name = barcode === undefined ? 'row.remote_id = $name' : 'row.barcode = $name';
  const states = among(before === undefined ? SENT : [...SENT, 'deleted']);
  const said = journal.read(
    SAID,
    `FROM run CROSS JOIN row ON row.run = run.id AND ${name}
     WHERE run.service = $service AND run.event = $event AND coalesce(sent_no, 0) < coalesce($before, 9e15)
       AND ((op = 'delete' AND row.state = 'deleted') OR (op = 'send' AND row.state ${states}))
     ORDER BY coalesce(sent_at, done_at) DESC, coalesce(sent_no, 0) DESC`,
    { service, event: eventId, name: barcode ?? id, before },
  );
  const deleted = said.findIndex(({ op }) => op === 'delete');
  return said
    .slice(0, deleted === -1 ? undefined : deleted)
    .map(({ registration, after }) => ({ ...registration, after }));
}

/** So many that were sent show what a list cuts, or hides. */
const SOME = 200;

/** What this machine said last of some registrations, and how they are listed, if they are. */
export function lastSaidOf(
  { journal, target, event }: Pick<Session, 'journal' | 'target' | 'event'>,
  find: (names: Pick<RecordImage, 'id' | 'barcode'>) => RecordImage | undefined,
): SaidOf[] {
  const sent = journal.read(
    SAID,
    `FROM run CROSS JOIN row ON row.run = run.id AND row.op = 'send' AND row.state ${among(SENT)}
     WHERE run.service = $service AND run.event = $event ORDER BY sent_no DESC LIMIT ${SOME}`,
    { service: target.service, event: target.eventId },
  );
  const last = new Map(sent.toReversed().map((one) => [one.barcode ?? one.id, one]));
  return [...last.values()].map(({ registration: { persona = '', fields = {} } = {}, ...names }) => ({
    image: find(names) ?? {},
    own: fieldsOf(event)(persona),
    say: (slug) => fields[slug],
  }));
}

/** Who was last sent as a member of one of some registrations, as it was sent, and was not deleted from here since. */
export function membersSent(
  journal: Journal,
  target: Target,
  parents: readonly (string | undefined)[],
): RecordImage[] {
  const rows = journal.read(
    SAID,
    `FROM run CROSS JOIN row ON row.run = run.id AND row.parent_barcode IN (SELECT value FROM json_each($parents))
     WHERE run.service = $service AND run.event = $event AND row.op = 'send' AND row.state ${among(MAY_HAVE_LANDED)}`,
    { service: target.service, event: target.eventId, parents: JSON.stringify(parents) },
  );
  const members = new Map(
    rows.map(({ barcode, id, registration }) => [barcode ?? id, { ...registration, id }]),
  );
  return [...members.values()].filter(
    (one) => lastParent(earlierSends(journal, target, one)) === one.parentBarcode,
  );
}
