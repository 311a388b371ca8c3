import { visible } from '../../report/words/escape.ts';

/** The one that is documented. */
const DOCUMENTED = 'registration.updated';
/** What the sandbox fires besides, where it is told to. */
const BY_SWITCH = ['registration.created', 'registration.deleted'];

/** What there is to say of triggers that may never fire; undefined: nothing. */
export function noteTriggers(triggers: readonly string[], sandbox: boolean | string): string | undefined {
  const others = triggers.filter((trigger) => trigger !== DOCUMENTED);
  if (others.length === 0) return undefined;
  const which = visible(others.join(', '));
  if (sandbox === false) {
    return `${DOCUMENTED} is the one trigger that is documented: whether the service fires ${which} is not known.`;
  }
  const byRequests = 'for requests to `eventreg sandbox --set webhookEvents=all`';
  if (others.every((trigger) => BY_SWITCH.includes(trigger))) {
    return `The sandbox fires ${which} only ${byRequests}.`;
  }
  return `The sandbox never fires ${which}: it knows ${DOCUMENTED}, and ${byRequests} ${BY_SWITCH.join(', ')}.`;
}
