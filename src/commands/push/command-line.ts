import { flagOf, isInParts, isSetting, kebabOf } from '../../registration/model/option-flags.ts';
import { typedCommand } from '../options/typed-command.ts';
import { type PushCommandOptions, pushValues } from './push-command-options.ts';

/** Options that are said before all others, or as something else. */
const APART = ['files', 'profile', 'sandbox'];

/** The command that gives these options; what has no flag is left out. */
export function commandLine(options: PushCommandOptions): string {
  const untouched: Readonly<Record<string, unknown>> = pushValues.parse({});
  const words = Object.entries(options).flatMap(([name, value]: [string, unknown]) => {
    const isUntouched = JSON.stringify(value) === JSON.stringify(untouched[name]);
    return APART.includes(name) || isUntouched ? [] : wordsOf(name, value);
  });
  // A name that begins with a dash would be a flag.
  const files = options.files.map((file) => (/^-./.test(file) ? `./${file}` : file));
  return typedCommand(['push', ...files, ...words], options);
}

function wordsOf(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (isInParts(name)) {
    return pathsIn(value).flatMap((path) => ['--set', `${kebabOf(name)}=${path.join('=')}`]);
  }
  if (Array.isArray(value)) return value.flatMap((one: unknown) => wordsOf(name, one));
  const limit = name === 'maxWait' ? `${Math.ceil(Number(value) / 1000)}s` : asLimit(value);
  const text = limit ?? (typeof value === 'string' ? value : numberOrTruth(value));
  if (text === undefined) return [];
  if (isSetting(name)) return ['--set', `${kebabOf(name)}=${text}`];
  if (value === false) return [`--no-${kebabOf(name)}`];
  return value === true ? [flagOf(name)] : [flagOf(name), text];
}

/** The ways to all ends of an option with parts. */
function pathsIn(value: unknown): string[][] {
  if (typeof value === 'string') return [[value]];
  return Object.entries(Object(value) as object).flatMap(([part, inner]: [string, unknown]) =>
    pathsIn(inner).map((path) => [part, ...path]),
  );
}

function numberOrTruth(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** As `--max-delete` takes it. */
function asLimit(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('value' in value))
    return undefined;
  return `${String(value.value)}${value.kind === 'number' ? '' : '%'}`;
}
