import pThrottle from 'p-throttle';
import { type Rival, untilAccepted } from './rival.ts';

/** Told what the service does not say: limit and window. */
export const throttleTold: Rival = (ask, { limit, windowMs }) =>
  untilAccepted(pThrottle({ limit, interval: windowMs })(ask));
