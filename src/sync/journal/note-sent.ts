import { type Aspect, aspectsOf, differs } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { flag, json, rowCodec, value } from '../../sqlite/row-codec.ts';
import { type Pair, saidDigest } from '../decide/base.ts';
import { personOf } from '../decide/near.ts';
import type { PlanAction } from '../decide/plan-decision.ts';
import { BaseStore } from './base-store.ts';
import type { Journal } from './journal.ts';
import { UNBASED } from './journal-tables.ts';

interface NoteContext {
  journal: Journal;
  target: { service: string; eventId: string };
  event: EventInfo;
  clock: { now(): number };
}

const SENT_ROW = rowCodec({
  run: value<string>(),
  seq: value<number>(),
  rowKey: value<string | undefined>(),
  plan: value<PlanAction | undefined>(),
  registration: json<Registration>('coalesce(ask, payload)'),
  /** Of an undo: the registration as it was before; no file has said what it sends. */
  before: json<RecordImage | undefined>('coalesce(latest, before)'),
  isUndo: flag(`(SELECT kind = 'undo' FROM run WHERE id = row.run)`),
  files: json<readonly string[]>('(SELECT files FROM run WHERE id = row.run)'),
  barcode: value<string | undefined>(),
  id: value<string | undefined>('remote_id'),
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
      `FROM row INDEXED BY row_unbased
       WHERE run IN (SELECT id FROM run WHERE service = $service AND event = $event) AND ${UNBASED}
       ORDER BY sent_no LIMIT ${CHUNK}`,
      { service: target.service, event: target.eventId },
    );
    if (rows.length === 0) return;
    journal.transaction(() => {
      for (const row of rows) {
        const { run, seq, registration, before, isUndo, barcode, id } = row;
        const person = personOf(registration, fields);
        const names = { barcode, id, ...person, rowKey: keyToKeep(row), files: bases.filesOf(row.files) };
        const noteSaid = (pairs: Map<string, Pair>): void => {
          for (const aspect of aspectsOf(registration, fields)) {
            if (isUndo && !isRestored(aspect, registration, before)) continue;
            const said = saidDigest(aspect, registration, (text) => bases.digest(text));
            if (pairs.get(aspect.key)?.said !== said) pairs.set(aspect.key, { said, seen: undefined });
          }
        };
        bases.note(names, noteSaid, clock.now());
        journal.run('UPDATE row SET based_no = sent_no WHERE run = ? AND seq = ?', [run, seq]);
      }
    });
  }
}

/** What a row is known by; null where an undo has brought somebody back, for whom no row stands. */
export const keyToKeep = (row: {
  isUndo: boolean;
  plan: PlanAction | undefined;
  rowKey: string | undefined;
}): string | null | undefined => (row.isUndo && row.plan === 'update' ? null : row.rowKey);

/**
 * Whether an undo has brought a value back that its run had changed. All else it sends only lest it is lost: what
 * the file said of that still counts. Of what it registers again no file has said anything.
 */
export function isRestored(
  aspect: Aspect,
  registration: Registration,
  before: RecordImage | undefined,
): boolean {
  return before !== undefined && differs(aspect, registration, before);
}
