import * as z from 'zod';
import { count, flag, id, maybeCount, maybeText, maybeTime, text, time } from './document-parts.ts';

export const login = {
  profile: text,
  base_url: text,
  integ_url: maybeText,
  /** `keychain`, or the file that holds it; never the token. */
  token: text,
};

export const logout = { profile: text, removed: flag };

const profile = {
  name: text,
  current: flag,
  base_url: maybeText,
  integ_url: maybeText,
  /** Where the token is; null where none is stored. */
  token: maybeText,
};

export const profiles = { profiles: z.array(z.strictObject(profile)) };

export const profilesShow = {
  ...profile,
  timeout_seconds: z.number().nullable(),
  settle_seconds: z.number().nullable(),
  refuses_503: flag.nullable(),
  registration_id: maybeText,
  fields: maybeText,
  endpoints: z.record(z.string(), z.string()),
};

export const profilesUse = { profile: text };
export const profilesRemove = { profile: text, had_token: flag };

export const doctor = {
  checks: z.array(
    z.strictObject({
      check: text,
      result: z.enum(['ok', 'warning', 'problem', 'skipped']),
      found: text,
      advice: maybeText,
    }),
  ),
};

/** The sandbox in the foreground: printed when it listens, so `exit` is null. Its token is good for it alone. */
export const sandbox = {
  url: text,
  base_url: text,
  integ_url: text,
  token: text,
  file: text,
  registrations: count,
  webhooks: count,
};

export const sandboxReset = { file: text };
export const sandboxSample = { file: text, guests: count };

const delivery = z.strictObject({
  number: count,
  /** The same over all attempts. */
  message_id: text,
  at: time,
  event: text,
  /** Of the registration that it tells of. */
  barcode: maybeText,
  webhook_id: count,
  /** Null when there is no such webhook any more. */
  url: maybeText,
  state: z.enum(['waiting', 'delivered', 'dead']),
  /** Why it is not delivered, or was not the last time. */
  why: maybeText,
  due_at: maybeTime,
  attempts: z.array(z.strictObject({ at: time, took_ms: count, status: maybeCount, error: maybeText })),
});

export const sandboxDeliveries = { deliveries: z.array(delivery) };
export const sandboxRedeliver = { delivery };

/** A copy of a live event. `behaviour` says what the copy does as the service was seen to do it, or as is assumed. */
export const sandboxClone = {
  behaviour: z.array(
    z.strictObject({
      switch: text,
      value: z.union([text, z.number()]),
      known: z.enum(['seen', 'assumed']),
      from: text,
    }),
  ),
  name: text,
  event_id: text,
  event: text,
  service: text,
  kept: z.enum(['none', 'masked', 'as-they-are']),
  registrations: count,
  /** Reads of the service; nothing else is sent to it. */
  requests: count,
  /** They are not copied. */
  webhooks: z.array(z.strictObject({ name: maybeText, url: maybeText, triggers: z.array(text) })),
};

export const sandboxClones = {
  clones: z.array(
    z.strictObject({
      name: text,
      event: text,
      service: text,
      kept: text,
      registrations: count,
      made_at: text,
    }),
  ),
};

export const sandboxMask = { file: text, rows: count, clone: text };

export const completion = { shell: text, script: text };

/** What else the service shows of it comes as it is, but for its secret. */
const webhook = z.looseObject({
  id: id.nullable(),
  name: maybeText,
  url: maybeText,
  triggers: z.array(text),
  active: flag.nullable(),
});

export const webhooks = { webhooks: z.array(webhook) };
/** Null where the service does not show it. */
export const webhookChanged = { webhook: webhook.nullable() };

export const webhooksVerify = {
  verdict: z.enum(['valid', 'valid but old', 'wrong', 'signed but no secret given', 'unsigned']),
  /** A name or a SPEC, as `--scheme` takes it; null where `auto` found none. */
  scheme: maybeText,
  why: text,
};

export const webhooksDelete = {
  results: z.array(z.strictObject({ id: text, result: z.enum(['deleted', 'absent', 'failed', 'unknown']) })),
};
