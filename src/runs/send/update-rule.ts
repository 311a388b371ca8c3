import { formatPlace } from '../../registration/model/row.ts';
import { chooseTrial, type TrialRow } from './choose-trial.ts';
import { type Judge, runTrial, keepAsListed, type TrialResult, type StillRow } from './run-trial.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { learn, type Learned, readLearned } from '../../sync/journal/learned.ts';
import type { UpdateRule } from '../../sync/decide/judge-trial.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { proveFirstUpdate } from './prove-first.ts';
import { postponeUpdates, withholdUpdates } from './withhold-updates.ts';

interface RuleFinding {
  /** Undefined: nothing is known. */
  rule: UpdateRule | undefined;
  /** Pending rows that were put aside, because sending them would double or achieve nothing. */
  withheld: number;
}

/** When so many rows are refused one after the other, the others would be too. */
const REFUSED_MAX = 20;

/** The rule learnt of a service not too long ago; undefined when nothing is known. */
export function knownUpdateRule(journal: Journal, service: string, now: number): UpdateRule | undefined {
  return readLearned(journal, service, 'upsert', now)?.value;
}

/**
 * Finds out, before updates are sent, what the service does with a barcode that it has already, and with
 * what is not sent: some of the updates go first, each alone, and are read back. Updates that it would not take as
 * such become conflicts; those of which nothing can be said yet are postponed. Does nothing without pending
 * updates whose parents are settled, so that it is to be called for each depth. `judge` is told what became of each, and
 * throws when no more are to be tried. Throws what stops the run.
 */
export async function learnUpdateRule(
  context: SendContext,
  judge: Judge = () => undefined,
): Promise<RuleFinding> {
  let withheld: number | undefined;
  const seen: Seen = { still: [], moved: new Set(), trials: 0, passed: new Set() };
  for (let refused = 0; withheld === undefined && !context.stopping.aborted; ) {
    const upsert = whatIsKnown(context);
    if (upsert?.value === 'double') {
      withheld = withholdUpdates(context, 'double', `seen on ${dayOf(upsert)}`);
      break;
    }
    // That updates are refused or ignored is not believed for long: trying one does no harm.
    const trial = nextTrial(context, upsert?.value === 'update', seen);
    if (trial === undefined) break;
    if (trial.leaveOut.size > 0) seen.trials += 1;
    const result = await runTrial(context, trial, judge);
    if (result.kind === 'passed') {
      seen.passed.add(trial.seq);
      continue;
    }
    if (result.kind === 'still') {
      seen.still.push(result);
      continue;
    }
    if (result.kind === 'failed') refused += 1;
    else if (result.rule === 'update') seen.moved.add(trial.registration.persona);
    withheld = drawConclusion(context, trial, result, refused);
  }
  const ignored = judgeStill(context, seen.still, seen.moved.size > 0);
  if (!context.stopping.aborted) {
    if (ignored.length > 0) withheld ??= withholdIgnored(context, ignored);
    if (whatIsKnown(context)?.value === 'update') await proveFirstUpdate(context, judge, seen.moved);
  }
  return { rule: whatIsKnown(context)?.value, withheld: withheld ?? 0 };
}

/** What a service does that takes no updates is not told from few of them that change nothing. */
const STILL_MAX = 3;
/** So many updates leave something out to see what becomes of it; the others send along what is not known then. */
const TRIALS_MAX = 3;

/** What the updates that went first have shown. */
interface Seen {
  /** Those that changed nothing. */
  still: StillRow[];
  /** Personas of which one has changed something. */
  moved: Set<string>;
  /** How many have left something out. */
  trials: number;
  /** Rows that could not go first, by number. */
  passed: Set<number>;
}

/** After updates that changed nothing, others are tried until one does, which change something else. */
function nextTrial(
  context: SendContext,
  isTaken: boolean,
  { still, moved, trials, passed }: Seen,
): TrialRow | undefined {
  if (still.length >= STILL_MAX) return undefined;
  const doubted = still.length > 0 && moved.size === 0;
  const thorough = isTaken && !doubted;
  const whole = trials >= TRIALS_MAX;
  if (thorough && whole) return undefined;
  const tried = new Set(doubted ? still.flatMap(({ fields }) => fields) : []);
  const trial = chooseTrial(context, { thorough, tried, passed, whole });
  if (trial !== undefined || thorough || passed.size === 0) return trial;
  return chooseTrial(context, { thorough, tried, passed: new Set(), whole: true });
}

/**
 * Notes as the service's own way what changed nothing where other updates do, or where it may just store these
 * values its own way. Returns the others, which speak for a service that ignores updates.
 */
function judgeStill(context: SendContext, still: readonly StillRow[], hasMoved: boolean): StillRow[] {
  const isTaken = whatIsKnown(context)?.value === 'update';
  return still.filter((one) => {
    const isOwn = hasMoved || one.rule === 'spelling' || (isTaken && one.rule === 'dropped');
    if (isOwn) keepAsListed(context, one);
    return !isOwn;
  });
}

function withholdIgnored(context: SendContext, ignored: readonly StillRow[]): number {
  const { journal, target, clock } = context;
  learn(journal, target.service, 'upsert', 'ignore', clock.now());
  const seen = ignored.map(({ trial, fields }) => `${fields.join(', ')} of ${formatPlace(trial.place)}`);
  return withholdUpdates(context, 'ignore', seen.join('; '));
}

const whatIsKnown = ({ journal, target, clock }: SendContext): Learned<UpdateRule> | undefined =>
  readLearned(journal, target.service, 'upsert', clock.now());

const dayOf = ({ at }: Learned<string>): string => new Date(at).toISOString().slice(0, 10);

/** How many rows were put aside; undefined while there may be more to learn. */
function drawConclusion(
  context: SendContext,
  trial: TrialRow,
  result: Exclude<TrialResult, { kind: 'still' | 'passed' }>,
  refused: number,
): number | undefined {
  const { journal, target, clock } = context;
  const place = formatPlace(trial.place);
  if (result.kind === 'failed') {
    if (refused < REFUSED_MAX) return undefined;
    return postponeUpdates(context, `the first ${REFUSED_MAX} were all refused: ${result.message}`);
  }
  const { rule } = result;
  if (rule === 'harmless') return 0;
  if (rule === 'look') return postponeUpdates(context, `${place} got no certain answer`);
  learn(journal, target.service, 'upsert', rule, clock.now());
  return rule === 'update' ? undefined : withholdUpdates(context, rule, `seen with ${place}`);
}
