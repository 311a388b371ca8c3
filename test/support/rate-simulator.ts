import type { Answer, Pacer } from '../../src/pacing/pacer.ts';

/** A limiter of the service, told when a request reaches it. Times in milliseconds. */
export interface Limiter {
  readonly limit: number;
  take(nowMs: number): { granted: boolean; remaining: number; retryAfterMs: number };
}

interface LimiterOptions {
  limit: number;
  windowMs: number;
}

/** Whole budgets at once. Windows begin with a request (first-request), or every `windowMs` from `alignedAtMs`. */
export function fixedWindow({
  limit,
  windowMs,
  alignedAtMs,
}: LimiterOptions & { alignedAtMs?: number }): Limiter {
  let startMs = Number.NEGATIVE_INFINITY;
  let used = 0;
  return {
    limit,
    take(nowMs) {
      if (nowMs >= startMs + windowMs) {
        const late =
          alignedAtMs === undefined ? 0 : (((nowMs - alignedAtMs) % windowMs) + windowMs) % windowMs;
        startMs = nowMs - late;
        used = 0;
      }
      const granted = used < limit;
      if (granted) used += 1;
      return { granted, remaining: limit - used, retryAfterMs: startMs + windowMs - nowMs };
    },
  };
}

/** Each granted request counts for `windowMs`, then comes back alone. */
export function slidingLog({ limit, windowMs }: LimiterOptions): Limiter {
  let log: number[] = [];
  return {
    limit,
    take(nowMs) {
      log = log.filter((at) => at > nowMs - windowMs);
      const granted = log.length < limit;
      if (granted) log.push(nowMs);
      return { granted, remaining: limit - log.length, retryAfterMs: (log[0] ?? nowMs) + windowMs - nowMs };
    },
  };
}

/** `limit` tokens at most, coming back evenly. */
export function tokenBucket({ limit, windowMs }: LimiterOptions): Limiter {
  let tokens = limit;
  let countedAt = 0;
  return {
    limit,
    take(nowMs) {
      tokens = Math.min(limit, tokens + ((nowMs - countedAt) * limit) / windowMs);
      countedAt = nowMs;
      const granted = tokens >= 1;
      if (granted) tokens -= 1;
      return { granted, remaining: Math.floor(tokens), retryAfterMs: ((1 - tokens) * windowMs) / limit };
    },
  };
}

export interface Simulation {
  pacer: Pacer;
  limiter: Limiter;
  /** How many requests must be granted before it ends. */
  requests: number;
  /** Round trip, and how much each half may be off: 0.2 is ± 20 %. */
  latencyMs: number;
  jitter?: number;
  /** How many requests would like to go at the same time. */
  workers?: number;
  /** Numbers in [0, 1). */
  random: () => number;
  /** Whether answers carry the rate headers; yes unless told otherwise. */
  headers?: boolean;
  /** Whether refusals carry Retry-After in whole seconds. */
  retryAfter?: boolean;
  /** Share of requests whose answer never comes; half of them do not even arrive. */
  lossy?: number;
}

/** A request as it went, in order of sending. */
export interface Sending {
  sentMs: number;
  /** When its answer, or the loss, was known. */
  doneMs: number;
  outcome: 'granted' | 'refused' | 'lost';
  /** Requests under way when it left, itself not counted. */
  underWayBefore: number;
  retryAfterMs: number | undefined;
}

export interface Simulated {
  sendings: readonly Sending[];
  refused: number;
  mostUnderWay: number;
  endMs: number;
  /** True when the pacer said "wait for an answer" while none was to come. */
  stalled: boolean;
}

/** Runs a push on virtual time, asking the pacer as the gate does: at the head of the queue, after every change. */
export function simulate(simulation: Simulation): Simulated {
  const { pacer, requests, workers = 32 } = simulation;
  const sendings: Sending[] = [];
  const events = createTimeline();
  const state = { underWay: 0, granted: 0, mostUnderWay: 0, stalled: false, nowMs: 0 };

  const send = (): void => {
    const ticket = pacer.sent(state.nowMs);
    const sending: Sending = {
      sentMs: state.nowMs,
      doneMs: Number.POSITIVE_INFINITY,
      outcome: 'lost',
      underWayBefore: state.underWay,
      retryAfterMs: undefined,
    };
    sendings.push(sending);
    state.underWay += 1;
    state.mostUnderWay = Math.max(state.mostUnderWay, state.underWay);
    travel(simulation, events, state.nowMs, sending, (nowMs, answer) => {
      sending.doneMs = nowMs;
      state.underWay -= 1;
      if (sending.outcome === 'granted') state.granted += 1;
      if (answer === undefined) pacer.lost(ticket, nowMs);
      else pacer.answered(ticket, nowMs, answer);
    });
  };

  while (state.granted < requests) {
    const wanted = requests - state.granted - state.underWay > 0 && state.underWay < workers;
    const delay = wanted ? pacer.delayMs(state.nowMs) : Number.POSITIVE_INFINITY;
    if (delay <= 0) {
      send();
      continue;
    }
    const next = events.nextMs();
    if (next === undefined && delay === Number.POSITIVE_INFINITY) {
      state.stalled = true;
      break;
    }
    state.nowMs = Math.min(next ?? Number.POSITIVE_INFINITY, state.nowMs + delay);
    if (next === state.nowMs) events.runNext();
  }
  const refused = sendings.filter(({ outcome }) => outcome === 'refused').length;
  return { sendings, refused, mostUnderWay: state.mostUnderWay, endMs: state.nowMs, stalled: state.stalled };
}

/** One request: out to the limiter, and its answer back. Losses are noticed after three round trips. */
function travel(
  { limiter, latencyMs, jitter = 0.2, random, headers = true, retryAfter = false, lossy = 0 }: Simulation,
  events: Timeline,
  sentMs: number,
  sending: Sending,
  done: (nowMs: number, answer: Answer | undefined) => void,
): void {
  const half = (): number => (latencyMs / 2) * (1 + jitter * (2 * random() - 1));
  const lost = random() < lossy;
  const arrives = !lost || random() < 0.5;
  events.at(sentMs + half(), (arrivedMs) => {
    const verdict = arrives ? limiter.take(arrivedMs) : undefined;
    if (lost || verdict === undefined) {
      events.at(sentMs + 3 * latencyMs, (nowMs) => done(nowMs, undefined));
      return;
    }
    sending.outcome = verdict.granted ? 'granted' : 'refused';
    if (retryAfter && !verdict.granted) {
      sending.retryAfterMs = Math.ceil(verdict.retryAfterMs / 1000) * 1000;
    }
    const answer: Answer = {
      refused: !verdict.granted,
      limit: headers ? limiter.limit : undefined,
      remaining: headers ? verdict.remaining : undefined,
      retryAfterMs: sending.retryAfterMs,
    };
    events.at(arrivedMs + half(), (nowMs) => done(nowMs, answer));
  });
}

interface Timeline {
  at(ms: number, run: (nowMs: number) => void): void;
  nextMs(): number | undefined;
  runNext(): void;
}

function createTimeline(): Timeline {
  const events: { ms: number; run: (nowMs: number) => void }[] = [];
  return {
    at(ms, run) {
      const later = events.findIndex((event) => event.ms > ms);
      events.splice(later === -1 ? events.length : later, 0, { ms, run });
    },
    nextMs: () => events[0]?.ms,
    runNext() {
      const event = events.shift();
      event?.run(event.ms);
    },
  };
}

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
