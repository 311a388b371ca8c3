import { type PacerState, pacerState } from './pacer-state.ts';

/** What `Pacer.toJSON` gave, perhaps read from a disk. Undefined when it is anything else. */
export function readMemory(json: unknown): PacerState | undefined {
  const { success, data } = pacerState.safeParse(json);
  if (!success || data.underWay.some(({ ticket }) => ticket > data.sentCount)) return undefined;
  // One whose answer came late counts from shortly before the answer.
  const newestMs = Math.max(data.lastSentMs, data.newsMs);
  return data.sendings.some(([lastMs]) => lastMs > newestMs) ? undefined : data;
}
