import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import { judgeLastLook, judgeTrial, type TrialFacts, type TrialVerdict } from '../judge/judge-trial.ts';
import { readNow } from '../listed/read-now.ts';
import type { SendContext } from '../journal/send-context.ts';

/** Between the first two looks; each further wait is twice as long. */
const FIRST_WAIT_MS = 1000;

/** What an update has shown, and what the service lists under its barcode since. */
interface Watched {
  verdict: TrialVerdict;
  found: readonly RecordImage[];
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
