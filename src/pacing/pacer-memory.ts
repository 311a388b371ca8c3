import { freshState, type PacerState, pacerState } from './pacer-state.ts';

/** What `Pacer.toJSON` gave, perhaps read from a disk. Undefined when it is anything else. */
export function readMemory(json: unknown): PacerState | undefined {
  const { success, data } = pacerState.safeParse(json);
  if (!success) return undefined;
  return [data, data.beside].every((limit) => limit === undefined || canBe(limit)) ? data : undefined;
}

function canBe({ underWay, sendings, sentCount, lastSentMs, newsMs }: PacerState): boolean {
  // One whose answer came late counts from shortly before the answer.
  const newestMs = Math.max(lastSentMs, newsMs);
  return underWay.every(({ ticket }) => ticket <= sentCount) && sendings.every(([ms]) => ms <= newestMs);
}

/** What is known of a service that began at `now`, in milliseconds since 1970: nothing of its window is a guess. */
export function toldBudget(told: { limit: number; windowMs: number }, now: number): PacerState {
  const fresh = freshState();
  return { ...fresh, ...told, isSure: true, confirmedMs: now, began: { ...fresh.began, afterMs: now } };
}
