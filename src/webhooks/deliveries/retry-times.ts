import type { Delivery } from './received-store.ts';

/** When one message was delivered: `afterMs` since its first attempt. */
export interface RetryTimes {
  /** Number of the first attempt. */
  no: number;
  afterMs: readonly number[];
}

/** The attempts of the message that was delivered most often; undefined when each came once. */
export function retryTimes(deliveries: readonly Delivery[]): RetryTimes | undefined {
  const messages = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const key = delivery.messageId ?? delivery.digest;
    messages.set(key, [...(messages.get(key) ?? []), delivery]);
  }
  const [most = []] = [...messages.values()].sort((one, other) => other.length - one.length);
  const [first] = most;
  if (first === undefined || most.length < 2) return undefined;
  return { no: first.no, afterMs: most.map(({ atMs }) => atMs - first.atMs) };
}
