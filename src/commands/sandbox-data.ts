import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { visible } from '../report/words/escape.ts';
import { sandboxFile } from './connect/connection.ts';
import type { GlobalOptions } from './options/options.ts';
import type { Call } from './terminal/terminal.ts';
import { nearest } from '../input/source/nearest-name.ts';
import { parseSwitches, SWITCHES, type Switches } from '../sandbox/store/switches.ts';

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

export function describeSwitch({ name, meaning, allowed, initial }: (typeof SWITCHES)[number]): string {
  const values = 'min' in allowed ? `${allowed.min} to ${allowed.max}` : allowed.join(', ');
  return `  ${name}: ${meaning}\n      ${values} (${initial})`;
}

/** What `--set` says. Throws UsageError with the name that was probably meant. */
export function readSwitches(pairs: readonly string[]): Partial<Switches> {
  try {
    return parseSwitches(pairs);
  } catch (error) {
    const hint = 'See all switches with `eventreg sandbox --help-all`.';
    const mistyped = mistypedSwitch(pairs);
    if (mistyped !== undefined) throw new UsageError(mistyped, { hint });
    throw new UsageError(error instanceof Error ? error.message : String(error), { hint });
  }
}

/** The first name that is close to one of a switch; undefined when there is none. */
function mistypedSwitch(pairs: readonly string[]): string | undefined {
  const names = SWITCHES.map(({ name }) => name);
  const strange = pairs
    .map((pair) => pair.replace(/=.*/s, ''))
    .find((name) => !names.includes(name as never));
  const meant = strange === undefined ? undefined : nearest(strange, names);
  return meant && visible(`There is no switch "${strange}": did you mean ${meant}?`);
}
