/** What comparing a row with the service came to. */
export const PLAN_ACTIONS = [
  /** The service does not list it. */
  'create',
  /** The service lists it with other values. */
  'update',
  /** The service lists it as the row has it: nothing is sent. */
  'unchanged',
  /** The service lists it otherwise than the row has it, and only the service has changed: nothing is sent. */
  'kept',
  /** Sending it could destroy something that only people can judge: nothing is sent. */
  'conflict',
  /** The service does not show enough to compare: it is sent. */
  'unknown',
] as const;
export type PlanAction = (typeof PLAN_ACTIONS)[number];
