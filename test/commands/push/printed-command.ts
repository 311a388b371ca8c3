import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { readDocument } from '../../support/documents.ts';
import type { Bench, Ended } from '../../sync/push-bench.ts';

/** The command that a push prints where nobody can be asked. */
export const commandIn = ({ err }: Ended): string | undefined => /this is the command: (.*)/.exec(err)?.[1];

/** The words of a command as a shell takes them. */
function wordsOf(command: string): string[] {
  const script = `eventreg() { printf '%s\\0' "$@"; }; ${command}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

export type Sent = Readonly<Record<string, string>>;

/** Pushes a file, and follows the command that is printed, if any. Nothing else is to be asked then. */
export async function follow(
  bench: Bench,
  ...argv: string[]
): Promise<{ command: string; hint: string; code: number; sent: Sent[] } | undefined> {
  const asked = await bench.run(['push', ...argv]);
  const command = commandIn(asked);
  if (command === undefined) return undefined;
  // Of lists that have the service write to people, somebody has to agree.
  const { code, out } = await bench.run([...wordsOf(command), '--yes', '--json']);
  const document = readDocument(out) as { error?: { code: string } | null };
  expect([command, code, document.error?.code]).toEqual([command, code === 3 ? 3 : 0, undefined]);
  const sent = bench.posts().map(({ body }) => (JSON.parse(body ?? '{}') as { fields: Sent }).fields);
  return { command, hint: asked.err.replaceAll(/\s+/g, ' '), code, sent };
}
