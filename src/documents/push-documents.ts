import * as z from 'zod';
import {
  count,
  flag,
  id,
  maybeCount,
  maybeId,
  maybeText,
  maybeValue,
  mendedCell,
  place,
  problem,
  type Told,
  text,
  time,
  whose,
} from './document-parts.ts';

const fieldCounts = z.array(z.strictObject({ field: text, rows: count }));

const audit = z.strictObject({
  checked: count,
  missing: count,
  doubled: count,
  different: fieldCounts,
  not_accepted: count,
  changed: fieldCounts,
  own_way: fieldCounts,
  unapplied: count,
  gone: count,
  orphaned: count,
  unexpected: z.strictObject({ count, ids: z.array(text) }),
  unverified: count,
  skipped: maybeText,
});

/** What would become of which registration. */
export const planEntryHead = {
  action: z.enum(['create', 'update', 'unchanged', 'kept', 'conflict', 'unknown', 'delete', 'uncertain']),
  place: maybeText,
  ...place,
  ...whose,
};
/** Values of persons are masked unless `--show-values`. */
export const planChange = z.strictObject({
  field: text,
  before: maybeValue,
  after: maybeValue,
  left: maybeText,
});

const planEntry = z.strictObject({
  ...planEntryHead,
  changes: z.array(planChange),
  why: maybeText,
  /** With `--only`: the run that sent it last from this machine, and every value as each side has it. */
  last_sent: z.strictObject({ run: text, at: time }).nullable().optional(),
  values: z
    .array(z.strictObject({ field: text, file: maybeValue, last_sent: maybeValue, service: maybeValue }))
    .optional(),
});

export type PlanEntry = Told<z.infer<typeof planEntry>>;

const note = z.strictObject({ place: text, ...mendedCell.shape });

/** A registration as `list` has it, and as push takes it. */
const registration = z.looseObject({
  registration_id: id.optional(),
  persona: z.unknown().optional(),
  barcode: z.unknown().optional(),
  parent_barcode: z.unknown().optional(),
  enable_comms: flag.optional(),
  fields: z.looseObject({}).optional(),
});

/** What push, delete and undo print, and list. */
export const PUSH_DOCUMENTS = {
  'push@1': {
    /** With `--diff`: all that would change; null where nothing was planned. */
    plan: z.array(planEntry).nullable().optional(),
    run: maybeText,
    state: z.enum(['planned', 'refused', 'finished', 'interrupted', 'stopped']),
    event: text,
    host: maybeText,
    profile: maybeText,
    sent: count,
    created: count,
    updated: count,
    not_proven_new: count,
    not_looked_at: count,
    unchanged: z.int(),
    kept: count,
    not_rechecked: count,
    /** People of an earlier version of the list who are not in it any more, and stay in the service. */
    no_longer_in_file: z.array(z.strictObject({ registration_id: maybeId, barcode: maybeText, name: text })),
    /** Rows of people who stand twice, and of whom another row is sent. */
    left_out: z.array(z.strictObject({ place: text, kept: text })),
    /** Rows that are left out by the value of a column, as was said. */
    left_out_by: z.array(z.strictObject({ column: text, value: text, rows: count })),
    values_kept: count,
    values_in_conflict: count,
    values_not_accepted: count,
    rejected: count,
    /** Of them those that were rejected for the same at the last push of the list. */
    rejected_before: count,
    failed: count,
    conflict: count,
    uncertain: count,
    blocked: count,
    postponed: count,
    pending: count,
    communications: count,
    takes_back_messages: count,
    duration_ms: z.number(),
    /** At most those of 1,000 rows; `runs show` has all. */
    problems: z.array(problem),
    mended: count,
    notes: z.array(note),
    to_create: maybeCount,
    to_update: maybeCount,
    to_delete: maybeCount,
    deleted: count,
    deletions_left: maybeCount,
    audit: audit.nullable(),
    requests_left: count,
    expected_ms: z.number().nullable(),
    rate_limit: z.number().nullable(),
    rate_window_ms: z.number().nullable(),
    budget_left: z.number().nullable(),
  },
  /** What `eventreg delete` does, or would do. */
  'delete@1': {
    /** What was asked of the service, row by row. */
    results: z
      .array(
        z.strictObject({
          registration_id: maybeId,
          barcode: maybeText,
          result: z.enum(['deleted', 'absent', 'uncertain', 'failed']),
          message: text,
        }),
      )
      .optional(),
    /** With `--dry-run`: the registrations that would be deleted, as the backup would have them. */
    registrations: z.array(z.looseObject({})).optional(),
    run: maybeText,
    state: z.enum(['planned', 'finished', 'stopped', 'interrupted']),
    deleted: count,
    left: count,
    uncertain: count,
    deleted_before: count,
    absent: count,
    backup: maybeText,
    /** Why a real run would refuse. */
    too_many: maybeText,
    problems: z.array(problem),
  },
  'runs-undo@1': {
    /** The run that took back, the last of them where several were taken back; null with `--dry-run`. */
    run: maybeText,
    results: z.array(
      z.strictObject({
        result: z.enum(['deleted', 'restored', 'delete', 'restore', 'settled', 'kept', 'uncertain', 'open']),
        place: maybeText,
        ...whose,
        why: text,
      }),
    ),
    /** One for each run that is undone. */
    undone: z.array(
      z.strictObject({
        /** The run that is taken back, and the one that does it. */
        undoes: text,
        run: maybeText,
        state: z.enum(['planned', 'nothing', 'finished', 'stopped', 'interrupted']),
        deleted: count,
        restored: count,
        settled: count,
        kept: count,
        uncertain: count,
        open: count,
        too_many: maybeText,
        problems: z.array(problem),
      }),
    ),
  },
  'list@1': {
    /** With `--raw`, each as the service sent it. */
    registrations: z.array(z.union([registration, z.looseObject({})])),
  },
};
