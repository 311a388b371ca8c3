import type { Command } from 'commander';
import * as z from 'zod';
import { SCHEME_NAMES } from '../../webhooks/signing/scheme.ts';
import { collect } from '../options/flags.ts';
import { addHelp } from '../options/help.ts';
import { globalOptions, wholeNumber } from '../options/options.ts';
import { timeSpan } from '../options/time-span.ts';

export const WEB_ADDRESS = 'must be an address that begins with https:// or http://';

export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text);

/** An address that deliveries are sent to, or come by. */
export const webAddress = z
  .string('is needed: an address that begins with https:// or http://')
  .refine(isWebAddress, WEB_ADDRESS);

/** `path=value`. */
export const pathAndValue = z.string().transform((text, context): { path: string; value: string } => {
  const at = text.indexOf('=');
  if (at > 0) return { path: text.slice(0, at), value: text.slice(at + 1) };
  context.addIssue({ code: 'custom', message: 'must be like registration.barcode=EV-1' });
  return z.NEVER;
});

/** A value as JSON, or as the text that it is. */
export function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** No timer of Node.js is longer. */
const LONGEST_MS = 24 * 24 * 3_600_000;

/** The options of `webhooks listen`. */
export const listenOptions = globalOptions.extend({
  action: z.literal('listen'),
  cleanup: z.boolean().default(false),
  publicUrl: webAddress.optional(),
  tunnel: z.string().trim().min(1).optional(),
  port: wholeNumber(0, 65_535).default(4318),
  trigger: z.array(z.string().trim().min(1, 'must not be empty')).default(['registration.updated']),
  forwardTo: webAddress.optional(),
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
or EVENTREG_WEBHOOK_SECRET; else the webhook gets a random one.
--respond 500 with --count shows when the service tries again: it ends when one delivery has come so often, which may
take hours (--for ends it before). slow answers after a minute.
A process that was killed leaves its webhook: --cleanup deletes those of this machine, and no other.

Examples:
  eventreg webhooks listen --sandbox
  eventreg webhooks listen --tunnel "cloudflared tunnel --url {url}" --forward-to http://localhost:3000/hooks
  eventreg webhooks listen --public-url https://hooks.example.com --respond 500 --count 6
  eventreg webhooks listen --cleanup

Exit codes: 0 ended with Ctrl-C, --for or --count · 1 failed, or its webhook is left · 2 wrong usage or settings
  4 not authorised · 6 --for was over before it was ready or --count came · 7 not confirmed
  130 Ctrl-C before --count came`;

/** Adds the flags and the help of `webhooks listen`. */
export function addListen(command: Command): Command {
  return addHelp(command, HELP)
    .description('receive deliveries on this machine, and forward them')
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
