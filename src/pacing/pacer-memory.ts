import * as z from 'zod';
import { freshState, type PacerState } from './pacer-state.ts';

/** Nothing that a pacer counts or times is larger: what is, would only turn into nonsense. */
const number = z.number().min(-1e15).max(1e15);
const count = number.int().min(0);
const duration = number.min(0);

const underWay = z.object({
  ticket: count,
  sentMs: number,
  settled: count,
  hoped: z.boolean(),
  alone: z.boolean(),
});

const memory = z.object({
  limit: number.positive().optional(),
  isGuessed: z.boolean(),
  contradictions: count,
  sentCount: count,
  granted: number.optional(),
  outdatedUpTo: count,
  lostCount: count,
  isScouted: z.boolean(),
  underWay: z.array(underWay).max(100_000),
  sendings: z.array(z.tuple([number, count])).max(10_000),
  lastSentMs: number,
  newsMs: number,
  toldRemaining: number,
  toldMs: number,
  noRefillMs: number,
  windowMs: number.positive().optional(),
  leastMs: duration,
  isSure: z.boolean(),
  confirmedMs: number.optional(),
  shape: z.enum(['window', 'log', 'flow']),
  began: z.object({ afterMs: number, atMs: number, byMs: number }),
  countedFromMs: number,
  roundTripMs: duration,
  shortestTripMs: duration.optional(),
  jitterMs: duration,
  silentUntilMs: number,
  resetMs: number,
  refusals: count,
  earlyRefusals: count,
  laterMs: duration,
  calmWindows: count,
  trickle: z
    .object({ sinceMs: number, firstMs: number, firstBack: number, back: number, isAsDue: z.boolean() })
    .optional(),
  unexplained: duration,
  anchor: z.object({ atMs: number, granted: number }).optional(),
  cushion: duration,
  othersTook: duration,
  othersDemand: duration,
  othersPerWindow: duration,
});

/** What `Pacer.toJSON` gave, perhaps read from a disk. Undefined when it is anything else. */
export function readMemory(json: unknown): PacerState | undefined {
  const { success, data } = memory.safeParse(json);
  if (!success || data.underWay.some(({ ticket }) => ticket > data.sentCount)) return undefined;
  // One whose answer came late counts from shortly before the answer.
  const newestMs = Math.max(data.lastSentMs, data.newsMs);
  if (data.sendings.some(([lastMs]) => lastMs > newestMs)) return undefined;
  return { ...freshState(), ...data };
}
