import * as z from 'zod';

const UNITS_MS = { h: 3_600_000, m: 60_000, s: 1_000 } as const;
const SPAN = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/;
const EXAMPLES = 'for example 90s, 15m, 2h or 1h30m';

/** A length of time on the command line, in milliseconds: `90s`, `15m`, `1h30m`, `0`. */
export const timeSpan: z.ZodType<number> = z.unknown().transform((value, context) => {
  // What an answer changes is parsed again: then it is a number already.
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value.replaceAll(/\s/g, '').toLowerCase() : '';
  if (text === '0') return 0;
  const parts = SPAN.exec(text);
  if (text !== '' && parts !== null) {
    const [, hours = 0, minutes = 0, seconds = 0] = parts;
    return Number(hours) * UNITS_MS.h + Number(minutes) * UNITS_MS.m + Number(seconds) * UNITS_MS.s;
  }
  const message = /^\d+$/.test(text)
    ? `${text} what? Add a unit, ${EXAMPLES}`
    : `takes hours, minutes and seconds, ${EXAMPLES}; 0 for no waiting at all`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});
