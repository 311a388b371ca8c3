import type { UnsentFates } from '../judge/judge-trial.ts';
import { learn, readUnsentRules } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';
import { COMMS_THING, describeThings } from '../judge/unsent-things.ts';

/** Notes what became of what an update has left out, each thing for itself, and tells what is taken away. */
export function learnFates(
  { journal, target, clock, reporter }: Pick<SendContext, 'journal' | 'target' | 'clock' | 'reporter'>,
  fates: UnsentFates,
): void {
  const now = clock.now();
  const known = readUnsentRules(journal, target.service, now);
  journal.transaction(() => {
    for (const [name, fate] of fates) {
      // What is another value now may have been changed by anybody.
      if (fate !== 'changed') learn(journal, target.service, `unsent:${name}`, fate, now);
    }
  });
  const lost = [...fates].flatMap(([name, fate]) =>
    fate === 'reset' && known.get(name) !== 'reset' && name !== COMMS_THING.name ? [name] : [],
  );
  if (lost.length === 0) return;
  const text = `The service takes away what an update leaves out: ${describeThings(lost)}. It is sent along.`;
  reporter.report({ type: 'note', text });
}
