import { GaveUpError, GuardError, InterruptedError } from '../errors.ts';
import { changesTo, fieldsOf } from '../registration/field-change.ts';
import type { RegistrationRecord } from '../registration/registration.ts';
import type { SendOutcome } from '../service/registrations.ts';
import { imageOf } from './delete-rows.ts';
import { hidePersonal } from './hide-personal.ts';
import { judgeConflict } from './judge-conflict.ts';
import { type QueuedRow, type RowOutcome, writeIntent, writeOutcome } from './journal.ts';
import type { SendContext } from './send-context.ts';

/** What a request is called off with while it waits for its turn. */
const WHILE_WAITING = [InterruptedError, GaveUpError, GuardError];

/** What became of a row that was to be sent. */
export interface SentRow {
  /** As it stands in the journal; undefined when nothing left and nothing was written. */
  outcome: RowOutcome | undefined;
  /** Set when no further row should be sent. */
  stop: Error | undefined;
}

/** A row whose outcome is known, and perhaps not yet on the disk. */
export interface AnsweredRow extends SentRow {
  /** Resolves when the outcome is on the disk: nothing may tell of it before. Rejects as the journal does. */
  written: Promise<void>;
}

/**
 * Sends one row: the intent is on the disk before its first byte leaves, the outcome before this returns.
 * Throws only as the journal does.
 */
export async function sendRow(context: SendContext, row: QueuedRow): Promise<SentRow> {
  const { written, ...sent } = await askForRow(context, row);
  await written;
  return sent;
}

/**
 * Sends one row: the intent is on the disk before its first byte leaves, and the outcome is on its way there
 * when this returns. `mayLeave` runs after all waiting, right before the intent; what it throws keeps the row
 * back. Throws only as the journal does.
 */
export async function askForRow(
  context: SendContext,
  row: QueuedRow,
  mayLeave: () => void = () => undefined,
): Promise<AnsweredRow> {
  const { journal, run, registrations, clock } = context;
  let intended: string | undefined;
  const intend = async (requestId: string): Promise<void> => {
    await journal.group.add(() => writeIntent(journal, run, row.seq, requestId, clock.now()), mayLeave);
    intended = requestId;
  };
  // What the service says may quote the request.
  const hide = (text: string): string => hidePersonal(text, row, fieldsOf(context.event));
  const write = (answered: RowOutcome, stop: Error | undefined, shown?: RegistrationRecord): AnsweredRow => {
    const message = answered.message === undefined ? undefined : hide(answered.message);
    const outcome = { requestId: intended, ...answered, message };
    const at = clock.now();
    return {
      outcome,
      stop,
      written: journal.group.add(() => {
        writeOutcome(journal, run, row.seq, outcome, at);
        noteAnswer(context, row, shown);
      }),
    };
  };
  let answer: SendOutcome;
  try {
    answer = await registrations.send(row.registration, intend);
  } catch (error) {
    const stop = error instanceof Error ? error : new Error(String(error));
    stop.message = hide(stop.message);
    if (intended === undefined) return { outcome: undefined, stop, written: Promise.resolve() };
    // Broken off while waiting: what left before was refused unprocessed. Anything else says nothing.
    const isWaiting = WHILE_WAITING.some((kind) => error instanceof kind);
    return write(isWaiting ? { state: 'pending' } : { state: 'uncertain', message: stop.message }, stop);
  }
  const stop = stopOf(answer);
  if (stop !== undefined) stop.message = hide(stop.message);
  return write(await toOutcome(context, row, answer), stop, 'record' in answer ? answer.record : undefined);
}

/** Keeps what an answer shows otherwise than it was sent. */
function noteAnswer(
  { journal, run, event }: SendContext,
  { seq, registration }: QueuedRow,
  shown: RegistrationRecord | undefined,
): void {
  if (shown === undefined || (changesTo(registration, shown, fieldsOf(event)) ?? []).length === 0) return;
  journal.run('UPDATE row SET answer = ? WHERE run = ? AND seq = ?', [
    JSON.stringify(imageOf(shown)),
    run,
    seq,
  ]);
}

function stopOf(answer: SendOutcome): Error | undefined {
  if (answer.kind === 'stopped') return answer.error;
  return answer.kind === 'uncertain' ? answer.stop : undefined;
}

async function toOutcome(context: SendContext, row: QueuedRow, answer: SendOutcome): Promise<RowOutcome> {
  switch (answer.kind) {
    case 'stopped':
      return { state: 'pending' };
    case 'conflict':
      return { ...(await judgeConflict(context, row, answer)), requestId: answer.requestId };
    case 'done': {
      const { status, id, action, requestId } = answer;
      return { state: 'done', status, remoteId: id, action, requestId };
    }
    default: {
      const { kind: state, status, requestId } = answer;
      return { state, status, requestId, message: 'message' in answer ? answer.message : undefined };
    }
  }
}
