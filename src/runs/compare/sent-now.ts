import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { Field } from '../../registration/model/persona.ts';
import { BaseStore } from '../journal/base-store.ts';
import type { QueuedRow } from '../journal/queued-rows.ts';
import { lastParent } from './last-parent.ts';
import { lastWords } from '../journal/last-word.ts';
import { readUnsentRules } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';
import { type SentFacts, type WhatIsSent, whatIsSent } from '../judge/what-is-sent.ts';

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
  row: QueuedRow,
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
