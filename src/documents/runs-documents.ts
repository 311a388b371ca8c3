import * as z from 'zod';
import {
  count,
  difference,
  flag,
  id,
  maybeCount,
  maybeId,
  maybeText,
  maybeTime,
  maybeValue,
  mendedCell,
  place,
  reason,
  text,
  time,
  value,
  whose,
} from './document-parts.ts';

const chapter = z.strictObject({
  run: text,
  kind: text,
  run_state: text,
  started: time,
  files: z.array(text),
  event: text,
  service: text,
  place: maybeText,
  op: z.enum(['send', 'delete']),
  state: text,
  plan: maybeText,
  changes: z.array(
    z.strictObject({ field: text, before: maybeValue, after: maybeValue, verdict: maybeText }),
  ),
  message: maybeText,
  because: z.array(text),
  attempts: count,
  checked_at: maybeTime,
  stored_otherwise: z.array(z.strictObject({ field: text, sent: maybeValue, listed: maybeValue })),
  differences: z.array(difference),
  findings: z.array(text),
  mended: z.array(mendedCell),
  reasons: z.array(reason),
  steps: z.array(
    z.strictObject({
      at: time,
      step: text,
      attempt: maybeCount,
      status: z.int().nullable(),
      request_id: maybeText,
      detail: maybeText,
    }),
  ),
});

const persona = { id: id.nullable(), name: text };

const choice = z.strictObject({ value: text, label: text });

/** What the commands of runs and of an event print. */
export const RUNS_DOCUMENTS = {
  'runs@1': {
    runs: z.array(
      z.strictObject({
        run: text,
        kind: z.enum(['push', 'delete', 'undo']),
        started: time,
        ended: maybeTime,
        state: text,
        new: count,
        changed: count,
        sent: count,
        unchanged: count,
        kept: count,
        deleted: count,
        restored: count,
        left: count,
        rejected: count,
        failed: count,
        conflict: count,
        values_in_conflict: count,
        blocked: count,
        postponed: count,
        uncertain: count,
        open: count,
        files: text,
        event: text,
        undoes: maybeText,
        continued_by: maybeText,
        message: text,
        later: z.array(z.strictObject({ at: time, text })),
        /** Where it was, in words: an address, `the clone fair`, `the embedded sandbox`. */
        service: text,
        /** Who began it, where several machines share the state. */
        by: text.optional(),
      }),
    ),
  },
  'runs-show@1': {
    run: text,
    rows: z.array(
      z.strictObject({
        ...place,
        op: maybeText,
        plan: maybeText,
        state: text,
        ...whose,
        attempts: maybeCount,
        status: z.int().nullable(),
        sent_at: maybeTime,
        done_at: maybeTime,
        checked_at: maybeTime,
        message: maybeText,
        differences: z.array(difference),
        /** What else the audit has found of it. */
        findings: z.array(text),
        mended: z.array(mendedCell),
      }),
    ),
  },
  'runs-why@1': {
    stories: z.array(
      z.strictObject({
        place: maybeText,
        persona: maybeText,
        barcode: maybeText,
        parent_barcode: maybeText,
        registration_id: maybeId,
        now: text,
        next: text,
        asked_at: maybeTime,
        not_asked: maybeText,
        last_known_at: maybeTime,
        in_service: z
          .array(
            z.strictObject({
              registration_id: maybeId,
              edited: flag.nullable(),
              values: z.array(z.strictObject({ field: text, now: maybeValue, state: text, was: maybeValue })),
            }),
          )
          .nullable(),
        runs: z.array(chapter),
      }),
    ),
    /** Further registrations that are not told of. */
    not_shown: count,
  },
  'runs-bundle@1': {
    run: text,
    /** Null with `--print`. */
    file: maybeText,
    /** With `--print`, everything that would be in it. */
    parts: z.array(z.strictObject({ name: text, text })).nullable(),
  },
  'runs-decide@1': {
    run: text,
    place: text,
    barcode: maybeText,
    verdict: z.enum(['sent', 'not-sent']),
    /** All runs in which the row is settled now. */
    runs: z.array(text),
  },
  /** The files that were written. */
  'runs-report@1': { reports: z.array(z.strictObject({ run: text, format: text, file: text })) },
  'runs-purge@1': {
    /** How many runs are forgotten. */
    forgotten: count,
  },
  'event@1': {
    event_id: id,
    slug: text,
    name: text,
    timezone: maybeText,
    start_date: maybeText,
    end_date: maybeText,
    personas: z.array(
      z.strictObject({
        ...persona,
        slug: text,
        fields: z.array(
          z.strictObject({
            id: id.nullable(),
            slug: text,
            label: text,
            type: text,
            kind: text,
            choices: z.array(choice),
            multiple: flag,
            checked: flag,
          }),
        ),
      }),
    ),
  },
  'event-personas@1': {
    personas: z.array(z.strictObject({ ...persona, persona: text, fields: count })),
  },
  'event-fields@1': {
    fields: z.array(
      z.strictObject({
        slug: text,
        label: text,
        kind: text,
        type: text,
        choices: z.array(text),
        multiple: flag,
        checked: flag,
      }),
    ),
  },
  /** The JSON Schema of a registration of the persona. */
  'event-schema@1': { persona: text, json_schema: z.looseObject({}) },
  'event-template@1': {
    persona: text,
    /** Where the template is written, with `--to`; else it is `registrations`, which push takes. */
    file: maybeText,
    registrations: z
      .array(
        z.strictObject({
          persona: text,
          barcode: text,
          enable_comms: flag,
          fields: z.record(z.string(), value),
        }),
      )
      .nullable(),
  },
};
