import { type Aspect, aspectsOf, differs, unsaidAspects } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { BaseStore } from '../../sync/journal/base-store.ts';
import { addUnsaid, type Base, type Pair, pairOf, saidDigest } from '../../sync/decide/base.ts';
import { json, rowCodec, value } from '../../sqlite/row-codec.ts';
import type { RunKind } from '../../sync/journal/run.ts';
import { UNBASED } from '../../sync/journal/journal-tables.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

type NoteContext = Pick<SendContext, 'journal' | 'target' | 'event' | 'clock'>;

const SENT_ROW = rowCodec({
  run: value<string>(),
  seq: value<number>(),
  registration: json<Registration>('coalesce(ask, payload)'),
  /** Of an undo: the registration as it was before; no file has said what it sends. */
  before: json<RecordImage | undefined>('coalesce(latest, before)'),
  kind: value<RunKind>('(SELECT kind FROM run WHERE id = row.run)'),
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
      for (const { run, seq, registration, before, kind, barcode, id } of rows) {
        const names = { barcode, id };
        const pairs = new Map(bases.read(names)?.pairs);
        for (const aspect of aspectsOf(registration, fields)) {
          if (kind === 'undo' && !isRestored(aspect, registration, before)) continue;
          const said = saidDigest(aspect, registration, (text) => bases.digest(text));
          if (pairs.get(aspect.key)?.said !== said) pairs.set(aspect.key, { said, seen: undefined });
        }
        bases.write(names, { pairs, gone: false }, clock.now());
        journal.run('UPDATE row SET based_no = sent_no WHERE run = ? AND seq = ?', [run, seq]);
      }
    });
  }
}

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

/**
 * Notes for the bases what a registration was seen to hold after it was sent. `isAsSent` tells of which values that
 * is what was sent, or what the service makes of it; `isRefused`, which of those it does not accept. Of the others
 * only what was sent is known: who has changed them is not. Call it in a transaction.
 */
export function noteSeen(
  bases: BaseStore,
  { registration, record }: { registration: Registration; record: RecordImage },
  {
    event,
    isAsSent,
    isRefused = () => false,
    isSaid = () => true,
    now,
  }: {
    event: SendContext['event'];
    isAsSent: (field: string) => boolean;
    isRefused?: (field: string) => boolean;
    /** Whether somebody has asked for the value, rather than that it was sent lest it is lost. */
    isSaid?: (aspect: Aspect) => boolean;
    now: number;
  },
): void {
  if (record.fields === undefined) return;
  const fields = fieldsOf(event);
  const names = { barcode: registration.barcode ?? record.barcode, id: record.id };
  const digest = (text: string): string => bases.digest(text);
  const known: Base = bases.read(names) ?? { pairs: new Map(), gone: false };
  const pairs = new Map<string, Pair>(known.pairs);
  const asked = aspectsOf(registration, fields).filter(isSaid);
  for (const aspect of asked) {
    const pair = pairOf(aspect, { registration, record, digest });
    if (isRefused(aspect.field)) pairs.set(aspect.key, { ...pair, refused: true });
    else if (isAsSent(aspect.field)) pairs.set(aspect.key, pair);
    else pairs.set(aspect.key, { said: pair.said, seen: undefined });
  }
  const said = new Set(asked.map(({ key }) => key));
  const aspects = unsaidAspects(record.persona ?? registration.persona, fields);
  addUnsaid(pairs, said, { aspects, record, digest });
  bases.write(names, { pairs, gone: false }, now);
}
