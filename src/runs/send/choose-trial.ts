import { among, THERE } from '../../registration/model/row-states.ts';
import { changesTo } from '../../registration/changes/field-change.ts';
import { type QueuedRow, queuedRow, UPDATES } from '../../sync/journal/queued-rows.ts';
import { spellingOf } from '../../sync/decide/spelling.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { sentFacts } from '../compare/sent-now.ts';
import { cannotSendBack, mayBeTried } from '../../sync/decide/what-is-sent.ts';

/** An update that can be sent before all others. */
export interface TrialRow extends QueuedRow {
  before: NonNullable<QueuedRow['before']>;
  /** What it leaves out to see what becomes of it, by name. */
  leaveOut: ReadonlySet<string>;
}

/** What is wanted of the update that goes first. */
interface TrialWish {
  /** How the service takes updates is known, so that only one is wanted that shows what becomes of the rest. */
  thorough: boolean;
  /** Fields that have not changed when they were sent: only one that changes others is wanted. */
  tried: ReadonlySet<string>;
  /** Rows that cannot go first, by number. */
  passed: ReadonlySet<number>;
  /** Nothing is to be left out. */
  whole: boolean;
  /** Slug of the only one that counts; undefined: any. */
  persona?: string;
}

/** What one update can show. */
interface Candidate {
  row: QueuedRow & { before: NonNullable<QueuedRow['before']> };
  /** That anything changes: 2 where a service that takes updates has to list another value then. */
  change: 0 | 1 | 2;
  /** How many things change. */
  changes: number;
  /** What it may leave out, by name. */
  things: readonly string[];
}

/** Parents that let their members be sent. */
export const PARENT_IS_THERE = `NOT EXISTS (
  SELECT 1 FROM row AS parent INDEXED BY row_barcode
  WHERE parent.run = row.run AND parent.barcode = row.parent_barcode AND parent.op = 'send'
    AND parent.state NOT ${among(THERE)}
    AND NOT (parent.state = 'conflict' AND parent.before IS NOT NULL))`;

/** Among so many the best is good enough. */
const LOOKED_AT = 1000;
/** More is not wanted of one that shows all there is to show. */
const ENOUGH = 100;

/**
 * The pending update that shows most of what is to be learnt: guests without a parent before members, those
 * who get no message before those who do. It leaves out what nothing is known of, what can be sent back if it
 * is lost, and what other updates would leave out, too: for nobody else's sake nothing is put at risk.
 */
export function chooseTrial(context: SendContext, wish: TrialWish): TrialRow | undefined {
  const holders = new Map<string, number>();
  const candidates: Candidate[] = [];
  let best = 0;
  for (const candidate of candidatesOf(context, wish)) {
    candidates.push(candidate);
    for (const name of candidate.things) holders.set(name, (holders.get(name) ?? 0) + 1);
    best = Math.max(best, candidate.change);
    const shared = [...holders.values()].filter((count) => count > 1).length;
    if (candidates.length >= ENOUGH && best === 2 && (shared > 0 || !wish.thorough)) break;
  }
  return pick(candidates, holders, wish);
}

function pick(
  candidates: readonly Candidate[],
  holders: ReadonlyMap<string, number>,
  { thorough, tried }: TrialWish,
): TrialRow | undefined {
  let best: { trial: TrialRow; rank: number } | undefined;
  for (const { row, change, changes, things } of candidates) {
    const shared = things.filter((name) => (holders.get(name) ?? 0) > 1);
    const leaveOut = new Set(change === 0 ? [] : shared);
    const fits = (!thorough || leaveOut.size > 0) && (tried.size === 0 || change > 0);
    const rank = (change * MOST_THINGS + leaveOut.size) * MOST_THINGS + changes;
    if (fits && (best === undefined || rank > best.rank)) best = { trial: { ...row, leaveOut }, rank };
  }
  return best?.trial;
}

/** That it can be seen at all counts more than how much can be: more than so many are nowhere. */
const MOST_THINGS = 10_000;

function* candidatesOf(context: SendContext, wish: TrialWish): Generator<Candidate> {
  const { journal, run } = context;
  const seqs = journal.all<{ seq: number }>(
    `SELECT seq FROM row WHERE ${UPDATES} AND ${PARENT_IS_THERE} AND ($persona IS NULL OR persona = $persona)
     ORDER BY parent_barcode IS NOT NULL, depth, enable_comms, seq LIMIT ${LOOKED_AT}`,
    { run, persona: wish.persona },
  );
  for (const { seq } of seqs) {
    const row = wish.passed.has(seq) ? undefined : queuedRow(journal, run, seq);
    if (row?.before === undefined) continue;
    const candidate = candidateOf(context, { ...row, before: row.before }, wish);
    if (candidate !== undefined) yield candidate;
  }
}

/** Undefined for a row that is not sent at all. */
function candidateOf(
  context: SendContext,
  row: Candidate['row'],
  { tried, whole }: TrialWish,
): Candidate | undefined {
  const facts = sentFacts(context, row);
  if (cannotSendBack(facts).length > 0) return undefined;
  const changes = changesTo(row.registration, row.before, facts.fields) ?? [];
  const untried = changes.filter(({ field }) => !tried.has(field));
  const change = untried.length === 0 ? 0 : untried.some((one) => spellingOf(one) === undefined) ? 2 : 1;
  // What is lost is given back by a second request, and nobody is to get two messages.
  const things = whole || row.registration.enableComms ? [] : mayBeTried(facts);
  return { row, change, changes: untried.length, things };
}
