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
  webhook_id: count,
  /** Null when there is no such webhook any more. */
  url: maybeText,
  state: z.enum(['waiting', 'delivered', 'dead']),
  /** Why it is dead, where its attempts do not tell. */
  why: maybeText,
  due_at: maybeTime,
  attempts: z.array(z.strictObject({ at: time, took_ms: count, status: maybeCount, error: maybeText })),
});

export const sandboxDeliveries = { deliveries: z.array(delivery) };
export const sandboxRedeliver = { delivery };

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

/** A delivery that was received; `trigger` and `barcode` where it tells them, the row where a push on this machine sent it. */
const delivery = {
  delivery: count,
  received: time,
  trigger: maybeText,
  barcode: maybeText,
  place: maybeText,
  run: maybeText,
  verdict: text,
  /** How manieth it is of those with the same id or the same bytes, and how long after the one before. */
  nth: count,
  after_ms: maybeCount,
  /** One that came before, and told of something newer. */
  late_after: maybeCount,
  /** The status that it was answered with. */
  answer: maybeCount,
  bytes: count,
};
export type DeliveryDocument = z.infer<z.ZodObject<typeof delivery>>;

export const webhooksDeliveries = { deliveries: z.array(z.strictObject(delivery)) };

export const webhooksDeliveriesShow = {
  ...delivery,
  headers: z.array(z.tuple([text, text])),
  /** Values masked unless `--show-values`; null where it is no text. */
  body: maybeText,
  /** The bytes as they came, with `--show-values` alone. */
  body_base64: maybeText,
};

/** What a line of `webhooks listen --json` may be, by its type. */
const LISTEN_LINES = {
  /** The first: deliveries may come. */
  ready: { listen: text, eventreg: text, id: text, url: text, webhook_id: maybeText },
  delivery,
  /** The tunnel leads here by another address now. */
  moved: { url: text },
  warning: { text },
};
type ListenLineType = keyof typeof LISTEN_LINES;
type ListenLineOf<Type extends ListenLineType> = Type extends ListenLineType
  ? { type: Type } & { [Key in keyof (typeof LISTEN_LINES)[Type]]: z.infer<(typeof LISTEN_LINES)[Type][Key]> }
  : never;
/** A line, without its time. */
export type ListenLine = ListenLineOf<ListenLineType>;

/** The schema of one line. */
export function listenLineSchema(): z.ZodType {
  const types = Object.entries<z.ZodRawShape>(LISTEN_LINES);
  const [first, ...others] = types.map(([type, shape]) =>
    z.strictObject({ type: z.literal(type), time, ...shape }),
  );
  return z.union(first === undefined ? [] : [first, ...others]);
}

/** The last line of a `listen`. */
export const webhooksListen = {
  id: text,
  /** Those that were asked for. */
  deliveries: count,
  /** A name or a SPEC of signatures, where one fitted. */
  scheme: maybeText,
  /** When the message that came most often came again, since its first time. */
  retries_ms: z.array(count).nullable(),
  /** What became of the webhook that it made. */
  webhook: z.enum(['deleted', 'absent', 'renamed', 'inactive', 'left']).nullable(),
};

export const webhooksCleanup = {
  results: z.array(
    z.strictObject({
      id: maybeText,
      name: text,
      result: z.enum(['deleted', 'absent', 'renamed', 'inactive', 'left']),
      why: maybeText,
    }),
  ),
};

const sent = {
  /** Null where there was no answer. */
  status: maybeCount,
  error: maybeText,
};
export const webhooksReplay = { results: z.array(z.strictObject({ delivery: count, ...sent })) };
export const webhooksTrigger = {
  results: z.array(z.strictObject({ to: text, trigger: maybeText, barcode: maybeText, ...sent })),
};

export const webhooksDelete = {
  results: z.array(z.strictObject({ id: text, result: z.enum(['deleted', 'absent', 'failed', 'unknown']) })),
};
