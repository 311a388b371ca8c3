import { GuardError } from '../../errors.ts';
import { describeUnbased, type Unbased } from '../compare/plan-remarks.ts';
import type { PushContext, PushOptions } from './push-options.ts';

type Wish = Pick<PushOptions, 'plan'>;

/**
 * Asks before values are sent over others of which this machine does not know who has written them, as on a new
 * machine. Throws a GuardError without a yes.
 */
export async function confirmUnbased(
  unbased: Unbased,
  options: Wish,
  { confirm }: Pick<PushContext, 'confirm'>,
): Promise<void> {
  if (!isOpen(unbased, options)) return;
  if (await confirm(`${describeUnbased(unbased)}. Send the values of the file?`)) return;
  throw new GuardError('Nothing was sent.', { hint: HINT });
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
