import { TO_SEND } from '../../registration/model/row-states.ts';
import { claimForDryRun } from './claim-run.ts';
import { countNoLonger } from '../plan/count-no-longer.ts';
import { countTakenBack } from '../plan/count-plan.ts';
import { makePlan } from './make-plan.ts';
import { type Begun, type PushContext, type PushOptions, tellsOfNoLonger } from './push-options.ts';
import { type RequestsAhead, requestsAhead } from '../perform/requests-ahead.ts';
import { type PushSummary, summarise } from '../tell/summary.ts';
import { tellUnbased, warnOfEmptying } from './confirm-target.ts';

/**
 * What a push would do. The freshly read rows are planned as the real run would plan them; nothing else
 * in the journal is touched, and nothing is sent.
 */
export async function dryRun(
  read: string,
  { refused, ...begun }: Begun & { refused: boolean },
  options: PushOptions,
  context: PushContext,
): Promise<PushSummary> {
  const { journal, target } = context;
  let ahead: RequestsAhead | undefined;
  let noLonger = 0;
  // Nothing is compared, so that nobody is known to be new.
  if (refused || options.plan === undefined) journal.run('UPDATE row SET plan = NULL WHERE run = ?', [read]);
  if (!refused) {
    const claim = { read, fresh: options.fresh, compare: options.plan !== undefined };
    journal.transaction(() => claimForDryRun(journal, target, claim));
    const planning = { ...context, ask: undefined };
    const { reading, unbased } = await makePlan({ ...context, run: read }, options, planning);
    tellUnbased(unbased, options, context);
    if (tellsOfNoLonger(options)) noLonger = countNoLonger({ ...context, run: read }, reading);
    const readings = (reading === undefined ? 0 : 1) + (options.audit ? 1 : 0);
    ahead = requestsAhead({ journal, run: read }, { reading, readings });
    if (options.plan === undefined) warnOfEmptying({ ...context, run: read });
  }
  const takesBackMessages = countTakenBack(context, read, TO_SEND);
  const facts = { rows: read, noLonger, requests: ahead?.requests, takesBackMessages, ...begun };
  return summarise({ ...facts, state: refused ? 'refused' : 'planned' }, context);
}
