import { among, SENT } from '../../registration/model/row-states.ts';
import { changesButMessages, fieldsOf } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { takenOver } from './check-answer.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import { isPendingRow, type QueuedRow, queuedRow, writeOutcome } from '../journal/queued-rows.ts';
import { LIKE_OTHERS, PARENT_IS_THERE } from '../journal/rows-to-send.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { emailOf, type Near, type PersonKey } from '../decide/near.ts';
import { withChanges } from './find-victim.ts';
import { learnRecognised, readRecognition } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { Judge } from './go-first.ts';
import { sendOne } from './send-row.ts';
import { postponeCreates } from './hold-back.ts';

/** A row that shows, by what becomes of it, whether the service takes it for another registration. */
interface Teacher {
  row: QueuedRow;
  near: Near;
  /** Another row of the files that registers that one, and goes first. */
  first: QueuedRow | undefined;
}

/** Rows looked at for one that teaches. */
const LOOKED_AT = 1000;
/** When so many are refused one after the other, the others would be too. */
const REFUSED_MAX = 20;
const FIRST_WAIT_MS = 1000;

/**
 * Finds out, before rows are sent that share an e-mail or, but for its case, a barcode with others, whether the
 * service takes them for the same person: one of them goes alone and is read back, first those that share it with
 * rows of the files, where no stranger can be changed. What it shows is learnt; what got no certain answer keeps the
 * others of its kind back. To be called for each depth. `judge` is told what became of each, and throws when no more
 * are to be tried. Throws what stops the run.
 */
export async function learnRecognition(context: SendContext, judge: Judge): Promise<void> {
  const open = new Set<PersonKey>();
  for (let refused = 0; !context.stopping.aborted && refused < REFUSED_MAX; ) {
    const teacher = nextTeacher(context, open);
    if (teacher === undefined) return;
    const { key } = teacher.near;
    const shown = await teach(context, teacher, judge);
    if (shown === 'refused') refused += 1;
    else if (shown === 'unknown') {
      open.add(key);
      postponeCreates(context, key, `${formatPlace(teacher.row.place)} got no certain answer`);
    } else if (shown === 'no') {
      const { journal, target, clock } = context;
      learnRecognised(journal, target.service, { key, knows: 'no' }, clock.now());
    }
  }
}

const READY = `${LIKE_OTHERS} AND ${PARENT_IS_THERE}`;

function nextTeacher(context: SendContext, open: ReadonlySet<PersonKey>): Teacher | undefined {
  const { journal, run, target, clock } = context;
  const recognition = readRecognition(journal, target.service, clock.now());
  const seqs = journal.all<{ seq: number }>(
    `SELECT seq FROM row WHERE ${READY} ORDER BY depth, seq LIMIT ${LOOKED_AT}`,
    { run },
  );
  let stranger: Teacher | undefined;
  for (const { seq } of seqs) {
    const row = queuedRow(journal, run, seq);
    for (const near of row?.near ?? []) {
      if (row === undefined || recognition[near.key] !== undefined || open.has(near.key)) continue;
      const first = near.seq === undefined ? undefined : queuedRow(journal, run, near.seq);
      if (near.seq !== undefined && !isThere(context, near.seq)) continue;
      if (near.image === undefined || isOwn(context, near.image)) return { row, near, first };
      stranger ??= { row, near, first };
    }
  }
  return stranger;
}

/** Whether a row is in the service, or can be sent. */
function isThere({ journal, run }: SendContext, seq: number): boolean {
  return journal.has(
    `FROM row WHERE seq = $seq AND (run = $run AND state ${among(SENT)}
       OR (${READY.replace('AND near IS NOT NULL', '')}))`,
    { run, seq },
  );
}

/** Whether a row of the files stands for a registration. */
function isOwn({ journal, run }: SendContext, { id, barcode }: RecordImage): boolean {
  return journal.has(
    `FROM row WHERE run = $run AND op = 'send' AND (barcode = $barcode OR remote_id = $id)`,
    { run, barcode, id },
  );
}

async function teach(
  context: SendContext,
  { row, near, first }: Teacher,
  judge: Judge,
): Promise<'yes' | 'no' | 'unknown' | 'refused'> {
  if (first !== undefined && isPendingRow(context.journal, context.run, first.seq)) {
    const sent = await send(context, first, judge);
    if (sent === undefined || sent.state === 'uncertain') return sent === undefined ? 'refused' : 'unknown';
  }
  const outcome = await send(context, row, judge);
  // What is in conflict has been seen to change what was there.
  if (outcome?.state === 'conflict') return 'yes';
  if (outcome === undefined) return 'refused';
  if (outcome.state === 'uncertain') return 'unknown';
  if (readRecognition(context.journal, context.target.service, context.clock.now())[near.key] === 'yes')
    return 'yes';
  const other = first === undefined ? undefined : queuedRow(context.journal, context.run, first.seq);
  const shown = await watch(context, row, other?.registration ?? near.image ?? {}, outcome);
  if (shown === 'yes') {
    const hit = { key: near.key, image: near.image, seq: first?.seq };
    const victim = await withChanges(context, row, hit);
    const { outcome: found, write } = takenOver(context, row, outcome, victim);
    const { journal, run, clock } = context;
    journal.transaction(() => {
      writeOutcome(journal, run, row.seq, found, clock.now(), 'looked');
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

/** Reads back until both are seen, or nothing can be listed late any more. */
async function watch(
  context: SendContext,
  { registration }: QueuedRow,
  other: Registration | RecordImage,
  { remoteId }: RowOutcome,
): Promise<'yes' | 'no' | 'unknown'> {
  const { clock, limits, stopping, reporter, event } = context;
  const fields = fieldsOf(event);
  const barcodes = [registration.barcode, other.barcode].filter((barcode) => barcode !== undefined);
  const untilMs = clock.now() + limits.settleMs;
  reporter.report({ type: 'checking', what: 'by what the service knows people', done: 0, total: 1 });
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
    const whole = barcodes.length < 2;
    const reading = await readListed(context, { barcodes: () => barcodes, count: barcodes.length, whole });
    const shown = compare(reading, registration, other, { remoteId, fields });
    const leftMs = untilMs - clock.now();
    if (shown === 'no' || leftMs <= 0) return shown;
    await clock.sleep(Math.min(waitMs, leftMs), stopping);
  }
}

/** `no`: both are listed, each for itself. `yes`: only the row is. */
function compare(
  reading: ListReading,
  registration: Registration,
  other: Registration | RecordImage,
  { remoteId, fields }: { remoteId: string | undefined; fields: FieldsOf },
): 'yes' | 'no' | 'unknown' {
  const mine = find(reading, registration, remoteId, fields);
  if (mine.length === 0) return 'unknown';
  const theirs = find(reading, other, 'id' in other ? other.id : undefined, fields);
  const others = theirs.filter((record) => mine.every((own) => !isSame(own, record)));
  return others.length > 0 || mine.length > 1 ? 'no' : 'yes';
}

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
    .filter((record) => (changesButMessages(asked, record, fields) ?? []).length === 0);
}
