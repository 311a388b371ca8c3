import { readLearned } from './learned.ts';
import type { SendContext } from './send-context.ts';

/**
 * Warns before rows are sent without comparing to a service that is known to empty what is not sent: nobody
 * knows then what they would empty.
 */
export function warnOfEmptying({ journal, run, target, clock, reporter }: SendContext): void {
  if (readLearned(journal, target.service, 'unsent', clock.now())?.value !== 'replace') return;
  const row = journal.get(
    `SELECT 1 FROM row WHERE run = $run AND op = 'send' AND state = 'pending' AND barcode IS NOT NULL LIMIT 1`,
    { $run: run },
  );
  if (row === undefined) return;
  const text =
    'This service empties fields that are not sent: registrations that are there already lose what the file does not have. Without --no-compare, what they hold is sent along.';
  reporter.report({ type: 'warning', text });
}
