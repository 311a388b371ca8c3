import * as z from 'zod';

/** What is larger would only turn into nonsense. */
const number = z.number().min(-1e15).max(1e15);

const member = z.object({
  id: z.string(),
  /** When it last gave a sign of life; the steady time of the budget. */
  seenAtMs: number,
  /** Whether it has a request that waits for its turn. */
  waiting: z.boolean(),
  /** Requests of each window that it keeps for other people. */
  leave: number,
  /** Requests it has had, by which turns go: only the differences between members mean anything. */
  taken: number,
  /** Its requests that are under way: its own number of each, the pacer's ticket, and when it went. */
  requests: z.array(z.object({ number, ticket: number, sentMs: number })),
});

/** A process that spends from the budget, as the others see it. */
export type Member = z.infer<typeof member>;

const sharing = z.object({
  /** Whether the service limits its requests; undefined until it has answered. */
  limited: z.boolean().optional(),
  members: z.array(member),
});

/** Who spends from a budget. */
type Sharing = z.infer<typeof sharing>;

/** What is no such thing is nobody. */
export function readSharing(json: unknown): Sharing {
  return sharing.safeParse(json).data ?? { limited: undefined, members: [] };
}

/** Without a sign for this long a process is dead or asleep. */
const SILENT_MS = 3000;
/** Turns change at least this often within a window. */
const TURNS_A_WINDOW = 30;

/** A lock held for life would not tell of a process that is stopped; and to be wrong about a death costs little. */
export function isSilent({ seenAtMs }: Member, at: number): boolean {
  return Math.abs(at - seenAtMs) > SILENT_MS;
}

/** Whoever has had less, waits, and could go as well, goes first; undefined when it is our turn. */
export function whoGoesFirst(
  me: Member,
  others: readonly Member[],
  { limit, mayGo }: { limit: number | undefined; mayGo: (leave: number) => boolean },
): Member | undefined {
  const lead = turnLength(limit);
  return others.find(
    ({ waiting, taken, leave }) => waiting && taken + lead <= me.taken && (leave <= me.leave || mayGo(leave)),
  );
}

/** What it counts as having had when it begins to wait: nobody saves up turns, but one it may be behind. */
export function takenAtStart(me: Member, others: readonly Member[], limit: number | undefined): number {
  const rivals = others.filter(({ waiting }) => waiting).map(({ taken }) => taken);
  return rivals.length === 0 ? me.taken : Math.max(me.taken, Math.min(...rivals) - turnLength(limit));
}

/** A turn is several requests where there are many: passing it on takes a few milliseconds. */
function turnLength(limit: number | undefined): number {
  return Math.max(1, Math.floor((limit ?? 0) / TURNS_A_WINDOW));
}
