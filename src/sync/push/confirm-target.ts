import { GuardError } from '../../errors.ts';
import { describeLive } from '../../report/words/service-name.ts';
import type { Reporter } from '../../report/views/events.ts';
import { agree, isAgreed } from '../journal/learned.ts';
import type { PlannedRow } from '../plan/rows-to-plan.ts';
import { describeUnbased, type Unbased } from '../plan/plan-remarks.ts';
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

type Wish = Pick<PushOptions, 'plan'>;

/**
 * Asks before values are sent over others of which this machine does not know who has written them, as on a new
 * machine. Throws a GuardError without a yes.
 */
export async function confirmUnbased(
  unbased: Unbased,
  options: Wish,
  { confirm, loss }: Pick<PushContext, 'confirm'> & { loss: string | undefined },
): Promise<void> {
  if (!isOpen(unbased, options)) return;
  if (
    await confirm(
      `${describeUnbased(unbased)}. ${loss === undefined ? '' : `${loss} `}Send the values of the file?`,
    )
  )
    return;
  throw new GuardError('confirmation', 'Nothing was sent.', { hint: HINT });
}

/** Says in a dry run what a push would ask. */
export function tellUnbased(
  unbased: Unbased,
  options: Wish,
  { reporter }: Pick<PushContext, 'reporter'>,
): void {
  if (!isOpen(unbased, options)) return;
  reporter.report({ type: 'warning', text: `${describeUnbased(unbased)}: a push asks first. ${HINT}` });
}

const HINT =
  "--dry-run --diff shows them; --overwrite sends the file's values, --keep leaves those of the service.";

/** Whoever has said that the file is right is not asked. */
const isOpen = ({ values }: Unbased, { plan }: Wish): boolean => values > 0 && plan?.winner === 'ask';

/** Warns before rows are sent without comparing: nobody knows then what the registrations that are there would lose. */
export function warnOfEmptying(rows: readonly PlannedRow[], reporter: Reporter): void {
  if (!rows.some(({ state, row }) => state === 'pending' && row.barcode !== undefined)) return;
  const text =
    'Nothing is compared: where a registration is there already, the service may take away what the file does not have. Without --no-compare it is sent along, but for enable_comms.';
  reporter.report({ type: 'warning', text });
}
