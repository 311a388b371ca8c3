/** Requests sent at about the same time: when the last of them went, in ms since 1970, and how many. */
export type Sent = [lastMs: number, count: number];

/** How many parts of a window are told apart. Rounding a time up by one of them delays its return by as much. */
export const PARTS = 256;
/** As many are kept, and one by one, however old or close together they are. */
const KEPT_APART = 64;
/** Of older ones the newest `KEPT_APART` are kept all the same: the window may turn out to be longer. */
const KEPT_WINDOWS = 1.25;

/** Our requests, oldest first, and one more; without those of so long ago that no window counts them any more. */
export function withSending(sendings: readonly Sent[], now: number, windowMs: number | undefined): Sent[] {
  const partMs = Math.max(1, (windowMs ?? now - (sendings[0]?.[0] ?? now)) / PARTS);
  const recent = sendings.length - KEPT_APART;
  const isKept = ([ms]: Sent, index: number): boolean =>
    index >= recent || windowMs === undefined || ms >= now - KEPT_WINDOWS * windowMs;
  const kept = sendings.slice(Math.max(0, sendings.findIndex(isKept)));
  const last = kept.at(-1);
  const isSamePart = last !== undefined && Math.floor(last[0] / partMs) === Math.floor(now / partMs);
  if (!isSamePart || kept.length < KEPT_APART) kept.push([now, 1]);
  else kept[kept.length - 1] = [now, last[1] + 1];
  return kept;
}

/** The same with one of them counted from later on. Of several that went together none is moved. */
export function withLater(sendings: readonly Sent[], atMs: number, laterMs: number): Sent[] {
  const index = sendings.findLastIndex(([ms, count]) => ms === atMs && count === 1);
  return index < 0 ? [...sendings] : sendings.with(index, [laterMs, 1]);
}

/** The same without one that went at a time. */
export function without(sendings: readonly Sent[], atMs: number): Sent[] {
  const index = sendings.findIndex(([ms]) => ms >= atMs);
  return sendings.flatMap(([ms, count], at): Sent[] => {
    if (at !== index) return [[ms, count]];
    return count > 1 ? [[ms, count - 1]] : [];
  });
}

/** When the `nth` of our newest requests went; undefined when there are fewer. */
export function nthNewestMs(sendings: readonly Sent[], nth: number): number | undefined {
  let count = 0;
  return sendings.findLast((sent) => (count += sent[1]) >= nth)?.[0];
}

/** When the `nth` of those that went at `fromMs` or later and after `afterMs` went. */
export function nthOldestMs(
  sendings: readonly Sent[],
  nth: number,
  fromMs: number,
  afterMs: number,
): number | undefined {
  let count = 0;
  return sendings.find(([ms, n]) => ms >= fromMs && ms > afterMs && (count += n) >= nth)?.[0];
}

/** How many went after one time, and not after the other. */
export function countBetween(sendings: readonly Sent[], afterMs: number, untilMs: number): number {
  return sendings.reduce((count, [ms, n]) => (ms > afterMs && ms <= untilMs ? count + n : count), 0);
}
