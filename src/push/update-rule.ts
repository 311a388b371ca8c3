import { formatPlace } from '../registration/row.ts';
import { choosePilot, type Pilot } from './choose-pilot.ts';
import { completeUpdates } from './complete-updates.ts';
import { flyPilot, type PilotResult } from './fly-pilot.ts';
import type { Journal } from './journal.ts';
import { learn, type Learned, readLearned, type UpdateRule } from './learned.ts';
import type { SendContext } from './send-context.ts';
import { postponeUpdates, withholdUpdates } from './withhold-updates.ts';

export { forgetUpdateRule, type UpdateRule } from './learned.ts';

export interface RuleFinding {
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
 * fields that are not sent: one of the updates goes first and is read back. Updates that it would not take as
 * such become conflicts; those of which nothing can be said yet are blocked. Does nothing without pending
 * updates whose parents are settled, so that it is to be called for each depth. Throws what stops the run.
 */
export async function learnUpdateRule(context: SendContext): Promise<RuleFinding> {
  let withheld: number | undefined;
  for (let refused = 0; withheld === undefined && !context.stopping.aborted; ) {
    const { upsert, unsent } = whatIsKnown(context);
    if (upsert?.value === 'double') {
      withheld = withholdUpdates(context, 'double', `seen on ${dayOf(upsert)}`);
      break;
    }
    // That updates are refused or ignored is not believed for long: trying one does no harm.
    const isTaken = upsert?.value === 'update';
    const pilot = isTaken && unsent !== undefined ? undefined : choosePilot(context, isTaken);
    if (pilot === undefined) break;
    const result = await flyPilot(context, pilot);
    if (result.kind === 'failed') refused += 1;
    withheld = drawConclusion(context, pilot, result, refused);
  }
  const { upsert, unsent } = whatIsKnown(context);
  if (unsent?.value === 'replace') completeUpdates(context);
  return { rule: upsert?.value, withheld: withheld ?? 0 };
}

function whatIsKnown({ journal, target, clock }: SendContext) {
  return {
    upsert: readLearned(journal, target.service, 'upsert', clock.now()),
    unsent: readLearned(journal, target.service, 'unsent', clock.now()),
  };
}

const dayOf = ({ at }: Learned<string>): string => new Date(at).toISOString().slice(0, 10);

/** How many rows were put aside; undefined while there may be more to learn. */
function drawConclusion(
  context: SendContext,
  pilot: Pilot,
  result: PilotResult,
  refused: number,
): number | undefined {
  const { journal, target, clock } = context;
  const place = formatPlace(pilot.place);
  if (result.kind === 'failed') {
    if (refused < REFUSED_MAX) return undefined;
    return postponeUpdates(context, `the first ${REFUSED_MAX} were all refused: ${result.message}`);
  }
  const { rule, unsent } = result;
  if (rule === 'harmless') return 0;
  if (rule === 'look') return postponeUpdates(context, `${place} got no certain answer`);
  learn(journal, target.service, 'upsert', rule, clock.now());
  if (rule !== 'update') return withholdUpdates(context, rule, `seen with ${place}`);
  if (unsent !== undefined) learn(journal, target.service, 'unsent', unsent, clock.now());
  if (unsent === 'replace') tellOfReplacing(context);
  return undefined;
}

function tellOfReplacing({ reporter }: SendContext): void {
  const text = 'The service empties fields that are not sent with an update: what they hold is sent along.';
  reporter.report({ type: 'note', text });
}
