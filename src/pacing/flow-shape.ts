import { countedBy } from './credit.ts';
import type { Learnt, UnderWay } from './pacer-state.ts';
import { usualNear } from './usual-windows.ts';

/** Of what an answer says the mirrored bucket is off by, so much is corrected: a single answer may come late. */
const CORRECTED = 1 / 4;

/** What a bucket holds follows its rate; what answers say corrects that. */
export function mirror(state: Learnt, request: UnderWay, remaining: number): void {
  const seen = remaining + countedBy(state, request);
  const expected = predicted(state, request);
  state.granted = expected + (seen - expected) * CORRECTED;
  measureRate(state, request.sentMs, seen, remaining);
  state.noRefillMs = Math.max(state.noRefillMs, request.sentMs);
}

/** What will have been granted if the bucket fills as it did. */
export function predicted({ granted, limit, windowMs, toldMs }: Learnt, { sentMs }: UnderWay): number {
  return granted + (Math.max(0, sentMs - toldMs) * limit) / windowMs;
}

/** The rate is what was granted since an earlier answer; a nearly full bucket takes hardly more and tells nothing. */
function measureRate(state: Learnt, atMs: number, granted: number, remaining: number): void {
  const { anchor, limit, roundTripMs } = state;
  if (anchor === undefined || remaining > 0.75 * limit) {
    state.anchor = { atMs, granted };
    return;
  }
  const back = granted - anchor.granted;
  const tookMs = atMs - anchor.atMs;
  if (back < Math.min(8, limit) || tookMs < 8 * roundTripMs) return;
  const measuredMs = (tookMs * limit) / back;
  const error = 2.5 / back;
  // Within the error there is no reason to change what was found.
  if (Math.abs(measuredMs / state.windowMs - 1) > error) state.windowMs = usualNear(measuredMs, error);
  state.confirmedMs = atMs;
  // So that a rate that changes is noticed.
  if (back >= 4 * limit) state.anchor = { atMs, granted };
}
