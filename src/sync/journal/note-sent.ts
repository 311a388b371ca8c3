import {
  type Aspect,
  aspectsOf,
  differs,
  type FieldsOf,
  MESSAGES,
  unsaidAspects,
} from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { Difference, RecordImage } from '../../registration/model/registration.ts';
import { flag, json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { addUnsaid, type Pair, pairOf } from '../decide/base.ts';
import { personOf } from '../decide/judge-person.ts';
import type { BaseNames } from './base-codec.ts';
import { type BaseNote, BaseStore } from './base-store.ts';
import { columns, UNBASED } from './row-tables.ts';
import type { Session } from './send-context.ts';

type NoteContext = Pick<Session, 'journal' | 'event'> & {
  target: { service: string; eventId: string };
  clock: { now(): number };
};

const SENT_ROW = rowCodec({
  ...columns('run', 'seq', 'rowKey', 'plan', 'registration', 'barcode', 'remoteId'),
  ownBefore: json<RecordImage | undefined>('coalesce(latest, before)'),
  isUndo: flag(`(SELECT kind = 'undo' FROM run WHERE id = row.run)`),
  files: value<string>('(SELECT files FROM run WHERE id = row.run)'),
  /** It was read back since it was sent. */
  isSeen: flag('based_no IS -sent_no'),
  /** As it was listed then, where that is not as the row has it. */
  listed: json<RecordImage | undefined>('CASE WHEN based_no IS -sent_no THEN listed END'),
  differences: json<readonly Difference[]>(`coalesce(differences, '[]')`),
});
type UnbasedRow = RowOf<typeof SENT_ROW>;

/** Rows that are noted in one durable write: what is known of their values lies scattered on the disk. */
const CHUNK = 5000;

/**
 * Notes for the bases what any run of the event has sent, and was seen to hold then; call it before they are made use of.
 * Of what nobody has seen since, it is not known who wrote it when the service holds something else later.
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
    const noteOf = (row: UnbasedRow): BaseNote => ({
      names: namesOf(row, bases, fields),
      change: (pairs) => noteRow(pairs, row, bases, fields),
    });
    journal.transaction(() => {
      bases.note(rows.map(noteOf), clock.now());
      journal.run(
        `UPDATE operation SET based_no = sent_no
         WHERE (run, seq) IN (SELECT value ->> 0, value ->> 1 FROM json_each($rows))`,
        { rows: JSON.stringify(rows.map(({ run, seq }) => [run, seq])) },
      );
    });
  }
}

/**
 * What is known of a registration once a row was sent, and perhaps listed. Of values that are neither as they were sent nor
 * refused only what was sent is known: who has changed them is not.
 */
function noteRow(pairs: Map<string, Pair>, row: UnbasedRow, bases: BaseStore, fields: FieldsOf): void {
  const { registration, isSeen, listed: record = registration, differences } = row;
  const digest = (text: string): string => bases.digest(text);
  const kinds = new Map(isSeen ? differences.map(({ field, kind }) => [field, kind]) : []);
  for (const aspect of askedOf(row, fields)) {
    const known = pairs.get(aspect.key);
    const pair = pairOf(aspect, { registration, record, digest }, known);
    const kind = kinds.get(aspect.field);
    if (!isSeen && known?.said === pair.said) continue;
    if (!isSeen || (kind === 'stored' && aspect !== MESSAGES))
      pairs.set(aspect.key, { said: pair.said, seen: undefined });
    else pairs.set(aspect.key, kind === 'refused' ? { ...pair, refused: true } : pair);
  }
  const aspects = isSeen ? unsaidAspects(record.persona ?? registration.persona, fields) : [];
  addUnsaid(pairs, aspects, { record, digest });
}

/** By what the person of a row is remembered, and who speaks of them: of somebody whom an undo has brought back no row does. */
const namesOf = (row: UnbasedRow, bases: BaseStore, fields: FieldsOf): BaseNames => {
  const { registration, isUndo, plan, rowKey, files, listed } = row;
  const barcode = listed === undefined ? row.barcode : (registration.barcode ?? listed.barcode);
  const id = listed === undefined ? row.remoteId : listed.id;
  const { email, name } = personOf(registration, fields);
  const own = isUndo && plan === 'update' ? null : rowKey;
  return { barcode, id, rowKey: own, email, name, files: bases.filesOf(files) };
};

/**
 * What somebody has asked for with a row: of an undo the values that its run had changed. All else it sends only lest it
 * is lost: what the file said of that still counts. Of what it registers again no file has said anything.
 */
const askedOf = ({ registration, isUndo, ownBefore }: UnbasedRow, fields: FieldsOf): Aspect[] =>
  aspectsOf(registration, fields).filter(
    (aspect) => !isUndo || (ownBefore !== undefined && differs(aspect, registration, ownBefore)),
  );
