import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { EXIT, type ExitCode, UsageError } from '../../errors.ts';
import { asInputError } from '../../input/source/input-source.ts';
import type { Runtime } from '../../runtime.ts';
import { parseScheme } from '../../webhooks/signing/parse-scheme.ts';
import { SCHEME_NAMES } from '../../webhooks/signing/scheme.ts';
import { verify } from '../../webhooks/signing/verify.ts';
import { collect, addHelp } from '../options/help.ts';
import { optionsOf } from '../options/options.ts';
import { openRecordsAt, tellPrograms, type Call } from '../terminal/terminal.ts';
import { readStdin } from '../terminal/file-source.ts';

/** A header as it is typed: `name: value`. */
const header = z.string().transform((text, context): [name: string, value: string] => {
  const [, name, value = ''] = /^([^\s:]+):\s*(.*)$/s.exec(text) ?? [];
  if (name !== undefined) return [name, value];
  context.addIssue({ code: 'custom', message: 'must be like "X-Signature: abc"' });
  return z.NEVER;
});

/** The options of `webhooks verify`. */
export const verifyOptions = optionsOf('verify', {
  body: z.string('is needed: the file with the body as it came').min(1),
  header: z.array(header).default([]),
  scheme: z.string().default('auto'),
  url: z.string().optional(),
  secretStdin: z.boolean().default(false),
});
type VerifyOptions = z.infer<typeof verifyOptions>;

const HELP = `
Whether a delivery is what the service signed. The body is a file with its bytes as they came: a body that was parsed and
written anew is another one. The secret comes from --secret-stdin or EVENTREG_WEBHOOK_SECRET.
--scheme is one of ${SCHEME_NAMES.join(', ')}; or it says how it is signed, as
ALGORITHM:HEADER:ENCODING[:WHAT-IS-SIGNED], with ;key=hex, ;prefix=sha256=, ;timestamp=HEADER and ;id=HEADER where
needed; or it is auto, which finds out and prints what to give here from then on.

Examples:
  pass show hooks | eventreg webhooks verify --body delivery.json --secret-stdin \\
    --header 'X-Hub-Signature-256: sha256=757107ea…'
  eventreg webhooks verify --body delivery.json --header 'X-Signature: 9f86d081…' \\
    --header 'X-Timestamp: 1798804800' --scheme hmac-sha256:x-signature:hex:timestamp.body

Exit codes: 0 valid · 2 wrong usage · 3 valid but old, wrong, unsigned, or signed and no secret given`;

/** Adds the flags and the help of `webhooks verify`. */
export function addVerify(command: Command): Command {
  return addHelp(command, HELP)
    .option('--body <file>', 'the body, byte by byte as it came')
    .option('--header <name: value>', 'a header that came with it; repeatable', collect)
    .option('--scheme <name>', `${SCHEME_NAMES.join(', ')}, a SPEC, or auto (which it is)`)
    .option('--url <url>', 'the address as the service calls it, for schemes that sign it')
    .option('--secret-stdin', 'read the signing secret from standard input');
}

/** The bytes of a file. Throws InputError. */
export async function readBody(file: string, { cwd }: Runtime): Promise<Buffer> {
  return await readFile(resolve(cwd, file)).catch((error: unknown) => {
    throw asInputError(error, file);
  });
}

/** Prints what became of the signature. */
export async function verifyDelivery(call: Call<VerifyOptions>): Promise<ExitCode> {
  const { options, runtime } = call;
  const scheme = parseScheme(options.scheme);
  const secret = await readSecret(options.secretStdin, runtime);
  const body = await readBody(options.body, runtime);
  const request = { headers: options.header, body, url: options.url, nowMs: runtime.clock.now() };
  const found = verify(scheme, secret, request);
  const told = { verdict: found.verdict, scheme: found.scheme ?? null, why: found.why };
  await tellPrograms(call, 'webhooks-verify@1', told);
  if (options.output !== 'json') {
    const place = { format: options.output, stream: runtime.stdout };
    const writer = openRecordsAt(place, call, ['verdict', 'scheme', 'why']);
    await writer.write(told);
    await writer.end();
  }
  return found.verdict === 'valid' ? EXIT.done : EXIT.rejected;
}

const VARIABLE = 'EVENTREG_WEBHOOK_SECRET';
/** Longer than any secret; a wrong file piped in is not read to its end. */
const LONGEST = 8 * 1024;

/**
 * The signing secret from standard input, else from the environment, else undefined. It becomes one of
 * the runtime's secrets. Throws a UsageError that never contains it.
 */
export async function readSecret(fromStdin: boolean, runtime: Runtime): Promise<string | undefined> {
  const secret = fromStdin
    ? // One line break at the end is that of `echo` or an editor.
      (await readStdin(runtime.stdin, LONGEST + 2)).replace(/\r?\n$/, '')
    : runtime.env[VARIABLE] || undefined;
  if (secret === undefined) return undefined;
  runtime.secrets.add(secret);
  checkSecret(secret, fromStdin ? 'on standard input' : `in ${VARIABLE}`);
  return secret;
}

function checkSecret(secret: string, place: string): void {
  if (secret.trim() === '') throw new UsageError(`The signing secret ${place} is empty.`);
  if (secret.length > LONGEST) {
    throw new UsageError(`The signing secret ${place} is longer than ${LONGEST} characters.`);
  }
  if (/\p{Cc}/u.test(secret)) {
    throw new UsageError(`The signing secret ${place} contains a line break or another control character.`);
  }
}
