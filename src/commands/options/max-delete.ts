import * as z from 'zod';
import { type Allowance, parseAllowance } from '../../sync/decide/allowance.ts';

/** How many registrations may be deleted when nothing else is said. */
export const DEFAULT_MAX_DELETE: Allowance = { kind: 'number', value: 50, assumed: true };

/** `--max-delete`: a number of registrations, or a share of those that are there. */
export const maxDelete: z.ZodType<Allowance> = z.union(
  [
    z.custom<Allowance>((value) => typeof value === 'object' && value !== null && 'kind' in value),
    z.string().transform((text, context) => {
      const limit = parseAllowance(text);
      if (limit !== undefined) return limit;
      context.addIssue({ code: 'custom', message: 'no limit' });
      return z.NEVER;
    }),
  ],
  'takes a whole number or a share, for example 50 or 10%',
);
