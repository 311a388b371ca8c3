import { imageOf } from '../../registration/model/registration.ts';
import type { PlanDecision } from '../decide/plan-decision.ts';
import { whyNotSent } from '../decide/what-is-sent.ts';
import type { SendContext } from '../journal/send-context.ts';
import { whatIsSentNow } from '../journal/sent-facts.ts';
import type { ComparedRow } from './rows-to-plan.ts';

/** An update that may lose something of its registration that cannot be sent back is a conflict. */
export function refuseLoss(
  context: Pick<SendContext, 'journal' | 'target' | 'event' | 'clock'>,
  { registration }: ComparedRow,
  decision: PlanDecision,
): PlanDecision {
  const { action, record, ask } = decision;
  if (action !== 'update' || record === undefined) return decision;
  const row = { registration: ask ?? registration, before: imageOf(record), remoteId: record.id };
  const { cannot } = whatIsSentNow(context, row);
  return cannot.length === 0 ? decision : { ...decision, action: 'conflict', why: whyNotSent(cannot) };
}
