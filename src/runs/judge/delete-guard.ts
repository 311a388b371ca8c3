import { formatCount, plural } from '../../report/words/number.ts';
import { type Allowance, allowed, formatAllowance } from './allowance.ts';

/** How many registrations a command may delete without being told a larger number. */
export type MaxDelete = Allowance;

/** Why so many must not be deleted, and what to do if they should be. */
export interface TooMany {
  /** A clause: `this would delete 60 of 80 registrations, more than --max-delete allows (50)`. */
  problem: string;
  hint: string;
}

/** Undefined when `count` registrations of the `there` may be deleted. `there` counts only for a share. */
export function checkMaxDelete(count: number, there: number, limit: MaxDelete): TooMany | undefined {
  const most = allowed(limit, there);
  if (count <= most) return undefined;
  const share = limit.kind === 'percent';
  const some = plural(count, 'registration', 'registrations');
  const which = share ? `${formatCount(count)} of ${plural(there, 'registration', 'registrations')}` : some;
  const given = share ? `${formatAllowance(limit)}, that is ${formatCount(most)}` : formatCount(most);
  return {
    problem: `this would delete ${which}, more than --max-delete allows (${given})`,
    hint: `If that is what you want, add --max-delete ${count}.`,
  };
}
