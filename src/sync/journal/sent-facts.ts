import { fieldsOf } from '../../registration/changes/field-change.ts';
import { canonicalValue } from '../../registration/changes/same-value.ts';
import type { FieldValue, RecordImage } from '../../registration/model/registration.ts';
import { among, SENT } from '../../registration/model/row-states.ts';
import { type Base, UNSAID, writtenText } from '../decide/base.ts';
import { type LastWord, type SentFacts, type WhatIsSent, whatIsSent } from '../decide/what-is-sent.ts';
import { BaseStore } from './base-store.ts';
import type { Journal } from './journal.ts';
import { readFields } from './learned.ts';
import type { QueuedRow } from './queued-rows.ts';
import type { Target } from './runs.ts';
import type { SendContext } from './send-context.ts';

type KnowledgeContext = Pick<SendContext, 'journal' | 'target' | 'event' | 'clock' | 'before'>;
type Row = Pick<QueuedRow, 'registration' | 'before' | 'remoteId'>;

/** What goes over the wire for a row at this moment. `without`: fields that are not sent, though its registration holds them. */
export function whatIsSentNow(
  context: KnowledgeContext,
  row: Row,
  without: readonly string[] = [],
): WhatIsSent {
  return whatIsSent(sentFacts(context, row, without));
}

/** What is known of a row when it is to be sent: of its registration, its files, and of the service. */
function sentFacts(
  { journal, target, event, clock, before: reading }: KnowledgeContext,
  { registration, before, remoteId }: Row,
  without: readonly string[],
): SentFacts {
  const { barcode, persona } = registration;
  const hidden = reading?.parentsShown === false && barcode !== undefined;
  const names = { barcode, id: before?.id ?? remoteId };
  const known = knownOf(journal, target, names, event.endDate);
  const untaken =
    before === undefined
      ? []
      : readFields(journal, target.service, { fact: 'untaken', sends: 'update', persona }, clock.now());
  return {
    registration,
    before,
    fields: fieldsOf(event),
    untaken: new Set([...untaken, ...without]),
    lastParent: hidden ? () => lastParent(journal, target, barcode) : undefined,
    lastWord: lastWords(journal, target, names, known),
    sentByFile: (slug, text) => {
      const { bases, base } = known();
      return base?.pairs.get(slug)?.said === bases.digest(text);
    },
  };
}

type Names = Pick<RecordImage, 'barcode' | 'id'>;
type Known = () => { bases: BaseStore; base: Base | undefined };

/** What is known of one registration, read when it is first asked for. */
function knownOf(journal: Journal, target: Target, names: Names, endDate: string | undefined): Known {
  let read: ReturnType<Known> | undefined;
  return () => {
    if (read !== undefined) return read;
    const bases = new BaseStore(journal, target, endDate);
    return (read = { bases, base: bases.read({ barcode: names.barcode, id: names.id }) });
  };
}

/**
 * The parent that this machine itself sent last for a registration, which rows that name none have left as it
 * is; undefined when there is none, or the registration was taken out of its group or deleted since.
 */
function lastParent(
  journal: Journal,
  { service, eventId }: Pick<Target, 'service' | 'eventId'>,
  barcode: string,
): string | undefined {
  const row = journal.get<{ parent?: string }>(
    `SELECT CASE WHEN op = 'send' THEN coalesce(ask, payload) ->> '$.parentBarcode' END AS parent
     FROM run CROSS JOIN row ON row.run = run.id AND row.barcode = $barcode
     WHERE run.service = $service AND run.event = $event AND (
       (op = 'delete' AND row.state = 'deleted') OR (op = 'send' AND row.state ${among(SENT)} AND (
         coalesce(ask, payload) ->> '$.parentBarcode' IS NOT NULL OR coalesce(ask, payload) ->> '$.leavesGroup' = 1)))
     ORDER BY coalesce(sent_at, done_at) DESC, coalesce(sent_no, 0) DESC LIMIT 1`,
    { service, event: eventId, barcode },
  );
  return row?.parent;
}

/** The last words about one registration. */
function lastWords(journal: Journal, target: Target, names: Names, known: Known): LastWord {
  return (field, shown) => {
    const { bases, base } = known();
    const pair = base?.pairs.get(field.slug);
    if (pair === undefined || pair.said === UNSAID) return undefined;
    const isAsSeen = pair.seen === bases.digest(canonicalValue(field, shown));
    // What the service has shown as it was said, somebody has written otherwise since.
    if (!isAsSeen || pair.rewritten !== true) return undefined;
    const value = lastSent(journal, target, names, field.slug);
    return value !== undefined && bases.digest(writtenText(value)) === pair.said ? { value } : 'lost';
  };
}

/** The value that was sent last in a field of a registration, as it was sent; undefined when the journal has none. */
function lastSent(
  journal: Journal,
  { service, eventId }: Target,
  { barcode, id }: Names,
  slug: string,
): FieldValue | undefined {
  const name = barcode === undefined ? 'row.remote_id = $name' : 'row.barcode = $name';
  const row = journal.get<{ value: string }>(
    `SELECT json_extract(coalesce(ask, payload), '$.fields') -> $slug AS value
     FROM run CROSS JOIN row ON row.run = run.id AND ${name}
     WHERE run.service = $service AND run.event = $event AND op = 'send' AND row.state ${among(SENT)}
       AND value IS NOT NULL
     ORDER BY coalesce(sent_at, done_at) DESC, coalesce(sent_no, 0) DESC LIMIT 1`,
    { service, event: eventId, name: barcode ?? id, slug },
  );
  return row && (JSON.parse(row.value) as FieldValue);
}
