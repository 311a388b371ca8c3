import { UsageError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { readStdin } from '../profiles/read-stdin.ts';

const VARIABLE = 'EVENTREG_WEBHOOK_SECRET';
/** Longer than any secret; a wrong file piped in is not read to its end. */
const LONGEST = 8 * 1024;

/**
 * The signing secret from standard input, else from the environment, else undefined. It becomes one of
 * the runtime's secrets. Throws a UsageError that never contains it.
 */
export async function readSecret(fromStdin: boolean, runtime: Runtime): Promise<string | undefined> {
  const secret = fromStdin ? await readPipedSecret(runtime.stdin) : runtime.env[VARIABLE] || undefined;
  if (secret === undefined) return undefined;
  runtime.secrets.add(secret);
  checkSecret(secret, fromStdin ? 'on standard input' : `in ${VARIABLE}`);
  return secret;
}

/** One line break at the end is that of `echo` or an editor. */
async function readPipedSecret(stdin: Runtime['stdin']): Promise<string> {
  return (await readStdin(stdin, LONGEST + 2)).replace(/\r?\n$/, '');
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
