import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../pacing/clock.ts';
import { changesButMessages, fieldsOf } from '../../registration/changes/field-change.ts';
import { PARENT } from '../../registration/changes/aspect.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import type { Reporter } from '../../report/views/events.ts';
import type { FieldsShape, SendOutcome } from '../../service/send-registration.ts';
import type { RegistrationsClient } from '../../service/client.ts';
import { isSpelling } from '../decide/decide.ts';
import { learn, type LearnContext, readLearned } from '../journal/learned.ts';
import { readNow } from '../snapshot/read-now.ts';
import { readUntil } from '../snapshot/wait-until.ts';

/** What the shape of `fields` is found out with. */
interface ShapeContext extends LearnContext {
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
  const { fixed } = context;
  const learnt = fixed ?? readLearned(context, 'fields')?.value;
  let shape: FieldsShape = learnt === 'entries' ? 'entries' : 'object';
  let settled = fixed !== undefined || learnt === 'unproven';
  let turn = Promise.resolve();

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
    const doubt = await readBack(registrations, context, row, second);
    settled = true;
    learn(context, 'fields', doubt === undefined ? other : 'unproven');
    if (doubt !== undefined) return unproven(second, doubt);
    shape = other;
    const text = `The service takes fields ${WORDS[other]}: one row was sent so and read back as sent; later runs begin with it.`;
    context.reporter.report({ type: 'note', text });
    return second;
  };

  const send: Send = async (row, onSending) => {
    const first = turn.then(async () => (settled ? undefined : await sendFirst(row, onSending)));
    const done = (): void => undefined;
    turn = first.then(done, done);
    return (await first) ?? (await registrations.send(row, onSending, shape));
  };
  return { ...registrations, send };
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

/** Why a row is not proven to be held as sent: `does not list it`. */
interface Doubt {
  why: string;
  cause?: unknown;
}

/** The service has it, and nobody knows how. */
function unproven({ status, requestId }: Taken, { why, cause }: Doubt): SendOutcome {
  const message = `the service refused fields as a whole, took the row with fields in another shape, and ${why}`;
  const stop = new ServiceError(`Stopped: ${message}.`, {
    hint: 'Look at that registration. Where its values are right, put "fields": "entries" into the profile (or "object").',
    cause,
  });
  return { kind: 'uncertain', status, message, stop, requestId };
}

/** Reads the row back until it is listed as sent, or nothing can be listed late any more. */
async function readBack(
  registrations: RegistrationsClient,
  { settleMs, ...context }: ShapeContext,
  row: Registration,
  outcome: Taken,
): Promise<Doubt | undefined> {
  const id = outcome.kind === 'done' ? outcome.id : undefined;
  /** What is not as it was sent, but for how the service writes it; undefined when it shows no values. */
  const differences = (record: RegistrationRecord): string[] | undefined =>
    changesButMessages(row, record, fieldsOf(context.event))
      ?.filter(({ field, before, after }) => field !== PARENT.field && !isSpelling(before, after))
      .map(({ field }) => field);
  const isAsSent = (record: RegistrationRecord): boolean => differences(record)?.length === 0;
  try {
    const read = (): Promise<readonly RegistrationRecord[]> =>
      readNow({ registrations }, { barcode: row.barcode, id });
    const found = await readUntil(context, settleMs, read, (records) => records.some(isAsSent));
    if (found.some(isAsSent)) return undefined;
    const [record] = found;
    if (record === undefined) return { why: 'does not list it' };
    const names = differences(record) ?? [];
    return { why: `does not list it as sent${names.length === 0 ? '' : `: ${names.join(', ')}`}` };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { why: `it could not be read back: ${said.replace(/\.$/, '')}`, cause: error };
  }
}
