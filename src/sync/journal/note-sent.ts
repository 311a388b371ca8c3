import { type Aspect, aspectsOf, differs, type FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { flag, json, rowCodec, value } from '../../sqlite/row-codec.ts';
import { saidDigest } from '../decide/base.ts';
import { personOf } from '../decide/near.ts';
import type { PlanAction } from '../decide/plan-decision.ts';
import type { BaseNames } from './base-codec.ts';
import { type BaseNote, BaseStore } from './base-store.ts';
import type { Journal } from './journal.ts';
import { columns, UNBASED } from './row-tables.ts';

interface NoteContext {
  journal: Journal;
  target: { service: string; eventId: string };
  event: EventInfo;
  clock: { now(): number };
}

const SENT_ROW = rowCodec({
  ...columns('run', 'seq', 'rowKey', 'plan', 'registration', 'barcode', 'remoteId'),
  ownBefore: json<RecordImage | undefined>('coalesce(latest, before)'),
  isUndo: flag(`(SELECT kind = 'undo' FROM run WHERE id = row.run)`),
  files: value<string>('(SELECT files FROM run WHERE id = row.run)'),
});

const CHUNK = 500;

/**
 * Notes for the bases what any run of the event has sent and nobody has seen since: when the service holds
 * something else later, it is not known who wrote that.
 */
export function noteSent({ journal, target, event, clock }: NoteContext): void {
  const bases = new BaseStore(journal, target, event.endDate);
  const fields = fieldsOf(event);
  for (;;) {
    const rows = journal.read(
      SENT_ROW,
      `FROM (SELECT run AS own, seq AS no FROM operation INDEXED BY operation_unbased
           WHERE run IN (SELECT id FROM run WHERE service = $service AND event = $event) AND ${UNBASED}
           ORDER BY sent_no LIMIT ${CHUNK})
         CROSS JOIN row ON row.run = own AND row.seq = no ORDER BY sent_no`,
      { service: target.service, event: target.eventId },
    );
    if (rows.length === 0) return;
    const noteOf = (row: (typeof rows)[number]): BaseNote => ({
      names: namesOf(row, bases, fields, { barcode: row.barcode, id: row.remoteId }),
      change: (pairs) => {
        for (const aspect of askedOf(row, fields)) {
          const said = saidDigest(aspect, row.registration, (text) => bases.digest(text));
          if (pairs.get(aspect.key)?.said !== said) pairs.set(aspect.key, { said, seen: undefined });
        }
      },
    });
    journal.transaction(() => {
      bases.note(rows.map(noteOf), clock.now());
      for (const { run, seq } of rows)
        journal.run('UPDATE operation SET based_no = sent_no WHERE run = ? AND seq = ?', [run, seq]);
    });
  }
}

/** A row that was sent; of an undo, no file has said what it sends. */
interface Sent {
  registration: Registration;
  /** The registration as it was before. */
  ownBefore: RecordImage | undefined;
  isUndo: boolean;
  plan: PlanAction | undefined;
  rowKey: string | undefined;
  files: string;
}

/** By what the person of a row is remembered, and who speaks of them: of somebody whom an undo has brought back no row does. */
export const namesOf = (
  { registration, isUndo, plan, rowKey, files }: Sent,
  bases: BaseStore,
  fields: FieldsOf,
  { barcode, id }: Pick<BaseNames, 'barcode' | 'id'>,
): BaseNames => {
  const { email, name } = personOf(registration, fields);
  const own = isUndo && plan === 'update' ? null : rowKey;
  return { barcode, id, rowKey: own, email, name, files: bases.filesOf(files) };
};

/**
 * What somebody has asked for with a row: of an undo the values that its run had changed. All else it sends only lest it
 * is lost: what the file said of that still counts. Of what it registers again no file has said anything.
 */
export const askedOf = ({ registration, isUndo, ownBefore }: Sent, fields: FieldsOf): Aspect[] =>
  aspectsOf(registration, fields).filter(
    (aspect) => !isUndo || (ownBefore !== undefined && differs(aspect, registration, ownBefore)),
  );
