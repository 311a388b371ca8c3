import { formatCount, plural } from '../../report/words/number.ts';

/** Why so many must not be deleted, and what to do if they should be. */
export interface TooMany {
  /** A clause: `this would delete 60 of 80 registrations, more than --max-delete allows (50)`. */
  problem: string;
  hint: string;
}

/** Undefined when `count` registrations of the `there` may be deleted. `there` counts only for a share. */
export function checkMaxDelete(count: number, there: number, limit: Allowance): TooMany | undefined {
  const most = allowed(limit, there);
  if (count <= most) return undefined;
  const share = limit.kind === 'percent';
  const some = plural(count, 'registration', 'registrations');
  const which = share ? `${formatCount(count)} of ${plural(there, 'registration', 'registrations')}` : some;
  const given = share ? `${formatAllowance(limit)}, that is ${formatCount(most)}` : formatCount(most);
  return {
    problem: `this would delete ${which}, more than --max-delete allows (${given})`,
    hint: hintFor(count),
  };
}

/** Registrations of one persona, and how many of them would be deleted. */
export interface Share {
  persona: string;
  going: number;
  there: number;
}

/** So few of a persona may go, however few there are. */
const FEW = 3;

/**
 * Where nobody has set a limit, a third of a persona is as many as may go: a list that was cut off names most of those
 * who stay as gone. It counts where a list or a persona says who goes, not where a person has named each.
 */
export function checkShares(shares: readonly Share[], { assumed }: Allowance, count: number): TooMany[] {
  if (assumed !== true) return [];
  return shares.flatMap(({ persona, going, there }) => {
    const third = Math.max(FEW, Math.floor(there / 3));
    if (going <= third) return [];
    const which = `${formatCount(going)} of ${plural(there, 'registration', 'registrations')} of ${persona}`;
    const most = third === FEW ? String(FEW) : `${formatCount(third)}, a third of them`;
    return [{ problem: `this would delete ${which}, more than ${most}`, hint: hintFor(count) }];
  });
}

/** How to say that so many are meant. */
export const hintFor = (count: number): string => `If that is what you want, add --max-delete ${count}.`;

/** A limit that a person sets, as a number or as a share of what is there. */
export type Allowance =
  /** `assumed`: nobody has set it. */
  { kind: 'number'; value: number; assumed?: true } | { kind: 'percent'; value: number; assumed?: never };

/** How many of `there` an allowance comes to; a share is rounded down. */
export const allowed = (allowance: Allowance, there: number): number =>
  allowance.kind === 'number' ? allowance.value : Math.floor((there * allowance.value) / 100);

/** `50` or `10%`, as it was given. */
export const formatAllowance = ({ kind, value }: Allowance): string =>
  kind === 'number' ? String(value) : `${value}%`;

/** Reads `50` or `10%` (up to 100%); undefined when it is neither. */
export function parseAllowance(text: string): Allowance | undefined {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  if (percent !== '%') return { kind: 'number', value };
  return value <= 100 ? { kind: 'percent', value } : undefined;
}
