import { aspectsOf, differs, MESSAGES } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { isRestored, noteSeen } from '../compare/note-base.ts';
import type { Difference } from '../../registration/model/difference.ts';
import { imageOf } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { AuditRow } from '../../sync/journal/audit-rows.ts';
import type { BaseStore } from '../../sync/journal/base-store.ts';
import { writeOutcome } from '../../sync/journal/queued-rows.ts';
import type { RowOutcome } from '../../sync/decide/judge-found.ts';
import { type AuditFinding, type AuditThere, isUnapplied } from '../../sync/decide/judge-audit.ts';
import { saidDigest } from '../../sync/decide/base.ts';
import { forgetUpdateRule } from '../../sync/journal/learned.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

/** What writing a finding takes. */
export type WriteContext = Pick<SendContext, 'journal' | 'run' | 'clock' | 'target' | 'event'> & {
  bases: BaseStore;
};

/** Writes what the audit found of a row. Call it in a transaction. */
export function writeFinding(context: WriteContext, row: AuditRow, finding: AuditFinding): void {
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
      notThere(context, row);
  }
}

/** What was only taken is done now that it is seen. What is not as it was sent is a conflict at the next push. */
function writeThere(context: WriteContext, row: AuditRow, finding: AuditThere): void {
  const { record, differences, spelling } = finding;
  const { journal, run, clock } = context;
  noteBase(context, row, finding);
  const told = differences.length === 0 ? undefined : JSON.stringify(differences);
  if (isUnapplied(finding)) {
    journal.run('UPDATE row SET differences = ? WHERE run = ? AND seq = ?', [told, run, row.seq]);
    const fields = differences.filter(({ kind }) => kind === 'stored').map(({ field }) => field);
    const message = `the service answered that it took the change, and lists the old values: ${fields.join(', ')}`;
    contradict(context, row, { state: 'conflict', message });
    notThere(context, row);
    return;
  }
  const otherwise =
    differences.length + spelling.length > 0 || (row.plan === 'create' && hasMore(row, record));
  journal.run(
    `UPDATE row SET state = 'done', checked_at = ?, based_no = sent_no, remote_id = coalesce(remote_id, ?), after = ?,
       differences = ? WHERE run = ? AND seq = ?`,
    [clock.now(), record.id, otherwise ? JSON.stringify(imageOf(record)) : undefined, told, run, row.seq],
  );
}

const fieldsOfKind = (differences: readonly Difference[], wanted: Difference['kind']): ReadonlySet<string> =>
  new Set(differences.filter(({ kind }) => kind === wanted).map(({ field }) => field));

function noteBase(
  { clock, event, bases }: WriteContext,
  { registration, isUndo, ownBefore }: AuditRow,
  { record, differences }: AuditThere,
): void {
  const [stored, refused] = [fieldsOfKind(differences, 'stored'), fieldsOfKind(differences, 'refused')];
  noteSeen(
    bases,
    { registration, record: imageOf(record) },
    {
      event,
      isAsSent: (field) => field === MESSAGES.field || !stored.has(field),
      isRefused: (field) => refused.has(field),
      isSaid: (aspect) => !isUndo || isRestored(aspect, registration, ownBefore),
      now: clock.now(),
    },
  );
}

/**
 * The finding, with values that were sent before, never seen as sent, and sent again because somebody said so: where
 * the service lists them as it did before, it does not accept them.
 */
export function withRefused(
  { bases, event }: WriteContext,
  { registration, before, isBased }: AuditRow,
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
function hasMore({ registration }: AuditRow, { fields = {} }: AuditThere['record']): boolean {
  return Object.entries(fields).some(
    ([slug, value]) => !Object.hasOwn(registration.fields, slug) && plainValue(value) !== undefined,
  );
}

/** The row is not what the service said it is. What it answered stays known. */
function contradict(
  context: WriteContext,
  { seq, plan, status, action }: AuditRow,
  outcome: RowOutcome,
): void {
  const { journal, run, clock, target } = context;
  writeOutcome(journal, run, seq, { ...outcome, status, action }, clock.now(), 'audited');
  if (plan === 'update' && outcome.state === 'conflict') forgetUpdateRule(journal, target.service);
}

/** The next plan must not take what was sent for what is held. */
function notThere({ journal, run }: WriteContext, { seq }: AuditRow): void {
  journal.run('UPDATE row SET listed_no = NULL WHERE run = $run AND seq = $seq', { run, seq });
}
