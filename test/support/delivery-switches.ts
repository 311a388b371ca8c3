import type { Switches } from '../../src/sandbox/store/switches.ts';

/** Switches that nothing shows of where there is no webhook: test/sandbox/deliver has them. */
export const DELIVERY_SWITCHES: readonly (keyof Switches)[] = [
  'webhookEvents',
  'webhookPayload',
  'webhookSign',
  'webhookOrder',
  'webhookRetry',
  'webhookScale',
];
