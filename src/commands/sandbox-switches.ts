import { UsageError } from '../errors.ts';
import { nearest } from '../input/source/nearest-name.ts';
import { visible } from '../report/words/escape.ts';
import { parseSwitches } from '../sandbox/store/parse-switches.ts';
import { SWITCHES, type Switches } from '../sandbox/store/switches.ts';

/** A switch in the help. */
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
