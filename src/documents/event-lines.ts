import * as z from 'zod';
import {
  count,
  type LineOf,
  lineSchema,
  maybeCount,
  maybeId,
  maybeText,
  maybeTime,
  place,
  text,
  time,
} from './document-parts.ts';

const budget = z
  .strictObject({
    limit: z.number().nullable(),
    remaining: z.number().nullable(),
    window_ms: z.number().nullable(),
    refills_at: maybeTime,
  })
  .nullable();

const cell = { file: text, sheet: maybeText, line: z.int(), column: maybeText, field: maybeText };

/** Every line has them; `run` is null until there is one. */
const head = { time, run: maybeText };

/** What a line of `--events` may be, by its type; no values of persons, no bodies. */
const LINES = {
  /** The first. */
  version: { events: text, eventreg: text },
  surveying: { file: text, rows: count },
  reading: { file: text, rows: count },
  checking: { what: text, done: count, total: count },
  sending: { total: count, sent: count, failed: count, uncertain: count, not_sent: count, budget },
  deleting: { done: count, total: count, budget },
  waiting: { until: time, why: z.enum(['budget', 'retry']), budget },
  expecting: { rows: count, requests: count, budget },
  note: { text },
  warning: { text },
  repaired: { ...cell, repair: text },
  /** One for each reason why a row is rejected, then `rejected`. */
  problem: { ...cell, code: text, message: text, remedy: maybeText },
  rejected: { rejected: count, rows: count, reasons: count },
  /** What has become of a row, or would: the last line of a row counts. */
  row: {
    ...place,
    op: z.enum(['send', 'delete']),
    plan: maybeText,
    state: text,
    barcode: maybeText,
    registration_id: maybeId,
    codes: z.array(text),
  },
  /** From now on `run` is this one. */
  run: {},
  /** An attempt, answered or not; `error` where it was not. */
  request: {
    method: text,
    path: text,
    status: z.int().nullable(),
    error: maybeText,
    duration_ms: count,
    request_id: text,
    budget_left: maybeCount,
  },
  /** The last. */
  end: { exit: z.int() },
};

/** A line, without its time and run. */
export type EventLine = LineOf<typeof LINES>;

/** The schema of one line. */
export const eventLineSchema = (): z.ZodType => lineSchema(LINES, head);
