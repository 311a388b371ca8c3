import type { Command } from 'commander';
import * as z from 'zod';
import { UsageError } from '../../errors.ts';
import { isObject } from '../../service/contracts/json.ts';
import { collect, addHelp } from '../options/help.ts';
import { actionsOf, type Handler, optionsOf } from '../options/options.ts';
import {
  DELIVERIES_HELP,
  addReplay,
  addTrigger,
  deliveriesOptions,
  replayOptions,
  triggerOptions,
  addListen,
  isWebAddress,
  listenOptions,
  readValue,
  WEB_ADDRESS,
} from './delivery-options.ts';
import { addVerify, verifyOptions } from './webhooks-verify.ts';

const address = z
  .string('is needed')
  .refine(isWebAddress, WEB_ADDRESS)
  .refine(
    (text) => !/^https?:\/\/[^/?#]*@/i.test(text),
    'must not contain a user name or password: it is shown in lists',
  );

const config = z.string().transform((text, context) => {
  const value = readValue(text);
  if (isObject(value)) return value;
  context.addIssue({ code: 'custom', message: 'must be a JSON object, for example {"retries": 3}' });
  return z.NEVER;
});

const triggers = z.array(z.string().trim().min(1, 'must not be empty'), 'is needed at least once');

const flags = {
  event: z.coerce
    .number('must be the number of an event')
    .int('must be a whole number')
    .positive('must be the number of an event')
    .optional(),
  name: z.string().trim().min(1, 'must not be empty').optional(),
  active: z.boolean().optional(),
  config: config.optional(),
  secretStdin: z.boolean().default(false),
};

const webhooksOptions = z.discriminatedUnion('action', [
  optionsOf('list', {}),
  optionsOf('create', { ...flags, url: address, trigger: triggers }),
  optionsOf('update', {
    ...flags,
    id: z.string(),
    url: address.optional(),
    trigger: triggers.default([]),
  }),
  optionsOf('delete', { id: z.array(z.string()).min(1) }),
  verifyOptions,
  listenOptions,
  deliveriesOptions,
  replayOptions,
  triggerOptions,
]);
export type WebhooksOptions = z.infer<typeof webhooksOptions>;
export type CreateWebhookOptions = Extract<WebhooksOptions, { action: 'create' }>;
export type UpdateWebhookOptions = Extract<WebhooksOptions, { action: 'update' }>;
export type DeleteWebhooksOptions = Extract<WebhooksOptions, { action: 'delete' }>;

const EXIT_CODES =
  'Exit codes: 0 done · 1 the service failed · 2 wrong usage or settings · 4 not authorised ·\n  7 a guard stopped it';

const HELP = `
Webhooks are served from the integ_url of the profile (\`eventreg login --integ-url\`, EVENTREG_INTEG_URL).
A signing secret is never printed, and no option takes one, because other users of the machine can see
a command line: it comes from --secret-stdin or EVENTREG_WEBHOOK_SECRET.

Examples:
  eventreg webhooks create --url https://hooks.example.com/in --trigger registration.updated
  eventreg webhooks listen --sandbox                       # receive deliveries on this machine
  eventreg webhooks replay 12 --to localhost:3000/hooks    # send one of them again
  eventreg webhooks trigger --sandbox                      # send one that is made up
  eventreg webhooks verify --body delivery.json --header 'X-Signature: 9f86d081…'

${EXIT_CODES}`;

const LIST_HELP = `
table and csv show id, name, url, triggers and active; json and ndjson also what else the service shows.

Examples:
  eventreg webhooks list --json

${EXIT_CODES}`;

const CREATE_HELP = `
registration.updated is the one trigger that is documented; any other text is passed on as it is.
Without --name it is called after the host of its address. Without --event it is for the event that
\`eventreg event\` shows.
The created webhook is printed when the service shows it.

Examples:
  eventreg webhooks create --url https://hooks.example.com/in --trigger registration.updated
  pass show hooks | eventreg webhooks create --url https://hooks.example.com/in \\
    --trigger registration.updated --name "Badge printer" --secret-stdin

${EXIT_CODES}`;

const UPDATE_HELP = `
The webhook is sent back as a whole, with the changes: --trigger replaces all triggers, --config the whole config. What
this machine has not set itself, and a list may show in part (a name, a host), has to be given too. Afterwards it is read
again: 0 is what the list shows. A signing secret cannot be read back: unless --secret-stdin or EVENTREG_WEBHOOK_SECRET
(used whenever it is set) gives one, it is left out and may be gone. Where there is one, that takes a yes, and ends with 1.

Examples:
  eventreg webhooks update 12 --inactive
  eventreg webhooks update 12 --url https://hooks.example.com/new --name "Badge printer"

Exit codes: 0 done · 1 the service failed, it is not as asked, or that cannot be told · 2 wrong usage or settings, or
  something is to be given · 4 not authorised · 7 nobody said yes`;

const DELETE_HELP = `
Asks first, unless --yes. The list is read before and after: only what it no longer shows is deleted,
whatever the service answers. When one cannot be deleted, or was not there, the others are deleted all
the same. With --output json, ndjson or csv: one record a webhook, with id and
result (deleted, absent, failed, or unknown when the list cannot be read).

Examples:
  eventreg webhooks delete 12 13 --yes

Exit codes: 0 all are deleted · 1 one is still there or that cannot be told · 2 wrong usage or settings ·
  3 some were not there · 4 not authorised · 7 nobody said yes`;

export function defineWebhooks(command: Command, handle: Handler<WebhooksOptions>): void {
  addHelp(command, HELP).description(
    'Manage webhooks; receive, forward, replay and verify their deliveries.',
  );
  const define = actionsOf(command, webhooksOptions, handle, 'list');
  addHelp(define('list', 'all webhooks, one record each'), LIST_HELP);
  addHelp(addFlags(define('create', 'create a webhook', readActive)), CREATE_HELP);
  addHelp(addFlags(define('update <id>', 'change a webhook', readActive)), UPDATE_HELP).option(
    '--active',
    'switch it on',
  );
  addHelp(define('delete <id...>', 'delete webhooks'), DELETE_HELP);
  addListen(define('listen', 'receive deliveries on this machine, and forward them'));
  const deliveries = command.command('deliveries').description('list what was received, or show one');
  const defineDelivery = actionsOf(addHelp(deliveries, DELIVERIES_HELP), webhooksOptions, handle, 'list');
  const action = 'deliveries';
  defineDelivery('list', 'the last ones', () => ({ action }));
  defineDelivery('show <number>', 'one of them, with its headers and its body', () => ({ action }));
  addReplay(define('replay <number...>', 'send what was received once more'));
  addTrigger(define('trigger', 'send a delivery that is made up'));
  addVerify(define('verify', 'check the signature of a delivery'));
}

function addFlags(command: Command): Command {
  return command
    .option('--url <url>', 'address that is called; http or https')
    .option('--trigger <trigger>', 'what fires it, for example registration.updated; repeatable', collect)
    .option('--name <name>', 'name of the webhook')
    .option('--event <id>', 'number of the event it belongs to')
    .option('--config <json>', 'extra settings, as a JSON object')
    .option('--inactive', 'switched off')
    .option('--secret-stdin', 'read the signing secret from standard input');
}

function readActive(command: Command): { active: boolean | undefined } {
  const { active, inactive } = command.opts<{ active?: boolean; inactive?: boolean }>();
  if (active && inactive) throw new UsageError('--active and --inactive contradict each other.');
  return { active: inactive ? false : active };
}
