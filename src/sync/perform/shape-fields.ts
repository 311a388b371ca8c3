import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../pacing/clock.ts';
import { changesTo, type FieldChange, fieldsOf } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import type { Reporter } from '../../report/views/events.ts';
import type { FieldsShape, SendOutcome } from '../../service/send-registration.ts';
import type { RegistrationsClient } from '../../service/registrations.ts';
import type { Journal } from '../journal/journal.ts';
import { learn, readLearned } from '../journal/learned.ts';
import { spellingOf } from '../decide/spelling.ts';
import { readUntil } from '../snapshot/wait-until.ts';

/** What the shape of `fields` is found out with. */
interface ShapeContext {
  journal: Journal;
  /** What is learnt is learnt of this service. */
  service: string;
  /** As the profile has it; undefined: it is found out. */
  fixed: FieldsShape | undefined;
  event: EventInfo;
  clock: Clock;
  reporter: Reporter;
  stopping: AbortSignal;
  /** How long the service may take to list what it took, in milliseconds. */
  settleMs: number;
}

type Send = RegistrationsClient['send'];

/**
 * Sends `fields` in the shape that the service wants. Unless the profile names it, rows go one at a time until
 * one gets through; a row whose `fields` are refused as a whole is sent in the other shape, and read back
 * before any other goes. What proves right is learnt for later runs, what does not stops the run.
 */
export function shapeFields(registrations: RegistrationsClient, context: ShapeContext): RegistrationsClient {
  const { journal, service, fixed, clock } = context;
  if (fixed !== undefined) {
    return { ...registrations, send: (row, onSending) => registrations.send(row, onSending, fixed) };
  }
  const learnt = readLearned(journal, service, 'fields', clock.now())?.value;
  let shape: FieldsShape = learnt === 'entries' ? 'entries' : 'object';
  let settled = learnt === 'unproven';
  let turn: Promise<void> = Promise.resolve();

  const sendFirst: Send = async (row, onSending) => {
    const outcome = await registrations.send(row, onSending, shape);
    settled = isTaken(outcome);
    if (!isRefused(outcome)) return outcome;
    const other = shape === 'object' ? 'entries' : 'object';
    const second = await registrations.send(row, onSending, other);
    // Neither is what it wants: the next rows need not be sent twice.
    settled = isRefused(second);
    if (settled) return outcome;
    // Without a value nothing is proven.
    if (!isTaken(second) || Object.keys(row.fields).length === 0) return second;
    const doubt = await readBack(registrations, context, { row, id: idOf(second) });
    settled = true;
    learn(journal, service, 'fields', doubt === undefined ? other : 'unproven', clock.now());
    if (doubt !== undefined) return unproven(second, doubt);
    shape = other;
    const text = `The service takes fields ${WORDS[other]}: one row was sent so and read back as sent; later runs begin with it.`;
    context.reporter.report({ type: 'note', text });
    return second;
  };

  const send: Send = async (row, onSending) => {
    const before = turn;
    let release = (): void => undefined;
    turn = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    try {
      if (!settled) return await sendFirst(row, onSending);
    } finally {
      release();
    }
    return await registrations.send(row, onSending, shape);
  };
  return {
    ...registrations,
    send: (row, onSending) => (settled ? registrations.send(row, onSending, shape) : send(row, onSending)),
  };
}

const WORDS: Readonly<Record<FieldsShape, string>> = {
  object: 'as an object by slug',
  entries: 'as a list of slug and value',
};

type Taken = Extract<SendOutcome, { kind: 'done' | 'accepted' }>;

const isTaken = (outcome: SendOutcome): outcome is Taken =>
  outcome.kind === 'done' || outcome.kind === 'accepted';

const isRefused = (outcome: SendOutcome): boolean =>
  outcome.kind === 'failed' && outcome.refusesFields === true;

const idOf = (outcome: Taken): string | undefined => (outcome.kind === 'done' ? outcome.id : undefined);

/** The service has it, and nobody knows how. */
function unproven({ status, requestId }: Taken, { why, cause }: Doubt): SendOutcome {
  const message = `the service refused fields as a whole, took the row with fields in another shape, and ${why}`;
  const stop = new ServiceError(`Stopped: ${message}.`, {
    hint: 'Look at that registration. Where its values are right, put "fields": "entries" into the profile (or "object").',
    cause,
  });
  return { kind: 'uncertain', status, message, stop, requestId };
}

/** Why a row is not proven to be held as sent. */
interface Doubt {
  /** `does not list it` */
  why: string;
  cause?: unknown;
}

interface SentRow {
  row: Registration;
  id: string | undefined;
}

/** Reads the row back until it is listed as sent, or nothing can be listed late any more. */
async function readBack(
  registrations: RegistrationsClient,
  { event, clock, reporter, stopping, settleMs }: ShapeContext,
  sent: SentRow,
): Promise<Doubt | undefined> {
  const fields = fieldsOf(event);
  const isProven = (found: readonly RegistrationRecord[]): boolean =>
    found.some((record) => isAsSent(sent.row, record, fields));
  try {
    const read = (): ReturnType<typeof find> => find(registrations, sent, fields);
    const found = await readUntil({ clock, reporter, stopping }, settleMs, read, isProven);
    return isProven(found) ? undefined : { why: whyNotAsSent(sent.row, found, fields) };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { why: `it could not be read back: ${said.replace(/\.$/, '')}`, cause: error };
  }
}

/** By barcode, else by the id that the answer told, else by what it holds. */
async function find(
  registrations: RegistrationsClient,
  { row, id }: SentRow,
  fields: FieldsOf,
): Promise<readonly RegistrationRecord[]> {
  const { barcode } = row;
  if (barcode !== undefined) return (await registrations.findByBarcode([barcode])).get(barcode) ?? [];
  let found: RegistrationRecord[] = [];
  await registrations.readAll({}, ({ records, restart }) => {
    if (restart) found = [];
    found.push(...records.filter((one) => (id === undefined ? isAsSent(row, one, fields) : one.id === id)));
  });
  return found;
}

function whyNotAsSent(row: Registration, [record]: readonly RegistrationRecord[], fields: FieldsOf): string {
  if (record === undefined) return 'does not list it';
  const names = openChanges(row, record, fields)?.map(({ field }) => field) ?? [];
  return `does not list it as sent${names.length === 0 ? '' : `: ${names.join(', ')}`}`;
}

/** What is not as it was sent, but for how the service writes it; undefined when it shows no values. */
function openChanges(
  row: Registration,
  record: RegistrationRecord,
  fields: FieldsOf,
): FieldChange[] | undefined {
  return changesTo(row, record, fields)?.filter(
    (change) => !AROUND.has(change.field) && spellingOf(change) !== 'spelling',
  );
}

/** Whether a record has every value that was sent; the service may write one its own way. */
function isAsSent(row: Registration, record: RegistrationRecord, fields: FieldsOf): boolean {
  return openChanges(row, record, fields)?.length === 0;
}

/** Not what is tried out here. */
const AROUND: ReadonlySet<string> = new Set(['parent_barcode', 'enable_comms']);
