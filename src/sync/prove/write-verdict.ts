import { aspectsOf, differs, MESSAGES, unsaidAspects } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { Difference } from '../../registration/model/difference.ts';
import { imageOf } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { noteNotHeld, noteSeenThere, type SeenThere, type SentRow } from '../journal/sent-rows.ts';
import type { BaseNote, BaseStore } from '../journal/base-store.ts';
import { askedOf, namesOf } from '../journal/note-sent.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { type AuditFinding, type AuditThere, isUnapplied } from '../decide/judge-audit.ts';
import { addUnsaid, type Pair, pairOf, saidDigest } from '../decide/base.ts';
import { forgetUpdateRule } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';

/** What writing a finding takes. What is written of many alike is kept for `writeSeen`. */
export type WriteContext = Pick<SendContext, 'journal' | 'run' | 'clock' | 'target' | 'event'> & {
  bases: BaseStore;
  seen: SeenThere[];
  notes: BaseNote[];
};

/** Writes of all that was found to be there what has been kept for it. Call it in the transaction of the findings. */
export function writeSeen({ journal, run, clock, bases, seen, notes }: WriteContext): void {
  noteSeenThere(journal, run, seen.splice(0), clock.now());
  bases.note(notes.splice(0), clock.now());
}

/** Writes what the audit found of a row. Call it in a transaction. */
export function writeFinding(context: WriteContext, row: SentRow, finding: AuditFinding): void {
  switch (finding.kind) {
    case 'there':
      writeThere(context, row, finding);
      return;
    case 'doubled':
      contradict(context, row, { state: 'conflict', message: finding.why });
      return;
    case 'missing':
      contradict(context, row, {
        state: 'uncertain',
        message: 'the service said that it took it, but does not list it',
      });
      noteNotHeld(context.journal, context.run, row.seq);
  }
}

/** What was only taken is done now that it is seen. What is not as it was sent is a conflict at the next push. */
function writeThere(context: WriteContext, row: SentRow, finding: AuditThere): void {
  const { record, differences, spelling } = finding;
  const { journal, run } = context;
  noteBase(context, row, finding);
  const told = differences.length === 0 ? undefined : JSON.stringify(differences);
  if (isUnapplied(finding)) {
    const fields = differences.filter(({ kind }) => kind === 'stored').map(({ field }) => field);
    const message = `the service answered that it took the change, and lists the old values: ${fields.join(', ')}`;
    contradict(context, row, { state: 'conflict', message });
    noteNotHeld(journal, run, row.seq, told);
    return;
  }
  const otherwise =
    differences.length + spelling.length > 0 || (row.plan === 'create' && hasMore(row, record));
  const after = otherwise ? imageOf(record) : undefined;
  const { seq, state, remoteId } = row;
  const isBased = record.fields !== undefined;
  context.seen.push({ seq, state, remoteId, id: record.id, after, differences: told, isBased });
}

const fieldsOfKind = (differences: readonly Difference[], wanted: Difference['kind']): ReadonlySet<string> =>
  new Set(differences.filter(({ kind }) => kind === wanted).map(({ field }) => field));

/**
 * Notes for the bases what a registration was seen to hold after it was sent. Of values that are neither as they were sent
 * nor refused only what was sent is known: who has changed them is not.
 */
function noteBase(
  { event, bases, notes }: WriteContext,
  row: SentRow,
  { record, differences }: AuditThere,
): void {
  if (record.fields === undefined) return;
  const { registration } = row;
  const fields = fieldsOf(event);
  const { barcode = record.barcode } = registration;
  const names = namesOf(row, bases, fields, { barcode, id: record.id });
  const digest = (text: string): string => bases.digest(text);
  const [stored, refused] = [fieldsOfKind(differences, 'stored'), fieldsOfKind(differences, 'refused')];
  const asked = askedOf(row, fields);
  const aspects = unsaidAspects(record.persona ?? registration.persona, fields);
  const noteListed = (pairs: Map<string, Pair>): void => {
    for (const aspect of asked) {
      const { field, key } = aspect;
      const pair = pairOf(aspect, { registration, record, digest }, pairs.get(key));
      const isOtherwise = aspect !== MESSAGES && stored.has(field);
      if (refused.has(field)) pairs.set(key, { ...pair, refused: true });
      else pairs.set(key, isOtherwise ? { said: pair.said, seen: undefined } : pair);
    }
    addUnsaid(pairs, new Set(), { aspects, record, digest });
  };
  notes.push({ names, change: noteListed });
}

/**
 * The finding, with values that were sent before, never seen as sent, and sent again because somebody said so: where
 * the service lists them as it did before, it does not accept them.
 */
export function withRefused(
  { bases, event }: WriteContext,
  { registration, before, isBased }: SentRow,
  finding: AuditFinding,
): AuditFinding {
  if (finding.kind !== 'there' || before === undefined || isBased) return finding;
  if (fieldsOfKind(finding.differences, 'stored').size === 0) return finding;
  const { barcode = finding.record.barcode } = registration;
  const pairs = bases.read({ barcode, id: finding.record.id })?.pairs;
  const refused = aspectsOf(registration, fieldsOf(event)).filter((aspect) => {
    const pair = pairs?.get(aspect.key);
    const isAgain = pair !== undefined && pair.seen === undefined;
    const said = saidDigest(aspect, registration, (text) => bases.digest(text));
    return isAgain && pair.said === said && !differs(aspect, before, finding.record);
  });
  const names = new Set(refused.map(({ field }) => field));
  const differences = finding.differences.map(
    (one): Difference => (one.kind === 'stored' && names.has(one.field) ? { ...one, kind: 'refused' } : one),
  );
  return { ...finding, differences };
}

/** Whether a new registration has further values than were sent. */
function hasMore({ registration }: SentRow, { fields = {} }: AuditThere['record']): boolean {
  return Object.entries(fields).some(
    ([slug, value]) => !Object.hasOwn(registration.fields, slug) && plainValue(value) !== undefined,
  );
}

/** The row is not what the service said it is. What it answered stays known. */
function contradict(context: WriteContext, { seq, plan, status }: SentRow, outcome: RowOutcome): void {
  const { journal, run, clock } = context;
  writeOutcome(journal, run, seq, { ...outcome, status }, clock.now(), 'audited');
  if (plan === 'update' && outcome.state === 'conflict') forgetUpdateRule(context);
}
