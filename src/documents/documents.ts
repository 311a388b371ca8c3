import * as z from 'zod';
import { ending, failure } from './document-parts.ts';
import { deletion, list, push, undo } from './push-documents.ts';
import {
  event,
  eventFields,
  eventPersonas,
  eventSchema,
  eventTemplate,
  runs,
  runsBundle,
  runsDecide,
  runsPurge,
  runsReport,
  runsShow,
  runsWhy,
} from './runs-documents.ts';
import {
  completion,
  doctor,
  login,
  logout,
  profiles,
  profilesRemove,
  profilesShow,
  profilesUse,
  sandbox,
  sandboxDeliveries,
  sandboxRedeliver,
  sandboxClone,
  sandboxClones,
  sandboxMask,
  sandboxReset,
  sandboxSample,
  webhookChanged,
  webhooks,
  webhooksDelete,
  webhooksVerify,
} from './set-up-documents.ts';
import {
  webhooksCleanup,
  webhooksDeliveries,
  webhooksDeliveriesShow,
  webhooksListen,
  webhooksReplay,
  webhooksTrigger,
} from './webhook-documents.ts';

/**
 * What each document has beside `schema` and its ending, by the name that stands in `schema` after `eventreg/`. A
 * change that a reader may stumble over raises the number; commands take the types from here, and columns from the parts.
 */
const SHAPES = {
  'completion@1': completion,
  'delete@1': deletion,
  'doctor@1': doctor,
  'event@1': event,
  'event-fields@1': eventFields,
  'event-personas@1': eventPersonas,
  'event-schema@1': eventSchema,
  'event-template@1': eventTemplate,
  'list@1': list,
  'login@1': login,
  'logout@1': logout,
  'profiles@1': profiles,
  'profiles-remove@1': profilesRemove,
  'profiles-show@1': profilesShow,
  'profiles-use@1': profilesUse,
  'push@1': push,
  'runs@1': runs,
  'runs-bundle@1': runsBundle,
  'runs-decide@1': runsDecide,
  'runs-purge@1': runsPurge,
  'runs-report@1': runsReport,
  'runs-show@1': runsShow,
  'runs-undo@1': undo,
  'runs-why@1': runsWhy,
  'sandbox@1': sandbox,
  'sandbox-deliveries@1': sandboxDeliveries,
  'sandbox-redeliver@1': sandboxRedeliver,
  'sandbox-clone@1': sandboxClone,
  'sandbox-clones@1': sandboxClones,
  'sandbox-mask@1': sandboxMask,
  'sandbox-reset@1': sandboxReset,
  'sandbox-sample@1': sandboxSample,
  'webhooks@1': webhooks,
  'webhooks-cleanup@1': webhooksCleanup,
  'webhooks-create@1': webhookChanged,
  'webhooks-delete@1': webhooksDelete,
  'webhooks-deliveries@1': webhooksDeliveries,
  'webhooks-deliveries-show@1': webhooksDeliveriesShow,
  'webhooks-listen@1': webhooksListen,
  'webhooks-replay@1': webhooksReplay,
  'webhooks-trigger@1': webhooksTrigger,
  'webhooks-update@1': webhookChanged,
  'webhooks-verify@1': webhooksVerify,
};

export type DocumentName = keyof typeof SHAPES;

/** What a command says in its document. */
export type DocumentBody<Name extends DocumentName> = z.infer<z.ZodObject<(typeof SHAPES)[Name]>>;

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
