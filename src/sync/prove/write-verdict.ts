import { aspectsOf, differs } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { Difference } from '../../registration/model/registration.ts';
import { imageOf } from '../../registration/model/registration.ts';
import { noteNotHeld, type SeenThere, type SentRow } from '../journal/sent-rows.ts';
import type { BaseStore } from '../journal/base-store.ts';
import { changeRow } from '../journal/row-tables.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { type AuditFinding, type AuditThere, isUnapplied } from '../decide/judge-audit.ts';
import { isToTheLetter, saidDigest } from '../decide/base.ts';
import { forgetUpdateRule } from '../journal/learned.ts';
import { extraFields } from './prove-new.ts';
import type { SendContext } from '../journal/send-context.ts';

/** What writing a finding takes. `seen`: what is written of many alike is kept there. */
export type WriteContext = Pick<SendContext, 'journal' | 'run' | 'clock' | 'target' | 'event'> & {
  bases: BaseStore;
  seen: SeenThere[];
};

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
  const { journal, run, event } = context;
  const told = differences.length === 0 ? undefined : JSON.stringify(differences);
  if (isUnapplied(finding)) {
    const fields = differences.filter(({ kind }) => kind === 'stored').map(({ field }) => field);
    const message = `the service answered that it took the change, and lists the old values: ${fields.join(', ')}`;
    contradict(context, row, { state: 'conflict', message });
    const shown = record.fields && { basedNo: -row.sentNo, listed: imageOf(record) };
    changeRow(journal, run, row.seq, { listedNo: undefined, differences: told, ...shown });
    return;
  }
  const otherwise =
    differences.length + spelling.length > 0 ||
    (row.plan === 'create' && extraFields(row.registration, record).length > 0);
  const after = otherwise ? imageOf(record) : undefined;
  const { seq, state, remoteId, registration } = row;
  const isShown = record.fields !== undefined;
  const isAsSent =
    (remoteId ?? record.id) === record.id && isToTheLetter(registration, record, fieldsOf(event));
  const listed = isShown && !isAsSent ? imageOf(record) : undefined;
  context.seen.push({ seq, state, remoteId, id: record.id, after, listed, differences: told, isShown });
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
  if (finding.differences.every(({ kind }) => kind !== 'stored')) return finding;
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

/** The row is not what the service said it is. What it answered stays known. */
function contradict(context: WriteContext, { seq, plan, status }: SentRow, outcome: RowOutcome): void {
  const { journal, run, clock } = context;
  writeOutcome(journal, run, seq, { ...outcome, status }, clock.now(), 'audited');
  if (plan === 'update' && outcome.state === 'conflict') forgetUpdateRule(context);
}
