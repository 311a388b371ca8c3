import { MESSAGES } from '../../registration/changes/aspect.ts';
import { isRestored, noteSeen } from '../compare/note-base.ts';
import type { Difference } from '../../registration/model/difference.ts';
import { imageOf } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { AuditRow } from '../journal/audit-rows.ts';
import type { BaseStore } from '../journal/base-store.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import type { RowOutcome } from '../judge/judge-found.ts';
import { type AuditFinding, type AuditThere, isUnapplied } from '../judge/judge-audit.ts';
import { forgetUpdateRule } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';

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

/** What was only taken is done now that it is seen. */
function writeThere(context: WriteContext, row: AuditRow, finding: AuditThere): void {
  const { differences } = finding;
  if (isUnapplied(finding)) {
    context.journal.run('UPDATE row SET differences = ? WHERE run = ? AND seq = ?', [
      JSON.stringify(differences),
      context.run,
      row.seq,
    ]);
    const fields = differences.filter(({ kind }) => kind === 'stored').map(({ field }) => field);
    const message = `the service answered that it took the change, and still lists the old values: ${fields.join(', ')}`;
    contradict(context, row, { state: 'conflict', message });
    notThere(context, row);
    return;
  }
  confirm(context, row, finding);
}

function confirm(
  { journal, run, clock, event, bases }: WriteContext,
  row: AuditRow,
  { record, differences, spelling }: AuditThere,
): void {
  const { registration, seq, isUndo, ownBefore } = row;
  const fieldsOfKind = (kind: Difference['kind']): ReadonlySet<string> =>
    new Set(differences.filter((one) => one.kind === kind).map(({ field }) => field));
  const [stored, refused] = [fieldsOfKind('stored'), fieldsOfKind('refused')];
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
  const otherwise =
    differences.length + spelling.length > 0 || (row.plan === 'create' && hasMore(row, record));
  journal.run(
    `UPDATE row SET state = 'done', checked_at = ?, based_no = sent_no, remote_id = coalesce(remote_id, ?), after = ?,
       differences = ? WHERE run = ? AND seq = ?`,
    [
      clock.now(),
      record.id,
      otherwise ? JSON.stringify(imageOf(record)) : undefined,
      differences.length === 0 ? undefined : JSON.stringify(differences),
      run,
      seq,
    ],
  );
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
