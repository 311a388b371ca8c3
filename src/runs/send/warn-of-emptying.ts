import { readUnsentRules } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';
import { COMMS_THING, describeThings } from '../judge/unsent-things.ts';

/**
 * Warns before rows are sent without comparing to a service that is known to take away what is not sent: nobody
 * knows then what they would take away.
 */
export function warnOfEmptying({ journal, run, target, clock, reporter }: SendContext): void {
  const rules = readUnsentRules(journal, target.service, clock.now());
  const reset = [...rules].flatMap(([name, rule]) => (rule === 'reset' ? [name] : []));
  if (reset.length === 0) return;
  const row = journal.get(
    `SELECT 1 FROM row WHERE run = $run AND op = 'send' AND state = 'pending' AND barcode IS NOT NULL LIMIT 1`,
    { $run: run },
  );
  if (row === undefined) return;
  const what = `This service takes away what an update leaves out (${describeThings(reset)})`;
  const loss = 'registrations that are there already lose it where the file does not have it.';
  const isAllMessages = reset.every((name) => name === COMMS_THING.name);
  const remedy = isAllMessages ? '' : ' Without --no-compare, it is sent along, but for enable_comms.';
  reporter.report({ type: 'warning', text: `${what}: ${loss}${remedy}` });
}
