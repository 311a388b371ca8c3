import { imageOf } from '../../registration/model/registration.ts';
import type { ComparedRow } from '../journal/run-rows.ts';
import type { PlanDecision } from '../judge/plan-decision.ts';
import type { SendContext } from '../journal/send-context.ts';
import { sentFacts } from './sent-now.ts';
import { cannotSendBack, whyNotSent } from '../judge/what-is-sent.ts';

/** An update that may lose something of its registration that cannot be given back is a conflict. */
export function refuseLoss(
  context: Pick<SendContext, 'journal' | 'target' | 'event' | 'clock'>,
  { registration, remoteId }: ComparedRow,
  decision: PlanDecision,
): PlanDecision {
  const { action, record, ask } = decision;
  if (action !== 'update' || record === undefined) return decision;
  const row = {
    registration: ask ?? registration,
    before: imageOf(record),
    remoteId: remoteId ?? undefined,
  };
  const cannot = cannotSendBack(sentFacts(context, row));
  return cannot.length === 0 ? decision : { ...decision, action: 'conflict', why: whyNotSent(cannot) };
}
