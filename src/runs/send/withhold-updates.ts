import type { UpdateRule } from '../judge/judge-trial.ts';
import type { SendContext } from '../journal/send-context.ts';
import { UPDATES } from '../journal/queued-rows.ts';
import { setAside } from './set-aside.ts';

const HABITS: Readonly<Record<Exclude<UpdateRule, 'update'>, string>> = {
  double: 'this service adds a second registration when it is sent a barcode that it has already',
  refuse: 'this service refuses a barcode that it has already',
  ignore: 'the updates that were sent first have changed nothing in this service',
};

/**
 * Takes the updates of a run out of what is sent, because the service would not update. `seen` says where that
 * was seen. Returns how many.
 */
export function withholdUpdates(
  context: SendContext,
  rule: Exclude<UpdateRule, 'update'>,
  seen: string,
): number {
  const why = `not sent: ${HABITS[rule]} (${seen})${wayOut(rule)}`;
  return setAside(context, { where: UPDATES }, { state: 'conflict', why });
}

/** What changed nothing may be what the service will not store: then a change of something else shows that it updates. */
const wayOut = (rule: UpdateRule): string =>
  rule === 'ignore'
    ? '; leave these columns out if it does not store them, or change another field too: that is tried first'
    : '';

/** Keeps the updates of a run back until it is known what they would do. Returns how many. */
export function postponeUpdates(context: SendContext, because: string): number {
  const unknown = 'not sent yet: what this service does with a barcode that it has already is not known';
  return setAside(context, { where: UPDATES }, { state: 'blocked', why: `${unknown}, because ${because}` });
}
