/** A limit that a person sets, as a number or as a share of what is there. */
export type Allowance =
  /** `assumed`: nobody has set it. */
  { kind: 'number'; value: number; assumed?: true } | { kind: 'percent'; value: number; assumed?: never };

/** How many of `there` an allowance comes to; a share is rounded down. */
export function allowed(allowance: Allowance, there: number): number {
  return allowance.kind === 'number' ? allowance.value : Math.floor((there * allowance.value) / 100);
}

/** `50` or `10%`, as it was given. */
export function formatAllowance({ kind, value }: Allowance): string {
  return kind === 'number' ? String(value) : `${value}%`;
}

/** Reads `50` or `10%` (up to 100%); undefined when it is neither. */
export function parseAllowance(text: string): Allowance | undefined {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  if (percent !== '%') return { kind: 'number', value };
  return value <= 100 ? { kind: 'percent', value } : undefined;
}
