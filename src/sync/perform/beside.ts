import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { changesButMessages, fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { emailOf } from '../../registration/changes/person.ts';
import { type Near, type PersonKey } from '../decide/near.ts';
import { learnRecognised, readRecognition } from '../journal/learned.ts';
import { isPendingRow, type QueuedRow, queuedRow, readyRows, writeOutcome } from '../journal/queued-rows.ts';
import { hasRowFor, isSentOrReady, LIKE_OTHERS } from '../journal/rows-to-send.ts';
import type { SendContext } from '../journal/send-context.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import { readUntil } from '../snapshot/wait-until.ts';
import { postponeCreates } from './hold-back.ts';
import { sendOne } from './send-row.ts';
import type { Judge } from './go-first.ts';
import { takenOver } from './victim.ts';

/** A row that registers somebody beside somebody alike. */
interface Beside {
  row: QueuedRow;
  near: Near;
  /** Another row of the files that registers the one who is alike, and goes before it. */
  other: QueuedRow | undefined;
}

/** Rows looked at for one that goes first. */
const LOOKED_AT = 1000;
/** When so many are refused one after the other, the others would be too. */
const REFUSED_MAX = 20;

/**
 * Of rows that register somebody beside somebody alike, by e-mail or by a barcode in another case, one goes alone, and
 * both are looked at: whether the service takes them for the same person is learnt of each such key. First those who
 * are alike to rows of the files, where no stranger can be changed. What got no certain answer keeps the others of its
 * kind back. To be called for each depth. Throws what stops the run.
 */
export async function sendBeside(context: SendContext, judge: Judge): Promise<void> {
  const { journal, target, clock } = context;
  const open = new Set<PersonKey>();
  for (let refused = 0; !context.stopping.aborted && refused < REFUSED_MAX; ) {
    const first = nextBeside(context, open);
    if (first === undefined) return;
    const { key } = first.near;
    const shown = await sendAndLook(context, first, judge);
    if (shown === 'refused') refused += 1;
    else if (shown === 'no') learnRecognised(journal, target.service, { key, knows: 'no' }, clock.now());
    else if (shown === 'unknown') {
      open.add(key);
      postponeCreates(context, key, `${formatPlace(first.row.place)} got no certain answer`);
    }
  }
}

function nextBeside(context: SendContext, open: ReadonlySet<PersonKey>): Beside | undefined {
  const { journal, run, target, clock } = context;
  const known = readRecognition(journal, target.service, clock.now());
  let stranger: Beside | undefined;
  for (const row of readyRows(journal, run, LIKE_OTHERS, LOOKED_AT)) {
    for (const near of row.near ?? []) {
      if (known[near.key] !== undefined || open.has(near.key)) continue;
      if (near.seq !== undefined && !isSentOrReady(journal, run, near.seq)) continue;
      const other = near.seq === undefined ? undefined : queuedRow(journal, run, near.seq);
      if (near.image === undefined || hasRowFor(journal, run, near.image)) return { row, near, other };
      stranger ??= { row, near, other };
    }
  }
  return stranger;
}

async function sendAndLook(
  context: SendContext,
  { row, near, other }: Beside,
  judge: Judge,
): Promise<'yes' | 'no' | 'unknown' | 'refused'> {
  const { journal, run, target, clock, reporter } = context;
  if (other !== undefined && isPendingRow(journal, run, other.seq)) {
    const sent = await send(context, other, judge);
    if (sent === undefined || sent.state === 'uncertain') return sent === undefined ? 'refused' : 'unknown';
  }
  const outcome = await send(context, row, judge);
  if (outcome === undefined) return 'refused';
  // The answer has told that somebody who was there was changed.
  const isKnown = readRecognition(journal, target.service, clock.now())[near.key] === 'yes';
  if (outcome.state === 'conflict' || isKnown) return 'yes';
  if (outcome.state === 'uncertain') return 'unknown';
  reporter.report({ type: 'checking', what: 'by what the service knows people', done: 0, total: 1 });
  const alike = (other && queuedRow(journal, run, other.seq)?.registration) ?? near.image ?? {};
  const shown = await look(context, row.registration, alike, outcome.remoteId);
  if (shown === 'yes') {
    const victim = { key: near.key, image: near.image, seq: other?.seq };
    const { outcome: told, write } = await takenOver(context, row, outcome, victim);
    journal.transaction(() => {
      writeOutcome(journal, run, row.seq, told, clock.now(), 'looked');
      write();
    });
  }
  return shown;
}

/** Undefined when it was refused, or was not sent. */
async function send(context: SendContext, row: QueuedRow, judge: Judge): Promise<RowOutcome | undefined> {
  const outcome = await sendOne(context, row);
  if (outcome.state !== 'pending') judge(outcome);
  return outcome.state === 'failed' || outcome.state === 'pending' ? undefined : outcome;
}

/** `no`: both are listed, each for itself. `yes`: only the row is, until nothing can be listed late any more. */
async function look(
  context: SendContext,
  registration: Registration,
  alike: Registration | RecordImage,
  remoteId: string | undefined,
): Promise<'yes' | 'no' | 'unknown'> {
  const fields = fieldsOf(context.event);
  const barcodes = [registration.barcode, alike.barcode].filter((barcode) => barcode !== undefined);
  const wish = { barcodes: () => barcodes, count: barcodes.length, whole: barcodes.length < 2 };
  const read = async (): Promise<'yes' | 'no' | 'unknown'> => {
    const reading = await readListed(context, wish);
    const mine = find(reading, registration, remoteId, fields);
    const theirs = find(reading, alike, 'id' in alike ? alike.id : undefined, fields);
    // Listed as the other one only, with what the row has changed of it.
    if (mine.length === 0)
      return !isAsSaid(registration, alike, fields) &&
        theirs.some((record) => isAsSaid(registration, record, fields))
        ? 'yes'
        : 'unknown';
    const others = theirs.filter((record) => mine.every((own) => !isSame(own, record)));
    return others.length > 0 || mine.length > 1 ? 'no' : 'yes';
  };
  return await readUntil(context, context.limits.settleMs, read, (shown) => shown === 'no');
}

const isAsSaid = (
  registration: Registration,
  record: Registration | RecordImage,
  fields: FieldsOf,
): boolean => changesButMessages(registration, record, fields)?.length === 0;

const isSame = (one: RegistrationRecord, another: RegistrationRecord): boolean =>
  one.id === undefined || another.id === undefined ? one.barcode === another.barcode : one.id === another.id;

/** By barcode, by id, or by e-mail and values. */
function find(
  { listed, barcodesShown, idsShown, how }: ListReading,
  registration: Registration | RecordImage,
  id: string | undefined,
  fields: FieldsOf,
): RegistrationRecord[] {
  const { barcode, persona = '' } = registration;
  if (barcode !== undefined && barcodesShown) return listed.byBarcode(barcode);
  if (id !== undefined && idsShown && how === 'list') return listed.byId(id);
  const email = emailOf({ persona, fields: registration.fields ?? {} }, fields);
  if (email === undefined) return [];
  const asked = { ...registration, persona } as Registration;
  return listed
    .byEmail(persona, email)
    .filter((record) => record.fields === undefined || isAsSaid(asked, record, fields));
}
