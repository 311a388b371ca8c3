import { KEY_WORDS, type PersonKey } from '../judge/near.ts';
import type { SendContext } from '../journal/send-context.ts';
import { setAside } from './set-aside.ts';

/** Pending rows that a service might take for a registration which they share a key with, but for one. */
const LIKE = `run = $run AND op = 'send' AND state = 'pending' AND plan = 'create' AND near IS NOT NULL
  AND EXISTS (SELECT 1 FROM json_each(near) WHERE value ->> 'key' IN ($key, $also)) AND seq <> $but`;

/** Takes the rows out of what is sent that would change a registration instead of adding one. Returns how many. */
export function withholdCreates(context: SendContext, key: PersonKey, but: number): number {
  const why = `not sent: this service knows people by ${KEY_WORDS[key]}, so that it would change a registration that is there`;
  return setAside(context, choose(key, but), { state: 'conflict', why });
}

/** Keeps such rows back until it is known what they would do. Returns how many. */
export function postponeCreates(context: SendContext, key: PersonKey, because: string): number {
  const why = `not sent yet: whether this service knows people by ${KEY_WORDS[key]} is not known, because ${because}`;
  return setAside(context, choose(key, -1), { state: 'blocked', why });
}

function choose(key: PersonKey, but: number): Parameters<typeof setAside>[1] {
  return { where: LIKE, values: { $key: key, $also: key === 'email-across' ? 'email' : key, $but: but } };
}
