import type { Field } from '../../registration/model/persona.ts';
import { EventregError, GaveUpError, GuardError, InterruptedError, SharedStateError } from '../../errors.ts';
import { changesTo, fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import type { SendOutcome } from '../../service/send-registration.ts';
import { hidePersonal } from '../decide/hide-personal.ts';
import { type QueuedRow, writeIntent, writeOutcome } from '../journal/queued-rows.ts';
import { judgeFound, otherValues, outcomeOf, type RowOutcome } from '../decide/judge-found.ts';
import { setAside } from '../journal/rows-to-send.ts';
import type { SendContext } from '../journal/send-context.ts';
import { whatIsSentNow } from '../journal/sent-facts.ts';
import { listedNow } from './looks.ts';
import { checkAnswer } from './taken-for.ts';

/** What a request is called off with while it waits for its turn. */
const WHILE_WAITING = [InterruptedError, GaveUpError, GuardError, SharedStateError];

/** What became of a row that was to be sent. */
interface SentRow {
  /** As it stands in the journal; undefined when nothing left and nothing was written. */
  outcome: RowOutcome | undefined;
  /** Set when no further row should be sent. */
  stop: Error | undefined;
  /** What was sent along, and is named by the refusal. */
  named: readonly string[];
  /** The registration, as the answer shows it. */
  shown?: RegistrationRecord | undefined;
}

/** A row whose outcome is known, and perhaps not yet on the disk. */
export interface AnsweredRow extends SentRow {
  seq: number;
  /** Resolves when the outcome is on the disk: nothing may tell of it before. Rejects as the journal does. */
  written: Promise<void>;
}

/** What is to be written of an answer. */
interface Answer extends SentRow {
  outcome: RowOutcome;
  /** What is written together with it. */
  also?: (() => void) | undefined;
}

/**
 * Sends one row: the intent is on the disk before its first byte leaves, the outcome before this returns.
 * Throws only as the journal does. `without`: fields that are not sent along.
 */
export async function sendRow(
  context: SendContext,
  row: QueuedRow,
  without: readonly string[] = [],
): Promise<SentRow> {
  const { written, ...sent } = await askForRow(context, row, undefined, without);
  await written;
  return sent;
}

/**
 * Sends one row: the intent is on the disk before its first byte leaves, and the outcome is on its way there
 * when this returns. `whyNot` is asked after all waiting, right before the intent; an error keeps the row back.
 * Throws only as the journal does.
 */
export async function askForRow(
  context: SendContext,
  row: QueuedRow,
  whyNot?: () => Error | undefined,
  without: readonly string[] = [],
): Promise<AnsweredRow> {
  const { journal, run, registrations, clock, event } = context;
  const { registration, along, cannot } = whatIsSentNow(context, row, without);
  if (cannot.length > 0) return keepBack(context, row, cannot);
  let intended: string | undefined;
  const intend = async (requestId: string): Promise<void> => {
    const detail = describeRest(along, without);
    journal.blocks.cover(run, row.seq, clock.now(), () => perSecond(context));
    const intent = { at: clock.now(), requestId, detail };
    // The transport keeps back what others cannot know of.
    await journal.group.addHere(() => whyNot?.() ?? writeIntent(journal, run, row.seq, intent));
    if (intended === undefined) journal.group.expected += 1;
    intended = requestId;
  };
  // What the service says may quote the request.
  const hide = (text: string): string =>
    hidePersonal(text, { registration, before: row.before }, fieldsOf(event));
  const write = ({ outcome: answered, stop, named, shown, also }: Answer): AnsweredRow => {
    if (stop !== undefined) hideIn(stop, hide);
    const message = answered.message === undefined ? undefined : hide(answered.message);
    // Beside its request the answer needs no name where it is the same.
    const requestId = answered.requestId === intended ? undefined : answered.requestId;
    const { state, status, remoteId, isUnlisted, action } = answered;
    // One by one: what is copied first, and then added to, is looked up anew each time.
    const outcome = { state, status, remoteId, isUnlisted, action, message, requestId };
    const at = clock.now();
    const written = journal.group.add(() => {
      writeOutcome(journal, run, row.seq, outcome, at);
      also?.();
    });
    return { seq: row.seq, outcome, stop, named, shown, written };
  };
  let answer: SendOutcome;
  try {
    answer = await registrations.send(registration, intend);
  } catch (error) {
    const stop = error instanceof Error ? error : new Error(String(error));
    hideIn(stop, hide);
    const { seq } = row;
    if (intended === undefined)
      return { seq, outcome: undefined, stop, named: [], written: Promise.resolve() };
    // Broken off while waiting: what left before was refused unprocessed. Anything else says nothing.
    const isWaiting = WHILE_WAITING.some((kind) => error instanceof kind);
    const outcome = isWaiting ? PENDING : { state: 'uncertain' as const, message: stop.message };
    return write({ outcome, stop, named: [] });
  } finally {
    if (intended !== undefined) journal.group.expected -= 1;
  }
  return write(await judge(context, row, answer, along));
}

const PENDING: RowOutcome = { state: 'pending' };

/** What an answer says of its row, held against what is known of the service. */
async function judge(
  context: SendContext,
  row: QueuedRow,
  answer: SendOutcome,
  along: readonly string[],
): Promise<Answer> {
  if (answer.kind === 'failed' && along.length > 0) {
    const { status, message, requestId } = answer;
    const named = namedBy(message, along, fieldsOf(context.event)(row.registration.persona));
    const why = `${message}; ${whyRefused(named, along)}`;
    const state = named.length === 0 ? 'failed' : 'conflict';
    return { outcome: { state, status, message: why, requestId }, stop: undefined, named };
  }
  const isUncertain = answer.kind === 'uncertain';
  const stop = answer.kind === 'stopped' ? answer.error : isUncertain ? answer.stop : undefined;
  const about = isUncertain ? answer.about : undefined;
  const checked = await checkAnswer(context, row, await toOutcome(context, row, answer), about);
  const shown = answer.kind === 'done' ? answer.record : undefined;
  return { outcome: checked.outcome, stop: stop ?? checked.stop, named: [], shown, also: checked.write };
}

async function toOutcome(context: SendContext, row: QueuedRow, answer: SendOutcome): Promise<RowOutcome> {
  if (answer.kind === 'stopped') return PENDING;
  const { kind, status, requestId } = answer;
  if (kind === 'conflict') return { ...(await judgeConflict(context, row, answer)), requestId };
  if (kind !== 'done') {
    const message = 'message' in answer ? answer.message : undefined;
    const { id, barcode } = (kind === 'uncertain' && answer.about) || {};
    return { state: kind, status, requestId, message, remoteId: id ?? barcode };
  }
  return { state: 'done', status, remoteId: answer.id, action: answer.action, requestId };
}

/** A service that refuses a row because it exists is asked what it holds: it may be just what was to be sent. */
async function judgeConflict(
  context: SendContext,
  { registration, plan, before }: Pick<QueuedRow, 'registration' | 'plan' | 'before'>,
  { status, message }: { status: number; message: string },
): Promise<RowOutcome> {
  const { barcode } = registration;
  const refused: RowOutcome = { state: 'conflict', status, message };
  if (barcode === undefined) return refused;
  const fields = fieldsOf(context.event);
  const found = await listedNow(context, { barcode, id: undefined });
  // The request itself was refused: a registration that shows nothing did not come by it.
  const unsent = plan === 'create' ? undefined : plan;
  const verdict = judgeFound({ registration, plan: unsent, before, found, fields });
  if (verdict.kind === 'done') {
    // Messages that the request asked for and the service refused are not asked for.
    const left = found[0] && changesTo(registration, found[0], fields);
    if (left !== undefined && left.length > 0)
      return { ...refused, message: `${message}; ${otherValues(left)}` };
    return { ...outcomeOf(verdict), status };
  }
  return verdict.kind === 'conflict' ? { ...refused, message: `${message}; ${verdict.why}` } : refused;
}

/** What was sent beside the row, and what was not though its registration holds it, for the story of the row. */
function describeRest(along: readonly string[], without: readonly string[]): string | undefined {
  const parts = [
    ...(along.length === 0 ? [] : [`with what it holds besides: ${along.join(', ')}`]),
    ...(without.length === 0 ? [] : [`without what the service does not take back: ${without.join(', ')}`]),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

function perSecond({ budget }: SendContext): number | undefined {
  const { limit, windowMs } = budget();
  return limit === undefined || windowMs === undefined ? undefined : (limit * 1000) / windowMs;
}

/** A row that would lose something it cannot give back: nothing leaves. */
function keepBack(
  { journal, run, clock }: SendContext,
  { seq }: QueuedRow,
  cannot: readonly string[],
): AnsweredRow {
  const why = whyNotSent(cannot);
  const now = clock.now();
  const written = journal.group.add(() => {
    setAside(journal, run, [seq], { state: 'conflict', why, now });
  });
  return { seq, outcome: { state: 'conflict', message: why }, stop: undefined, named: [], written };
}

function hideIn(error: Error, hide: (text: string) => string): void {
  error.message = hide(error.message);
  if (error instanceof EventregError) Object.assign(error, { details: error.details.map(hide) });
}

/** Why a row with such things is not sent, as a clause. */
export function whyNotSent(cannot: readonly string[]): string {
  return `not sent: what its registration holds and the row leaves as it is cannot be sent back exactly as it is listed: ${cannot.join(', ')}; give the row a value there, change it in the service, or send what the file has there with --overwrite`;
}

/** Which of some fields a refusal names. */
export function namedBy(
  message: string,
  slugs: readonly string[],
  fields: readonly Field[],
): readonly string[] {
  if (slugs.length === 0) return [];
  const text = message.toLowerCase();
  const words = new Set(text.split(/[^\p{L}\p{N}_-]+/u));
  return slugs.filter((slug) => {
    const label = fields.find((field) => field.slug === slug)?.label.toLowerCase() ?? '';
    return words.has(slug.toLowerCase()) || (label !== '' && text.includes(label));
  });
}

/** What a refusal may be due to, as a clause: what it names of that which was sent along, else any of it. */
function whyRefused(named: readonly string[], along: readonly string[]): string {
  if (named.length === 0) return `sent with what its registration holds besides: ${along.join(', ')}`;
  return `what its registration holds and the row leaves as it is cannot be sent back: ${named.join(', ')}; give the row a value there, or change it in the service`;
}
