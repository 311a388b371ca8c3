import { type Answer, pageAnswer, refuse } from './answer.ts';
import type { Limiter, LimiterVerdict } from './limiter.ts';
import type { Switches } from './store/switches.ts';

/** What is looked at before any route. */
interface GateFacts {
  path: string;
  authorization: string | undefined;
  token: string;
  switches: Switches;
  /** Undefined when the limiter is off. */
  limiter: Limiter | undefined;
  nowMs: number;
}

/** Login pages first, as a proxy in front would; then the token, which costs nothing; then the budget. */
export function passGate(facts: GateFacts): { answer: Answer | undefined; remaining: number | undefined } {
  const login = loginAnswer(facts);
  if (login !== undefined) return { answer: login, remaining: undefined };
  const { limiter, nowMs, switches } = facts;
  if (!isAuthorised(facts)) {
    const refusal = refuse(switches, 401, 'Unauthenticated.');
    const answer = { ...refusal, headers: { ...refusal.headers, 'www-authenticate': 'Bearer' } };
    return { answer, remaining: limiter?.remaining(nowMs) };
  }
  const verdict = limiter?.take(nowMs);
  const refused = verdict !== undefined && !verdict.allowed;
  return {
    answer: refused ? pastLimitAnswer(verdict, switches, nowMs) : undefined,
    remaining: verdict?.remaining,
  };
}

function loginAnswer({ switches, path }: GateFacts): Answer | undefined {
  if (switches.event === 'redirect' && path !== '/login') {
    return { status: 302, headers: { location: '/login' }, body: '' };
  }
  if (switches.event === 'html' || switches.event === 'redirect') {
    return pageAnswer(200, 'Log in', 'Log in to go on.');
  }
  return undefined;
}

function isAuthorised({ authorization = '', token, switches }: GateFacts): boolean {
  return switches.auth === 'ok' && /^bearer +(.*)$/i.exec(authorization)?.[1] === token;
}

function pastLimitAnswer(verdict: LimiterVerdict, switches: Switches, nowMs: number): Answer {
  const status = switches.pastLimit === '503-retry-after' ? 503 : 429;
  const refusal = refuse(switches, status, 'Too many requests.');
  const retryAfter = retryAfterOf(switches.pastLimit, verdict.retryAfterMs, nowMs);
  if (retryAfter === undefined) return refusal;
  return { ...refusal, headers: { ...refusal.headers, 'retry-after': retryAfter } };
}

/** Whole seconds, rounded up: the header knows nothing finer. */
function retryAfterOf(
  pastLimit: Switches['pastLimit'],
  retryAfterMs: number,
  nowMs: number,
): string | undefined {
  if (pastLimit === '429') return undefined;
  if (pastLimit === '429-retry-after-date') {
    return new Date(Math.ceil((nowMs + retryAfterMs) / 1000) * 1000).toUTCString();
  }
  return String(Math.ceil(retryAfterMs / 1000));
}

const FIXED_HEADERS = {
  server: 'eventreg-sandbox',
  'cache-control': 'no-cache, private',
  'access-control-allow-credentials': 'true',
  'access-control-allow-methods': 'GET, PUT, POST, DELETE, PATCH, HEAD, OPTIONS',
  'access-control-allow-headers': 'Accept, Accept-Encoding, Authorization, Content-Type',
  'access-control-expose-headers': 'X-Ratelimit-Limit, X-Ratelimit-Remaining',
};

/** Headers that every answer carries, the budget among them where the switch lets it show. */
export function answerHeaders(
  { status, method }: { status: number; method: string },
  remaining: number | undefined,
  switches: Switches,
  nowMs: number,
): Record<string, string> {
  const { rateHeaders, limit } = switches;
  const isShown = remaining !== undefined && carriesRate(rateHeaders, { status, method });
  // The date is the sandbox's own time: a Retry-After date means nothing beside another clock.
  return {
    ...FIXED_HEADERS,
    date: new Date(nowMs).toUTCString(),
    ...(isShown && { 'x-ratelimit-remaining': String(remaining) }),
    ...(isShown && rateHeaders !== 'remaining-only' && { 'x-ratelimit-limit': String(limit) }),
  };
}

function carriesRate(
  rateHeaders: Switches['rateHeaders'],
  { status, method }: { status: number; method: string },
): boolean {
  if (rateHeaders === 'good-only') return status < 400;
  return rateHeaders === 'posts' ? method === 'POST' : rateHeaders !== 'never';
}
