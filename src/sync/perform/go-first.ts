import { fieldsOf } from '../../registration/changes/field-change.ts';
import { placeOr } from '../../registration/model/row.ts';
import { SENT } from '../../registration/model/row-states.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import type { FirstVerdict } from '../decide/judge-audit.ts';
import { learn, learnFields, readLearned } from '../journal/learned.ts';
import { type QueuedRow, queuedRow, readState } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { whatIsSentNow } from '../journal/sent-facts.ts';
import { tellOutcome } from '../journal/told-rows.ts';
import { conclude, lookBeside, postponeBeside, settle } from './conclude.ts';
import { type First, Firsts, isWitness, unknownNow } from './firsts.ts';
import { HABITS, holdBack, holdBackKnown, isNeverListed, withholdUpdates } from './hold-back.ts';
import { answeredOf, lookBack, type SentRow } from './look-back.ts';
import { namedBy, sendRow } from './send-row.ts';
import { settleFound } from './taken-for.ts';

interface Firsthand {
  /** A row as it is listed right before it goes; undefined where that has made something else of it. */
  lookedAt: (row: QueuedRow) => Promise<QueuedRow | undefined>;
  /** Is told of each row that goes first; returns why no more should be tried, if so. */
  judge: (outcome: RowOutcome) => Error | undefined;
}

/** How long a list may be late of what is known to be taken; of what is not, as long as anything may be. */
const PATIENCE_MS = 3000;
/** When so many are refused one after the other, the others would be too. */
const REFUSED_MAX = 20;
/** The same where a refusal names nothing that the row says: it may mean what was sent along. */
const UNNAMED_MAX = 3;

/**
 * Sends one row of each kind alone, the one that carries most, and looks at it before the others go. What comes back
 * otherwise than it was sent stops its kind; nothing is sent again. To be called for each depth. Throws what stops the
 * run.
 */
export async function sendFirsts(context: SendContext, { lookedAt, judge }: Firsthand): Promise<void> {
  holdBackKnown(context);
  const firsts = new Firsts(context);
  const refused = new Map<string, number>();
  for (let first = firsts.next(); first !== undefined && !context.stopping.aborted; first = firsts.next()) {
    const row = first.sends === 'update' ? await lookedAt(first.row) : first.row;
    if (row === undefined || !(await sendOther(context, first, judge))) continue;
    const sent = await sendAlone(context, row, judge);
    if (sent === undefined) continue;
    const { state } = sent.outcome;
    if (state === 'failed' || (state === 'conflict' && first.near === undefined)) {
      const count = (refused.get(first.family) ?? 0) + 1;
      refused.set(first.family, count);
      if (first.sends === 'update') concludeRefused(context, first, sent, count);
      // What is new needs no other to show the way: so many refusals speak for themselves.
      else if (count >= REFUSED_MAX) firsts.hasGone(first);
      continue;
    }
    firsts.hasGone(first);
    await look(context, first, sent);
  }
}

/** Sends the row of the files that registers somebody like a row, before it. False where the row is not to go then. */
async function sendOther(
  context: SendContext,
  { row, near }: First,
  judge: Firsthand['judge'],
): Promise<boolean> {
  const { journal, run } = context;
  if (near?.seq === undefined || readState(journal, run, near.seq) !== 'pending') return true;
  const other = queuedRow(journal, run, near.seq);
  const sent = other && (await sendAlone(context, other, judge));
  if (sent?.outcome.state === 'uncertain') postponeBeside(context, near.key, row);
  return sent !== undefined && SENT.has(sent.outcome.state);
}

interface SentAlone extends SentRow {
  /** What the service refuses to take back, and was not sent. */
  without: readonly string[];
  /** What it refuses to take back still. */
  named: readonly string[];
}

/**
 * Sends a row; once more without what the service refuses to take back, where it names that: the refusal has changed
 * nothing. Undefined when nothing left, or nothing was said of it.
 */
async function sendAlone(
  context: SendContext,
  row: QueuedRow,
  judge: Firsthand['judge'],
): Promise<SentAlone | undefined> {
  const { along } = whatIsSentNow(context, row);
  let sent = await sendRow(context, row);
  const without = sent.stop === undefined ? sent.named : [];
  if (without.length > 0) sent = await sendRow(context, row, without);
  const { outcome, stop, named, shown } = sent;
  if (stop !== undefined) throw stop;
  if (outcome === undefined || outcome.state === 'pending') return undefined;
  tellOutcome(context, row.seq);
  const halts = judge(outcome);
  if (halts !== undefined) throw halts;
  return { row, outcome, watched: along, without, named, shown };
}

/** A refusal of an update says something of all, or of this row alone; of so many after one another, of all like them. */
function concludeRefused(
  context: SendContext,
  { row }: First,
  { outcome, named, watched }: SentAlone,
  count: number,
): void {
  const { persona, fields } = row.registration;
  const { message = 'it was refused', state, status = 0 } = outcome;
  if (state === 'conflict' && named.length === 0) {
    if (status < 400) return;
    learn(context, 'upsert', 'refuse');
    settle(context, row, { ...outcome, state, message: message + HABITS.refuse[1] });
    withholdUpdates(context, 'refuse', `seen with ${placeOr(row.place, row.registration.barcode)}`);
    return;
  }
  const isOfRow =
    watched.length === 0 ||
    namedBy(message, Object.keys(fields), fieldsOf(context.event)(persona)).length > 0;
  const most = isOfRow ? REFUSED_MAX : UNNAMED_MAX;
  const why = `not sent yet: the first ${most} were all refused: ${message}`;
  if (count >= most) holdBack(context, { sends: 'update', persona }, { why });
}

/** Looks at what went first, until it is clear what became of it, and draws the conclusions. */
async function look(context: SendContext, first: First, sent: SentAlone): Promise<void> {
  const { reporter, limits } = context;
  const { row, outcome, without } = sent;
  const { persona, barcode } = row.registration;
  // Only an answer that names another registration leaves a name beside the doubt.
  if (outcome.state === 'uncertain' && outcome.remoteId !== undefined) {
    const why = `not sent yet: ${placeOr(row.place, barcode)} went first, and the service ${outcome.message}`;
    return holdBack(context, { sends: first.sends, persona }, { why });
  }
  if (first.near !== undefined) return await lookBeside(context, first.near, sent);
  const isKnown = !unknownNow(context)(first);
  if (!SENT.has(outcome.state) && (first.sends === 'create' || isTaken(context))) return;
  const isUnproven = mayReplace(context, sent);
  if (!isKnown)
    reporter.report({ type: 'checking', what: 'how the service takes updates', done: 0, total: 1 });
  // What shows nothing of its effect may show another one beside it later, unless the answer names the one there.
  const isNamed = row.before?.id !== undefined && row.before.id === outcome.remoteId;
  const isClear = (verdict: FirstVerdict): boolean => {
    if (verdict.kind === 'as before') return isKnown && !verdict.isLate && !isWitness(context, first);
    if (verdict.kind === 'cannot say') return first.sends === 'create' || isNamed || isTaken(context);
    return verdict.kind !== 'not there';
  };
  const answer = answeredOf(context, sent);
  // An answer that shows the old values is not late.
  const isRuled =
    isKnown || answer?.kind === 'as before' || readLearned(context, 'upsert')?.value === 'ignore';
  const isShort = isRuled && !isUnproven && !isWitness(context, first);
  const forMs = isShort ? PATIENCE_MS : limits.settleMs;
  const seen = await lookBack(context, sent, { forMs, isClear, mustSee: !isKnown });
  const stop = row.plan === 'update' ? await settleFound(context, row, outcome, seen.found) : undefined;
  if (stop !== undefined) throw stop;
  if (seen.verdict.kind === 'as expected' && without.length > 0)
    learnFields(context, { fact: 'untaken', sends: 'update', persona, slugs: without });
  conclude(context, first, sent, { ...seen, answer, isKnown });
  if (!isUnproven || seen.verdict.kind !== 'not there') return;
  learn(context, `lists ${persona}`, 'no');
  holdBackKnown(context);
}

const isTaken = (context: SendContext): boolean => readLearned(context, 'upsert')?.value === 'update';

/** Whether a new row may have replaced somebody: no list shows its persona, and the answer does not say "created". */
function mayReplace(context: SendContext, { row: { plan, registration }, outcome }: SentRow): boolean {
  const { barcode, persona } = registration;
  if (context.triesAgain === true || plan !== 'create' || barcode === undefined) return false;
  return outcome.action !== 'created' && isNeverListed(context, persona);
}
