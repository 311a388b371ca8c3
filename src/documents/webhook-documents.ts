import * as z from 'zod';
import {
  count,
  type LineOf,
  lineSchema,
  maybeCount,
  maybeId,
  maybeText,
  text,
  time,
} from './document-parts.ts';

/** A delivery that was received; `trigger` and `barcode` where it tells them, the row where a push on this machine sent it. */
const delivery = {
  delivery: count,
  received: time,
  trigger: maybeText,
  barcode: maybeText,
  place: maybeText,
  run: maybeText,
  verdict: text,
  /** Why that is the verdict; null where signatures are not looked at. */
  why: maybeText,
  /** How manieth it is of those with the same id or the same bytes, and how long after the one before. */
  nth: count,
  after_ms: maybeCount,
  /** One that came before, and told of something newer. */
  late_after: maybeCount,
  /** The status that it was answered with. */
  answer: maybeCount,
  /** Why what it was forwarded to has not answered. */
  answer_why: maybeText,
  bytes: count,
};

export type DeliveryDocument = z.infer<z.ZodObject<typeof delivery>>;

/** What a line of `webhooks listen --json` may be, by its type. */
const LISTEN_LINES = {
  /** The first: deliveries may come. */
  ready: { listen: text, eventreg: text, id: text, url: text, webhook_id: maybeId },
  delivery,
  /** The tunnel leads here by another address now. */
  moved: { url: text },
  warning: { text },
};

/** A line, without its time. */
export type ListenLine = LineOf<typeof LISTEN_LINES>;

/** The schema of one line. */
export const listenLineSchema = (): z.ZodType => lineSchema(LISTEN_LINES, { time });

const sent = {
  /** Null where there was no answer. */
  status: maybeCount,
  error: maybeText,
};

/** What comes of deliveries. */
export const WEBHOOK_DOCUMENTS = {
  'webhooks-deliveries@1': { deliveries: z.array(z.strictObject(delivery)) },
  'webhooks-deliveries-show@1': {
    ...delivery,
    headers: z.array(z.tuple([text, text])),
    /** Values masked unless `--show-values`; null where it is no text. */
    body: maybeText,
    /** The bytes as they came, with `--show-values` alone. */
    body_base64: maybeText,
  },
  /** The last line of a `listen`. */
  'webhooks-listen@1': {
    id: text,
    /** Those that were asked for. */
    deliveries: count,
    /** Those that `--filter` left out. */
    left_out: count,
    /** A name or a SPEC of signatures, where one fitted. */
    scheme: maybeText,
    /** When the message that came most often came again, since its first time. */
    retries_ms: z.array(count).nullable(),
    /** What became of the webhook that it made. */
    webhook: z.enum(['deleted', 'absent', 'renamed', 'inactive', 'unseen', 'left']).nullable(),
  },
  'webhooks-cleanup@1': {
    results: z.array(
      z.strictObject({
        id: maybeId,
        name: text,
        result: z.enum(['deleted', 'absent', 'renamed', 'inactive', 'unseen', 'left']),
        why: maybeText,
      }),
    ),
  },
  'webhooks-replay@1': { results: z.array(z.strictObject({ delivery: count, ...sent })) },
  'webhooks-trigger@1': {
    results: z.array(z.strictObject({ to: text, trigger: maybeText, barcode: maybeText, ...sent })),
  },
};
