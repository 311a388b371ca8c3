import { GuardError } from '../../errors.ts';
import { describeLive } from '../../report/words/service-name.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import type { Winner } from '../decide/plan-decision.ts';
import { agree, isAgreed } from '../journal/learned.ts';
import { describeUnbased, unbasedOf } from '../plan/plan-remarks.ts';
import type { RunPlan } from '../plan/plan-rows.ts';
import type { PushContext, PushOptions } from './push-options.ts';

/**
 * Asks about the first push to an event from this machine that is not at the embedded sandbox, where somebody can be
 * asked. `loss` is what updates may do that nobody can see. Throws GuardError for a no.
 */
export async function confirmTarget(
  { journal, target, clock, live }: Pick<PushContext, 'journal' | 'target' | 'clock' | 'live'>,
  loss?: string,
): Promise<void> {
  const { service, eventId } = target;
  if (live === undefined || isAgreed(journal, service, eventId)) return;
  const where = describeLive(target.eventName, live);
  const question = `This is the first push to ${where} from this machine. ${loss === undefined ? '' : `${loss} `}Send?`;
  if (!(await live.ask(question))) {
    throw new GuardError('confirmation', 'Nothing was sent.', {
      hint: 'Rehearse with --sandbox, look first with --dry-run --diff, or choose another profile with --profile.',
    });
  }
  agree(journal, service, eventId, clock.now());
}

/**
 * Asks before values are sent over others that nobody can see, or of which this machine does not know who has written
 * them, as on a new machine. `loss` is what updates may do that nobody can see. Throws a GuardError without a yes.
 */
export async function confirmUnknown(
  plan: RunPlan,
  { winner }: Pick<PushOptions, 'winner'>,
  { confirm, loss }: Pick<PushContext, 'confirm'> & { loss: string | undefined },
): Promise<void> {
  for (const { about, question, hint } of questionsOf(plan, winner)) {
    const text = `${about}. ${loss === undefined ? '' : `${loss} `}${question}`;
    if (!(await confirm(visible(text)))) throw new GuardError('confirmation', 'Nothing was sent.', { hint });
  }
}

/** Says in a dry run what a push would ask. */
export function tellUnknown(
  plan: RunPlan,
  { winner }: Pick<PushOptions, 'winner'>,
  { reporter }: Pick<PushContext, 'reporter'>,
): void {
  for (const { about, hint } of questionsOf(plan, winner))
    reporter.report({ type: 'warning', text: `${about}: a push asks first. ${hint}` });
}

function* questionsOf({ rows, reading, unlisted }: RunPlan, winner: Winner) {
  const why = unlisted ?? (reading?.fieldsShown === false ? NO_VALUES : undefined);
  const blind = rows.filter(({ state, decision }) => state === 'pending' && decision.action === 'unknown');
  if (why !== undefined && blind.length > 0) {
    const question = `Send ${plural(blind.length, 'row', 'rows')} all the same?`;
    yield { about: `${why}, ${BLIND}`, question, hint: '--dry-run --diff shows them.' };
  }
  const unbased = unbasedOf(rows);
  // Whoever has said that the file is right is not asked.
  if (unbased.values > 0 && winner === 'ask')
    yield { about: describeUnbased(unbased), question: 'Send the values of the file?', hint: UNBASED_HINT };
}

const NO_VALUES = 'The service does not show the values of its registrations';
const BLIND =
  'so nothing can be looked at: rows cannot be compared, and may overwrite or empty what is there, or be there twice';
const UNBASED_HINT =
  "--dry-run --diff shows them; --overwrite sends the file's values, --keep leaves those of the service.";
