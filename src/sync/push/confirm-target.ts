import { GuardError } from '../../errors.ts';
import { describeLive } from '../../report/words/service-name.ts';
import { countRows } from '../journal/queued-rows.ts';
import type { Journal } from '../journal/journal.ts';
import type { LiveTarget, SendContext } from '../journal/send-context.ts';
import type { Target } from '../journal/runs.ts';
import { describeUnbased, type Unbased } from '../plan/plan-remarks.ts';
import type { PushContext, PushOptions } from './push-options.ts';

/**
 * Asks about the first push to an event from this machine that is not at the embedded sandbox, where somebody can be
 * asked. `loss` is what updates may do that nobody can see. Throws GuardError for a no.
 */
export async function confirmTarget(
  context: SendContext,
  live: LiveTarget | undefined,
  loss?: string,
): Promise<void> {
  const { journal, run, target, clock } = context;
  const sends = countRows(journal, run).pending;
  const deletions = countRows(journal, run, 'delete').pending;
  if (live === undefined || sends + deletions === 0) return;
  if (isKnown(journal, target)) return;
  const where = describeLive(target.eventName, live);
  if (
    !(await live.ask(
      `This is the first push to ${where} from this machine. ${loss === undefined ? '' : `${loss} `}Send?`,
    ))
  ) {
    throw new GuardError('confirmation', 'Nothing was sent.', {
      hint: 'Rehearse with --sandbox, look first with --dry-run --diff, or choose another profile with --profile.',
    });
  }
  remember(journal, target, clock.now());
}

const nameOf = ({ eventId }: Target): string => `pushed to event ${eventId}`;

/** For ever: unlike what is learnt of a service, a yes does not grow old. */
function isKnown(journal: Journal, target: Target): boolean {
  const values = { service: target.service, name: nameOf(target) };
  return journal.has('FROM learned WHERE service = $service AND name = $name', values);
}

function remember(journal: Journal, target: Target, now: number): void {
  journal.run(
    `INSERT OR REPLACE INTO learned (service, name, value, at) VALUES ($service, $name, 'yes', $at)`,
    { service: target.service, name: nameOf(target), at: now },
  );
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
export function warnOfEmptying({ journal, run, reporter }: SendContext): void {
  const mayUpdate = journal.has(
    `FROM row WHERE run = $run AND op = 'send' AND state = 'pending' AND barcode IS NOT NULL`,
    { run },
  );
  if (!mayUpdate) return;
  const text =
    'Nothing is compared: where a registration is there already, the service may take away what the file does not have. Without --no-compare it is sent along, but for enable_comms.';
  reporter.report({ type: 'warning', text });
}
