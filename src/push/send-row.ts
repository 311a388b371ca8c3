import { GaveUpError, InterruptedError } from '../errors.ts';
import { fieldsOf } from '../registration/field-change.ts';
import type { SendOutcome } from '../service/registrations.ts';
import { hidePersonal } from './hide-personal.ts';
import { judgeConflict } from './judge-conflict.ts';
import { type QueuedRow, type RowOutcome, writeIntent, writeOutcome } from './journal.ts';
import type { SendContext } from './send-context.ts';

/** What became of a row that was to be sent. */
export interface SentRow {
  /** As it stands in the journal; undefined when nothing left and nothing was written. */
  outcome: RowOutcome | undefined;
  /** Set when no further row should be sent. */
  stop: Error | undefined;
}

/**
 * Sends one row: the intent is on the disk before its first byte leaves, the outcome before this returns.
 * `mayLeave` runs after all waiting, right before the intent; what it throws keeps the row back.
 * Throws only as the journal does.
 */
export async function sendRow(
  context: SendContext,
  row: QueuedRow,
  mayLeave: () => void = () => undefined,
): Promise<SentRow> {
  const { journal, run, registrations, clock } = context;
  let intended: string | undefined;
  const intend = (requestId: string): void => {
    mayLeave();
    writeIntent(journal, run, row.seq, requestId, clock.now());
    intended = requestId;
  };
  // What the service says may quote the request.
  const hide = (text: string): string => hidePersonal(text, row, fieldsOf(context.event));
  const write = (outcome: RowOutcome): RowOutcome => {
    const message = outcome.message === undefined ? undefined : hide(outcome.message);
    const complete = { requestId: intended, ...outcome, message };
    writeOutcome(journal, run, row.seq, complete, clock.now());
    return complete;
  };
  let answer: SendOutcome;
  try {
    answer = await registrations.send(row.registration, intend);
  } catch (error) {
    const stop = error instanceof Error ? error : new Error(String(error));
    stop.message = hide(stop.message);
    if (intended === undefined) return { outcome: undefined, stop };
    // Broken off while waiting: what left before was refused unprocessed. Anything else says nothing.
    const waiting = error instanceof InterruptedError || error instanceof GaveUpError;
    return {
      outcome: write(waiting ? { state: 'pending' } : { state: 'uncertain', message: stop.message }),
      stop,
    };
  }
  const stop = stopOf(answer);
  if (stop !== undefined) stop.message = hide(stop.message);
  return { outcome: write(await toOutcome(context, row, answer)), stop };
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
