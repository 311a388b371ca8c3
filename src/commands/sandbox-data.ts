import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { visible } from '../report/words/escape.ts';
import { sandboxFile } from './connect/connection.ts';
import type { GlobalOptions } from './options/options.ts';
import type { Call } from './terminal/terminal.ts';

interface Meant extends Pick<GlobalOptions, 'sandbox'> {
  action: string;
  name?: string | undefined;
  data?: string | undefined;
}

/** Throws a UsageError where more than one sandbox is named: by a name, --sandbox=NAME and --data. */
export function refuseSeveral({ name, sandbox, data }: Meant): void {
  const named = [name, typeof sandbox === 'string' ? sandbox : undefined, data].filter(
    (one) => one !== undefined,
  );
  if (new Set(named).size < 2) return;
  throw new UsageError(`${visible(named.join(' and '))} are several sandboxes.`, {
    hint: 'Name one: a clone, or the file of --data.',
  });
}

/** The file that is meant. Only `sandbox start` makes one that is named and not there. */
export function dataFile({ options: { action, sandbox, data }, runtime }: Call<Meant>): string {
  if (data === undefined) return sandboxFile(runtime, sandbox);
  const file = resolve(runtime.cwd, data);
  if (action !== 'start' && !existsSync(file)) {
    throw new UsageError(`${visible(data)}: there is no such file.`, {
      hint: 'Name the file that `eventreg sandbox --data` was started with.',
    });
  }
  return file;
}
