import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { Field } from '../../registration/model/persona.ts';
import { BaseStore } from '../../sync/journal/base-store.ts';
import type { QueuedRow } from '../../sync/journal/queued-rows.ts';
import { readUnsentRules } from '../../sync/journal/learned.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import {
  cannotSendBack,
  type LastWord,
  type SentFacts,
  type WhatIsSent,
  whatIsSent,
  whyNotSent,
} from '../../sync/decide/what-is-sent.ts';
import { among, SENT } from '../../registration/model/row-states.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Target } from '../../sync/journal/runs.ts';
import { type FieldValue, imageOf, type RecordImage } from '../../registration/model/registration.ts';
import { canonicalValue } from '../../registration/changes/same-value.ts';
import { type Base, UNSAID, writtenText } from '../../sync/decide/base.ts';
import type { ComparedRow } from '../../sync/journal/run-rows.ts';
import type { PlanDecision } from '../../sync/decide/plan-decision.ts';

type KnowledgeContext = Pick<SendContext, 'journal' | 'target' | 'event' | 'clock' | 'before'>;

/** What is known of a row when it is to be sent: of its registration, its files, and of the service. */
export function sentFacts(
  { journal, target, event, clock, before: reading }: KnowledgeContext,
  { registration, before, remoteId }: Pick<QueuedRow, 'registration' | 'before' | 'remoteId'>,
): SentFacts {
  const { barcode } = registration;
  const hidden = reading?.parentsShown === false && barcode !== undefined;
  return {
    registration,
    before,
    lastParent: hidden ? () => lastParent(journal, target, barcode) : undefined,
    lastWord: lastWords(journal, target, { barcode, id: before?.id ?? remoteId, endDate: event.endDate }),
    fields: fieldsOf(event),
    rules: readUnsentRules(journal, target.service, clock.now()),
    sentByFile: (slug, text) => {
      const bases = new BaseStore(journal, target, event.endDate);
      const base = bases.read({ barcode: registration.barcode, id: before?.id ?? remoteId });
      return base?.pairs.get(slug)?.said === bases.digest(text);
    },
  };
}

/** What goes over the wire for a row at this moment, without some things by name. */
export function whatIsSentNow(
  context: KnowledgeContext,
  row: Pick<QueuedRow, 'registration' | 'before' | 'remoteId'>,
  leaveOut: ReadonlySet<string>,
): WhatIsSent {
  // There is nothing that could be lost.
  if (row.before === undefined) {
    return { registration: row.registration, along: [], cannot: [], takesBackMessages: false };
  }
  return whatIsSent({ ...sentFacts(context, row), leaveOut });
}

/** What was sent beside the row, and what was left out, for the story of the row; undefined for neither. */
export function describeRest(
  along: readonly string[],
  leftOut: readonly string[] | undefined,
): string | undefined {
  const parts = [
    ...(along.length === 0 ? [] : [`with what it holds besides: ${along.join(', ')}`]),
    ...(leftOut === undefined ? [] : [`left out, to see whether it stays: ${leftOut.join(', ')}`]),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** Which of the values that were sent along a refusal names. */
export function blame(
  message: string,
  along: readonly string[],
  fields: readonly Field[],
): readonly string[] {
  if (along.length === 0) return [];
  const text = message.toLowerCase();
  const words = new Set(text.split(/[^\p{L}\p{N}_-]+/u));
  return along.filter((name) => {
    const label = fields.find(({ slug }) => slug === name)?.label.toLowerCase() ?? '';
    return words.has(name.toLowerCase()) || (label !== '' && text.includes(label));
  });
}

/** What a refusal may be due to, as a clause: what it names of that which was sent along, else any of it. */
export function whyRefused(blamed: readonly string[], along: readonly string[]): string {
  if (blamed.length === 0) return `sent with what its registration holds besides: ${along.join(', ')}`;
  return `what its registration holds and the file does not have cannot be sent back: ${blamed.join(', ')}; give the file such a column, or change it in the service`;
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
     FROM run CROSS JOIN main.row ON row.run = run.id AND row.barcode = $barcode
     WHERE run.service = $service AND run.event = $event AND (
       (op = 'delete' AND row.state = 'deleted') OR (op = 'send' AND row.state ${among(SENT)} AND (
         coalesce(ask, payload) ->> '$.parentBarcode' IS NOT NULL OR coalesce(ask, payload) ->> '$.leavesGroup' = 1)))
     ORDER BY coalesce(sent_at, done_at) DESC, coalesce(sent_no, 0) DESC LIMIT 1`,
    { service, event: eventId, barcode },
  );
  return row?.parent;
}

/** The last words about one registration. `endDate` is that of the event. */
function lastWords(
  journal: Journal,
  target: Target,
  { barcode, id, endDate }: Pick<RecordImage, 'barcode' | 'id'> & { endDate: string | undefined },
): LastWord {
  let read: { bases: BaseStore; base: Base | undefined } | undefined;
  const known = (): { bases: BaseStore; base: Base | undefined } => {
    if (read !== undefined) return read;
    const bases = new BaseStore(journal, target, endDate);
    return (read = { bases, base: bases.read({ barcode, id }) });
  };
  return (field, shown) => {
    const { bases, base } = known();
    const pair = base?.pairs.get(field.slug);
    if (pair === undefined || pair.said === UNSAID) return undefined;
    const isAsSeen = pair.seen === bases.digest(canonicalValue(field, shown));
    if (!isAsSeen || pair.said === bases.digest(writtenText(shown))) return undefined;
    const value = lastSent(journal, target, { barcode, id, slug: field.slug });
    return value !== undefined && bases.digest(writtenText(value)) === pair.said ? { value } : 'lost';
  };
}

/** The value that was sent last in a field of a registration, as it was sent; undefined when the journal has none. */
function lastSent(
  journal: Journal,
  { service, eventId }: Target,
  { barcode, id, slug }: Pick<RecordImage, 'barcode' | 'id'> & { slug: string },
): FieldValue | undefined {
  const name = barcode === undefined ? 'row.remote_id = $name' : 'row.barcode = $name';
  const row = journal.get<{ value: string }>(
    `SELECT json_extract(coalesce(ask, payload), '$.fields') -> $slug AS value
     FROM run CROSS JOIN main.row ON row.run = run.id AND ${name}
     WHERE run.service = $service AND run.event = $event AND op = 'send' AND row.state ${among(SENT)}
       AND value IS NOT NULL
     ORDER BY coalesce(sent_at, done_at) DESC, coalesce(sent_no, 0) DESC LIMIT 1`,
    { service, event: eventId, name: barcode ?? id, slug },
  );
  return row && (JSON.parse(row.value) as FieldValue);
}

/** An update that may lose something of its registration that cannot be given back is a conflict. */
export function refuseLoss(
  context: Pick<SendContext, 'journal' | 'target' | 'event' | 'clock'>,
  { registration, remoteId }: ComparedRow,
  decision: PlanDecision,
): PlanDecision {
  const { action, record, ask } = decision;
  if (action !== 'update' || record === undefined) return decision;
  const row = {
    registration: ask ?? registration,
    before: imageOf(record),
    remoteId,
  };
  const cannot = cannotSendBack(sentFacts(context, row));
  return cannot.length === 0 ? decision : { ...decision, action: 'conflict', why: whyNotSent(cannot) };
}
