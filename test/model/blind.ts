import type { ObservedPush } from './observe.ts';
import { tellsOfNotCompared, tellsOfNotLookedAt, tellsOfSentBefore } from './said.ts';

/**
 * Whether nobody could look at what is there, since the service shows too little, and that is said with how many. What
 * was done then is neither denied nor found.
 */
export function isToldBlind(observed: ObservedPush): boolean {
  return hidesRows(observed) && saysSo(observed);
}

/** Whether a row cannot be found again by its barcode, or not be compared. */
export function hidesRows({ switches: { recordBarcode, recordShape } }: ObservedPush): boolean {
  return recordBarcode === 'hidden' || recordShape === 'no-fields' || recordShape === 'no-values';
}

function saysSo(observed: ObservedPush): boolean {
  const { said, resumed } = observed;
  if (hidesRows(observed) && tellsOfNotCompared(said)) return true;
  return tellsOfNotLookedAt(said) || (resumed && tellsOfSentBefore(said));
}
