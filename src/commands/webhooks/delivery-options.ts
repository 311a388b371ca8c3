import type { Command } from 'commander';
import * as z from 'zod';
import { KEPT } from '../../webhooks/deliveries/kept-deliveries.ts';
import { SCHEME_NAMES } from '../../webhooks/signing/scheme.ts';
import { collect } from '../options/flags.ts';
import { addHelp } from '../options/help.ts';
import { globalOptions, wholeNumber } from '../options/options.ts';
import { pathAndValue, webAddress } from './listen-options.ts';

/** The options of `webhooks deliveries`. */
export const deliveriesOptions = globalOptions.extend({
  action: z.literal('deliveries'),
  /** One of them, whole. */
  show: wholeNumber(1).optional(),
});
export type DeliveriesOptions = z.infer<typeof deliveriesOptions>;

/** The newest are what one looks for. */
export const MOST_LISTED = 200;

const DELIVERIES_HELP = `
What \`webhooks listen\` has received on this machine, the newest last: the last ${MOST_LISTED}. \`show\` prints one with its headers
and its body; values that may be of a person are masked, unless --show-values.
The last ${KEPT.deliveries} are kept, ${KEPT.bytes / 1024 / 1024} MB of them at most, for ${KEPT.days} days, in a file that only you can read.

Examples:
  eventreg webhooks deliveries
  eventreg webhooks deliveries show 12 --show-values

Exit codes: 0 done · 1 failed · 2 wrong usage`;

/** Adds the help of `webhooks deliveries`, and its action `show`. */
export function addDeliveries(command: Command): Command {
  return addHelp(command, DELIVERIES_HELP).description('list what was received, or show one');
}

/** Adds the help of `webhooks deliveries show`. */
export const addShow = (command: Command): Command =>
  command.description('one of them, with its headers and its body');

/** The options of `webhooks replay`. */
export const replayOptions = globalOptions.extend({
  action: z.literal('replay'),
  numbers: z.array(wholeNumber(1)).min(1),
  to: webAddress,
  sign: z.string().optional(),
  secretStdin: z.boolean().default(false),
});
export type ReplayOptions = z.infer<typeof replayOptions>;

const REPLAY_HELP = `
Sends deliveries that \`webhooks listen\` has stored once more: the same bytes with the same headers, the id included.
Their signatures are as old as they are: --sign makes a new one, of ${SCHEME_NAMES.join(', ')} or a SPEC, with the secret
of --secret-stdin or EVENTREG_WEBHOOK_SECRET. Redirects are not followed.

Examples:
  eventreg webhooks replay 12 13 --to http://localhost:3000/hooks
  pass show hooks | eventreg webhooks replay 12 --to http://localhost:3000/hooks --sign standard --secret-stdin

Exit codes: 0 all were answered with 2xx · 1 one was not · 2 wrong usage`;

/** Adds the flags and the help of `webhooks replay`. */
export function addReplay(command: Command): Command {
  return addHelp(command, REPLAY_HELP)
    .description('send what was received once more')
    .option('--to <url>', 'where it is sent')
    .option('--sign <scheme>', 'sign it anew')
    .option('--secret-stdin', 'read the signing secret from standard input');
}

/** The options of `webhooks trigger`. */
export const triggerOptions = globalOptions.extend({
  action: z.literal('trigger'),
  barcode: z.string().min(1).optional(),
  body: z.string().min(1).optional(),
  override: z.array(pathAndValue).default([]),
  /** Undefined: every webhook of the sandbox that is switched on. */
  to: webAddress.optional(),
  sign: z.string().optional(),
  secretStdin: z.boolean().default(false),
});
export type TriggerOptions = z.infer<typeof triggerOptions>;

const TRIGGER_HELP = `
Makes a delivery up and sends it: of the registration with --barcode, of the first that the service lists, or the bytes of
--body. What a service's own deliveries look like is not documented: this one has event, event_id, registration and
delivered_at. --override changes what is at a path; where a text stood it stays one, anything else is read as JSON.
With --sandbox and without --to the sandbox delivers it to each of its webhooks that is switched on, whatever fires it: signed
with its secret as the switch webhookSign says, or --sign, and tried again (\`eventreg sandbox deliveries\`).

Examples:
  eventreg webhooks trigger --barcode EV-1 --to http://localhost:3000/hooks
  eventreg webhooks trigger --body delivery.json --override registration.barcode=EV-2 --to http://localhost:3000/hooks
  eventreg webhooks trigger --sandbox

Exit codes: 0 answered with 2xx · 1 not · 2 wrong usage or settings · 4 not authorised`;

/** Adds the flags and the help of `webhooks trigger`. */
export function addTrigger(command: Command): Command {
  return addHelp(command, TRIGGER_HELP)
    .description('send a delivery that is made up')
    .option('--barcode <barcode>', 'of this registration')
    .option('--body <file>', 'with these bytes')
    .option('--override <path=value>', 'with this instead; repeatable', collect)
    .option('--to <url>', 'where it is sent')
    .option('--sign <scheme>', 'sign it')
    .option('--secret-stdin', 'read the signing secret from standard input');
}
