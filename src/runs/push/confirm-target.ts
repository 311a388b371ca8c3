import { GuardError } from '../../errors.ts';
import { plural } from '../../report/words/number.ts';
import { describeLive } from '../../report/words/service-name.ts';
import { countRows } from '../journal/queued-rows.ts';
import type { Journal } from '../journal/journal.ts';
import type { LiveTarget } from '../journal/work-context.ts';
import type { Target } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';

/**
 * Names where a push goes that is not the embedded sandbox, before it sends. The first one to an event from this machine
 * is asked about where somebody can be asked. Throws GuardError for a no.
 */
export async function confirmTarget(context: SendContext, live: LiveTarget | undefined): Promise<void> {
  const { journal, run, target, reporter, clock } = context;
  const sends = countRows(journal, run).pending;
  const deletions = countRows(journal, run, 'delete').pending;
  if (live === undefined || sends + deletions === 0) return;
  const where = describeLive(target.eventName, live);
  const what = deletions === 0 ? '' : `, deleting ${plural(deletions, 'other', 'others')}`;
  const text = `Sending ${plural(sends, 'registration', 'registrations')} to ${where}${what}.`;
  reporter.report({ type: 'note', text });
  if (isKnown(journal, target)) return;
  if (!(await live.ask(`This is the first push to ${where} from this machine. Send?`))) {
    throw new GuardError('Nothing was sent.', {
      hint: 'Rehearse with --sandbox, look first with --dry-run --diff, or choose another profile with --profile.',
    });
  }
  remember(journal, target, clock.now());
}

const nameOf = ({ eventId }: Target): string => `pushed to event ${eventId}`;

/** For ever: unlike what is learnt of a service, a yes does not grow old. */
function isKnown(journal: Journal, target: Target): boolean {
  const values = { $service: target.service, $name: nameOf(target) };
  return journal.get('SELECT 1 FROM learned WHERE service = $service AND name = $name', values) !== undefined;
}

function remember(journal: Journal, target: Target, now: number): void {
  journal.run(
    `INSERT OR REPLACE INTO learned (service, name, value, at) VALUES ($service, $name, 'yes', $at)`,
    { $service: target.service, $name: nameOf(target), $at: now },
  );
}
