import type { Setting } from './summary.ts';

const SECOND = 1000;

/** A setting with the name that its row has. */
export interface NamedSetting {
  name: string;
  setting: Setting;
}

type Limits = Pick<Setting, 'limit' | 'windowMs'>;

export const KINDS = [
  'aligned',
  'first-request',
  'sliding-log',
  'sliding-counter',
  'token-bucket',
  'gcra',
  'punishing',
] as const;

const LIMITS: readonly [name: string, limits: Limits][] = [
  ['30 / 60 s', { limit: 30, windowMs: 60 * SECOND }],
  ['30 / 2 s', { limit: 30, windowMs: 2 * SECOND }],
  ['300 / 10 s', { limit: 300, windowMs: 10 * SECOND }],
  ['5 / 1 s', { limit: 5, windowMs: SECOND }],
  ['1000 / 60 s', { limit: 1000, windowMs: 60 * SECOND }],
  ['10,000 / h', { limit: 10_000, windowMs: 3600 * SECOND }],
];

const LATENCIES_MS = [5, 20, 100, 300, 800];
const QUICK_LATENCIES_MS = [20, 300];

/** Every limit × kind × latency; a table a limit. */
export function allSettings(quick: boolean): { title: string; rows: NamedSetting[] }[] {
  const latencies = quick ? QUICK_LATENCIES_MS : LATENCIES_MS;
  return LIMITS.map(([title, limits]) => ({
    title,
    rows: KINDS.flatMap((kind) =>
      latencies.map((latencyMs) => ({
        name: `${kind}, ${latencyMs} ms`,
        setting: { kind, ...limits, latencyMs },
      })),
    ),
  }));
}

/** Where other clients are measured beside ours: as many workers as a script would have. */
export function sharedSettings(quick: boolean): NamedSetting[] {
  return LIMITS.slice(0, quick ? 2 : 3).flatMap(([title, limits]) =>
    KINDS.map((kind) => ({
      name: `${title}, ${kind}, beside others`,
      setting: { kind, ...limits, latencyMs: 100, workers: 8 },
    })),
  );
}

const LATENCY_MS = 100;
const WINDOW_MS = 60 * SECOND;
/** In the middle of a window, once everything is learnt. */
const CHANGE_MS = 4.5 * WINDOW_MS;

const SPECIALS: readonly [name: string, more: Partial<Setting>][] = [
  ['Retry-After', { retryAfter: true }],
  ['headers on good answers only', { headers: 'good-only' }],
  ['no headers', { headers: 'never' }],
  ['no headers, Retry-After', { headers: 'never', retryAfter: true }],
  ['another client at 10 %', { share: 0.1 }],
  ['another client at 30 %', { share: 0.3 }],
  ['another client at 60 %', { share: 0.6 }],
  ['leaving 3 of each window', { leave: 3 }],
  ['Remaining stale by 5 latencies', { staleMs: 5 * LATENCY_MS }],
  ['Remaining off by 2 at most', { blur: 2 }],
  ['limit 30, then 15', { changes: [{ atMs: CHANGE_MS, limit: 15 }] }],
  ['limit 30, then 60', { changes: [{ atMs: CHANGE_MS, limit: 60 }] }],
  ['window 60 s, then 120 s', { changes: [{ atMs: CHANGE_MS, windowMs: 2 * WINDOW_MS }] }],
  ['window 60 s, then 30 s', { changes: [{ atMs: CHANGE_MS, windowMs: WINDOW_MS / 2 }] }],
  ['Remaining stuck at 7', { changes: [{ atMs: CHANGE_MS, stuckAt: 7 }] }],
  ['Remaining stuck at 0', { changes: [{ atMs: CHANGE_MS, stuckAt: 0 }] }],
  ['headers vanish', { changes: [{ atMs: CHANGE_MS, headers: 'never' }] }],
  ['clock jumps 17 s ahead', { changes: [{ atMs: CHANGE_MS, clockJumpMs: 17 * SECOND }] }],
  ['clock jumps 17 s back', { changes: [{ atMs: CHANGE_MS, clockJumpMs: -17 * SECOND }] }],
  ['5 % of the answers lost', { lossy: 0.05 }],
  ['connecting takes 200 ms', { connectMs: 200 }],
];

/** What goes wrong, or is not as usual; a table each. */
export function specialSettings(): { title: string; rows: NamedSetting[] }[] {
  return SPECIALS.map(([title, more]) => ({
    title,
    rows: KINDS.map((kind) => ({
      name: kind,
      setting: { kind, limit: 30, windowMs: WINDOW_MS, latencyMs: LATENCY_MS, ...more },
    })),
  }));
}
