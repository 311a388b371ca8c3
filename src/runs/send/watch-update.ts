import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import {
  judgeLastLook,
  judgeTrial,
  type TrialFacts,
  type TrialVerdict,
  type UnsentFates,
} from '../../sync/decide/judge-trial.ts';
import { readNow } from '../../sync/snapshot/read-now.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { learn, readUnsentRules } from '../../sync/journal/learned.ts';
import { COMMS_THING, describeThings } from '../../sync/decide/unsent-things.ts';

/** Between the first two looks; each further wait is twice as long. */
const FIRST_WAIT_MS = 1000;

/** What an update has shown, and what the service lists under its barcode since. */
interface Watched {
  verdict: TrialVerdict;
  found: readonly RegistrationRecord[];
}

/**
 * Reads an update back, again and again until something is seen that will do, or until nothing can be listed late
 * any more. Throws what reading throws, and the reason when the run is interrupted.
 */
export async function watchUpdate(
  context: SendContext,
  { registration, before, outcome }: Omit<TrialFacts, 'found' | 'fields'>,
  { untilMs, isEnough }: { untilMs: number; isEnough: (watched: Watched) => boolean },
): Promise<Watched> {
  const { clock, event, stopping } = context;
  const own = { barcode: registration.barcode ?? '', id: before.id };
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
    const found = await readNow(context, own);
    const parentsShown = context.before?.parentsShown ?? true;
    const facts = { registration, before, outcome, found, fields: fieldsOf(event), parentsShown };
    const watched = { verdict: judgeTrial(facts), found };
    if (isEnough(watched)) return watched;
    const leftMs = untilMs - clock.now();
    if (leftMs <= 0) return { verdict: judgeLastLook(facts), found };
    await clock.sleep(Math.min(waitMs, leftMs), stopping);
  }
}

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
