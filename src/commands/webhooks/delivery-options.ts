import type { Command } from 'commander';
import * as z from 'zod';
import { readJson } from '../../service/contracts/json.ts';
import { KEPT } from '../../webhooks/deliveries/read-delivery.ts';
import { SCHEME_NAMES } from '../../webhooks/signing/scheme.ts';
import { collect, addHelp } from '../options/help.ts';
import { optionsOf, wholeNumber } from '../options/options.ts';
import { timeSpan } from '../options/budget-options.ts';

export const WEB_ADDRESS = 'must be an address that begins with https:// or http://';

export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text);

/** An address that deliveries come by. */
const webAddress = z.string().refine(isWebAddress, WEB_ADDRESS);

/** A program of this machine may be named without the beginning: `localhost:3000/hooks`. */
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/.*)?$/i;
const target = z
  .string('is needed: an address that begins with https:// or http://, or localhost:PORT')
  .transform((text) => (LOCAL.test(text) ? `http://${text}` : text))
  .refine(isWebAddress, `${WEB_ADDRESS}, or localhost:PORT`);

/** `path=value`. */
const pathAndValue = z.string().transform((text, context): { path: string; value: string } => {
  const at = text.indexOf('=');
  if (at > 0) return { path: text.slice(0, at), value: text.slice(at + 1) };
  context.addIssue({ code: 'custom', message: 'must be like registration.barcode=EV-1' });
  return z.NEVER;
});

/** A value as JSON, or as the text that it is. */
export function readValue(text: string): unknown {
  const value = readJson(text);
  return value === undefined ? text : value;
}

/** No timer of Node.js is longer. */
const LONGEST_MS = 24 * 24 * 3_600_000;

/** The options of `webhooks listen`. */
export const listenOptions = optionsOf('listen', {
  cleanup: z.boolean().default(false),
  publicUrl: webAddress.optional(),
  tunnel: z.string().trim().min(1).optional(),
  port: wholeNumber(0, 65_535).default(4318),
  trigger: z.array(z.string().trim().min(1, 'must not be empty')).default(['registration.updated']),
  forwardTo: target.optional(),
  filter: z.array(pathAndValue).default([]),
  verify: z.string().optional(),
  secretStdin: z.boolean().default(false),
  count: wholeNumber(1).optional(),
  for: timeSpan.refine((ms) => ms <= LONGEST_MS, 'must be 24 days at most').optional(),
  respond: z.enum(['200', '500', 'slow']).optional(),
});
export type ListenOptions = z.infer<typeof listenOptions>;

const HELP = `
Listens on 127.0.0.1, makes a webhook of its own that leads there, and deletes it at the end. A service elsewhere needs a
way in: --public-url, or --tunnel with a command that makes one; {url} in it is where listen is. Each delivery is on
the disk before it is answered (\`eventreg webhooks deliveries\`), then forwarded byte by byte; the answer goes back.
--filter takes a path in the body (items.0.barcode=EV-1) or the name of a header; what it leaves out is stored and
answered with 200, and neither shown, counted nor forwarded.
--verify is auto, ${SCHEME_NAMES.join(', ')}, a SPEC (see webhooks verify), or off. The secret comes from --secret-stdin
or EVENTREG_WEBHOOK_SECRET; else the webhook gets a random one, which is shown once. With --verify and --count a delivery
that is not valid makes the exit code 3. A ping of the service does not count.
--respond 500 with --count shows when the service tries again: it ends when one delivery has come so often, which may
take hours (--for ends it before). slow answers after a minute.
A process that was killed leaves its webhook: --cleanup deletes those of this machine, and no other.

Examples:
  eventreg webhooks listen --sandbox
  eventreg webhooks listen --tunnel "cloudflared tunnel --url {url}" --forward-to http://localhost:3000/hooks
  eventreg webhooks listen --public-url https://hooks.example.com --respond 500 --count 6
  eventreg webhooks listen --cleanup

Exit codes: 0 ended with Ctrl-C, --for or --count · 1 failed, or its webhook is left · 2 wrong usage or settings
  3 what was counted was not all valid, with --verify · 4 not authorised · 6 --for was over before it was ready or --count came · 7 not confirmed
  130 Ctrl-C before --count came`;

/** Adds the flags and the help of `webhooks listen`. */
export function addListen(command: Command): Command {
  return addHelp(command, HELP)
    .option('--public-url <url>', 'address of your own that leads here')
    .option('--tunnel <command>', 'command that makes such an address: "cloudflared tunnel --url {url}"')
    .option('--port <number>', 'where it listens on 127.0.0.1; 0 for any (4318 unless given)')
    .option('--trigger <trigger>', 'what fires it (registration.updated unless given); repeatable', collect)
    .option('--forward-to <url>', 'where each delivery goes on to')
    .option('--filter <path=value>', 'deliveries with this in the body or in a header; repeatable', collect)
    .option('--verify <scheme>', 'how they are signed: auto, a name, a SPEC, or off')
    .option('--secret-stdin', 'read the signing secret from standard input')
    .option('--count <number>', 'end after so many')
    .option('--for <time>', 'end after 90s, 15m or 2h')
    .option('--respond <answer>', '200, 500 or slow, where they are not forwarded')
    .option('--cleanup', 'delete the webhooks that killed ones have left');
}

/** The options of `webhooks deliveries`. */
export const deliveriesOptions = optionsOf('deliveries', {
  /** One of them, whole. */
  number: wholeNumber(1).optional(),
});
export type DeliveriesOptions = z.infer<typeof deliveriesOptions>;

/** The newest are what one looks for. */
export const MOST_LISTED = 200;

/** Also of its action `show`. */
export const DELIVERIES_HELP = `
What \`webhooks listen\` has received on this machine, the newest last: the last ${MOST_LISTED}. \`show\` prints one with its headers
and its body; values that may be of a person are masked, unless --show-values.
The last ${KEPT.deliveries} are kept, ${KEPT.bytes / 1024 / 1024} MB of them at most, for ${KEPT.days} days, in a file that only you can read.

Examples:
  eventreg webhooks deliveries
  eventreg webhooks deliveries show 12 --show-values

Exit codes: 0 done · 1 failed · 2 wrong usage`;

/** The options of `webhooks replay`. */
export const replayOptions = optionsOf('replay', {
  number: z.array(wholeNumber(1)).min(1),
  to: target,
  sign: z.string().optional(),
  secretStdin: z.boolean().default(false),
});
export type ReplayOptions = z.infer<typeof replayOptions>;

const REPLAY_HELP = `
Sends deliveries that \`webhooks listen\` has stored once more: the same bytes with the same headers, the id included.
Their signatures are as old as they are: --sign makes a new one in their place, of ${SCHEME_NAMES.join(', ')} or a SPEC, with the secret
of --secret-stdin or EVENTREG_WEBHOOK_SECRET. Redirects are not followed.

Examples:
  eventreg webhooks replay 12 13 --to http://localhost:3000/hooks
  pass show hooks | eventreg webhooks replay 12 --to http://localhost:3000/hooks --sign standard --secret-stdin

Exit codes: 0 all were answered with 2xx · 1 one was not · 2 wrong usage`;

/** Adds the flags and the help of `webhooks replay`. */
export function addReplay(command: Command): Command {
  return addHelp(command, REPLAY_HELP)
    .option('--to <url>', 'where it is sent')
    .option('--sign <scheme>', 'sign it anew')
    .option('--secret-stdin', 'read the signing secret from standard input');
}

/** The options of `webhooks trigger`. */
export const triggerOptions = optionsOf('trigger', {
  barcode: z.string().min(1).optional(),
  body: z.string().min(1).optional(),
  override: z.array(pathAndValue).default([]),
  /** Undefined: every webhook of the sandbox that is switched on. */
  to: target.optional(),
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
    .option('--barcode <barcode>', 'of this registration')
    .option('--body <file>', 'with these bytes')
    .option('--override <path=value>', 'with this instead; repeatable', collect)
    .option('--to <url>', 'where it is sent')
    .option('--sign <scheme>', 'sign it')
    .option('--secret-stdin', 'read the signing secret from standard input');
}
