import * as z from 'zod';
import {
  count,
  ending,
  failure,
  flag,
  id,
  maybeCount,
  maybeText,
  maybeTime,
  text,
  time,
  type Told,
} from './document-parts.ts';
import { PUSH_DOCUMENTS } from './push-documents.ts';
import { RUNS_DOCUMENTS } from './runs-documents.ts';
import { WEBHOOK_DOCUMENTS } from './webhook-documents.ts';

const profile = {
  name: text,
  current: flag,
  base_url: maybeText,
  integ_url: maybeText,
  /** Where the token is; null where none is stored. */
  token: maybeText,
  /** What machines share of it, and where; null where nothing. */
  state: maybeText,
};

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

/** What else the service shows of it comes as it is, but for its secret. */
const webhook = z.looseObject({
  id: id.nullable(),
  name: maybeText,
  url: maybeText,
  triggers: z.array(text),
  active: flag.nullable(),
});

/** Null where the service does not show it. */
const webhookChanged = { webhook: webhook.nullable() };

/** What profiles, the sandbox, doctor and webhooks print. */
const SET_UP_DOCUMENTS = {
  'login@1': {
    profile: text,
    base_url: text,
    integ_url: maybeText,
    /** `keychain`, or the file that holds it; never the token. */
    token: text,
    /** As in `profiles`. */
    state: maybeText,
  },
  'logout@1': { profile: text, removed: flag },
  'profiles@1': { profiles: z.array(z.strictObject(profile)) },
  'profiles-show@1': {
    ...profile,
    timeout_seconds: z.number().nullable(),
    settle_seconds: z.number().nullable(),
    refuses_503: flag.nullable(),
    registration_id: maybeText,
    fields: maybeText,
    endpoints: z.record(z.string(), z.string()),
  },
  'profiles-use@1': { profile: text },
  'profiles-remove@1': { profile: text, had_token: flag },
  'doctor@1': {
    checks: z.array(
      z.strictObject({
        check: text,
        result: z.enum(['ok', 'warning', 'problem', 'skipped']),
        found: text,
        advice: maybeText,
      }),
    ),
  },
  /** The sandbox in the foreground: printed when it listens, so `exit` is null. Its token is good for it alone. */
  'sandbox@1': {
    url: text,
    base_url: text,
    integ_url: text,
    token: text,
    file: text,
    registrations: count,
    webhooks: count,
  },
  'state@1': {
    space: text,
    where: text,
    /** Since the last snapshot. */
    changes: count,
    /** Null while nobody is. */
    at_work: z.strictObject({ user: text, host: text, does: text, since: text, job: maybeText }).nullable(),
    /** What this machine has not told the others, and what they have not told it. */
    unshipped: count,
    behind: count,
  },
  /** The key is shown this once. */
  'state-init@1': { space: text, where: text, key: text },
  'state-move@1': { space: text },
  /** Whose turn was ended; null where nobody had it. */
  'state-take@1': { space: text, ended: maybeText },
  'state-export@1': { file: text },
  'state-prune@1': {},
  'sandbox-reset@1': { file: text },
  'sandbox-sample@1': { file: text, guests: count },
  'sandbox-deliveries@1': { deliveries: z.array(delivery) },
  'sandbox-redeliver@1': { delivery },
  /** A copy of a live event. `behaviour` says what the copy does as the service was seen to do it, or as is assumed. */
  'sandbox-clone@1': {
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
  },
  'sandbox-clones@1': {
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
  },
  'sandbox-mask@1': { file: text, rows: count, clone: text },
  'completion@1': { shell: text, script: text },
  'webhooks@1': { webhooks: z.array(webhook) },
  'webhooks-create@1': webhookChanged,
  'webhooks-update@1': webhookChanged,
  'webhooks-verify@1': {
    verdict: z.enum(['valid', 'valid but old', 'wrong', 'signed but no secret given', 'unsigned']),
    /** A name or a SPEC, as `--scheme` takes it; null where `auto` found none. */
    scheme: maybeText,
    why: text,
  },
  'webhooks-delete@1': {
    results: z.array(z.strictObject({ id, result: z.enum(['deleted', 'absent', 'failed', 'unknown']) })),
  },
};

/**
 * What each document has beside `schema` and its ending, by the name that stands in `schema` after `eventreg/`. A
 * change that a reader may stumble over raises the number; commands take types and columns from here.
 */
const SHAPES = {
  ...PUSH_DOCUMENTS,
  ...RUNS_DOCUMENTS,
  ...SET_UP_DOCUMENTS,
  ...WEBHOOK_DOCUMENTS,
};

export type DocumentName = keyof typeof SHAPES;

/** What a command says in its document. */
export type DocumentBody<Name extends DocumentName> = Told<z.infer<z.ZodObject<(typeof SHAPES)[Name]>>>;

/** A key of a document under which there is a list. */
export type ListOf<Name extends DocumentName> = {
  [Key in keyof DocumentBody<Name>]-?: NonNullable<DocumentBody<Name>[Key]> extends readonly unknown[]
    ? Key
    : never;
}[keyof DocumentBody<Name>] &
  string;

/** The schema of each document, by its name. Where a command has failed in the middle, there is less in it. */
export function documentSchemas(): Record<string, z.ZodType> {
  const names = Object.keys(SHAPES) as DocumentName[];
  return {
    ...Object.fromEntries(names.map((name) => [name, schemaOf(name)])),
    'error@1': z.strictObject({ schema: z.literal('eventreg/error@1'), ...ending, error: failure }),
  };
}

/** Those that are printed in parts; all others are whole, or the error alone. */
const IN_PARTS: readonly DocumentName[] = ['delete@1', 'push@1', 'runs-show@1', 'runs-undo@1', 'runs-why@1'];

function schemaOf(name: DocumentName): z.ZodType {
  const schema = z.literal(`eventreg/${name}`);
  const body: z.ZodRawShape = SHAPES[name];
  const whole = z.strictObject({ schema, ...body, ...ending });
  if (!IN_PARTS.includes(name)) return whole;
  const broken = z
    .strictObject(body)
    .partial()
    .extend({ schema, ...ending, error: failure });
  return z.union([whole, broken]);
}
