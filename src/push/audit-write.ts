import { MESSAGES } from '../registration/aspect.ts';
import { changesTo, type FieldsOf } from '../registration/field-change.ts';
import { noteSeen } from './note-base.ts';
import { ownWayOf } from './own-way.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../registration/registration.ts';
import { plainValue } from '../registration/same-value.ts';
import type { AuditRow } from './audit-rows.ts';
import type { BaseStore } from './base-store.ts';
import { type RowOutcome, writeOutcome } from './journal.ts';
import type { AuditFinding } from './judge-audit.ts';
import { forgetUpdateRule } from './learned.ts';
import type { SendContext } from './send-context.ts';
import { imageOf } from './write-plan.ts';

type WriteContext = Pick<SendContext, 'journal' | 'run' | 'clock' | 'target' | 'event'> & {
  bases: BaseStore;
};

/** Writes what the audit found of a row. Call it in a transaction. */
export function writeFinding(
  context: WriteContext,
  row: AuditRow,
  finding: AuditFinding,
  fields: FieldsOf,
): void {
  switch (finding.kind) {
    case 'there':
      writeThere(context, row, finding.record, fields);
      return;
    case 'doubled':
      contradict(context, row, { state: 'conflict', message: finding.why });
      return;
    case 'missing':
      contradict(context, row, {
        state: 'uncertain',
        message: 'the service said that it took it, but does not list it',
      });
      notHeld(context, row);
      return;
    case 'unapplied':
      contradict(context, row, {
        state: 'conflict',
        message: `the service answered that it took the change, and still lists the old values: ${finding.fields.join(', ')}`,
      });
      notHeld(context, row);
  }
}

/** What was only taken is done now that it is seen. */
function writeThere(
  { journal, run, clock, event, bases }: WriteContext,
  { seq, registration, plan }: AuditRow,
  record: RegistrationRecord,
  fields: FieldsOf,
): void {
  const changes = changesTo(registration, record, fields) ?? [];
  const otherValues = new Set(
    changes.filter((one) => ownWayOf(one) !== 'spelling').map(({ field }) => field),
  );
  const seen = { registration, record: imageOf(record) };
  noteSeen(bases, seen, {
    event,
    isAsSent: (field) => field === MESSAGES.field || !otherValues.has(field),
    now: clock.now(),
  });
  const otherwise = isOtherwise(registration, plan, record, fields);
  journal.run(
    `UPDATE row SET state = 'done', checked_at = ?, based_no = sent_no, remote_id = coalesce(remote_id, ?), after = ?
     WHERE run = ? AND seq = ?`,
    [clock.now(), record.id ?? null, otherwise ? JSON.stringify(imageOf(record)) : null, run, seq],
  );
}

/** Whether a record has other values than were sent, or, where all of it was sent, further ones. */
function isOtherwise(
  registration: Registration,
  plan: AuditRow['plan'],
  record: RecordImage,
  fields: FieldsOf,
): boolean {
  if (record.fields === undefined) return false;
  if ((changesTo(registration, record, fields) ?? []).length > 0) return true;
  return (
    plan === 'create' &&
    Object.entries(record.fields).some(
      ([slug, value]) => !Object.hasOwn(registration.fields, slug) && plainValue(value) !== undefined,
    )
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
function notHeld({ journal, run }: WriteContext, { seq }: AuditRow): void {
  journal.run('UPDATE row SET held_no = NULL WHERE run = $run AND seq = $seq', { $run: run, $seq: seq });
}
