import { SteadyTime } from '../../../src/pacing/steady-time.ts';
import { type Client, startOf, type World } from './world.ts';

/** The client on a machine whose clock is set while it works, told the time as a ledger tells it. */
export function stepped(client: Client, { clockSteps = [], ...world }: Omit<World, 'client'>): Client {
  if (clockSteps.length === 0) return client;
  let nowMs = startOf(world);
  const time = new SteadyTime(() => nowMs - startOf(world));
  const at = (ms: number): number => {
    nowMs = ms;
    const set = clockSteps.filter(({ atMs }) => startOf(world) + atMs <= ms);
    return time.at(ms + set.reduce((sum, { byMs }) => sum + byMs, 0));
  };
  return {
    delayMs: (now, leave, wanted) => client.delayMs(at(now), leave, wanted),
    sent: (now) => client.sent(at(now)),
    answered: (ticket, now, answer) => client.answered(ticket, at(now), answer),
    lost: (ticket, now) => client.lost(ticket, at(now)),
    budget: (now) => client.budget?.(at(now)) as NonNullable<ReturnType<NonNullable<Client['budget']>>>,
  };
}
