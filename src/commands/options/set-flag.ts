import { type Command, Option } from 'commander';
import { UsageError } from '../../errors.ts';
import { typedWord } from '../../input/source/shell-word.ts';
import { nearest } from '../../input/source/nearest-name.ts';
import { isInParts, kebabOf, PARTS, type Setting } from '../../registration/model/option-flags.ts';
import { type AddFlag, collect } from './help.ts';

/** Settings that may be given several times. */
const LISTS: readonly string[] = ['pad', 'accept', 'leaveOut'] satisfies Setting[];
/** Settings that are true or false. */
const SWITCHES: readonly string[] = ['includeHidden', 'makeBarcodes'] satisfies Setting[];

/** Adds `--set` to a command. Whoever types a setting as a flag of its own is told how it is given. */
export function addSetFlag(command: Command, add: AddFlag, settings: readonly Setting[]): void {
  add('--set <key=value>', `how the file is read; repeatable: ${settings.map(kebabOf).join(', ')}`, collect);
  for (const setting of settings) {
    const key = kebabOf(setting);
    const misread = new Option(`--${key} [value]`).hideHelp();
    command.addOption(misread).on(`option:${key}`, (value: string | null) => {
      const typed = value === null ? '…' : typedWord(value);
      throw new UsageError(`There is no flag --${key}; write --set ${key}=${typed}.`);
    });
  }
}

/** Typed options with what `--set` says among them. Throws a UsageError that names every wrong key. */
export function withSettings(
  { set, ...options }: Readonly<Record<string, unknown>>,
  settings: readonly Setting[],
): Record<string, unknown> {
  const pairs = ((set ?? []) as readonly string[]).map((text) => {
    const at = text.indexOf('=');
    return { key: at < 0 ? text : text.slice(0, at), value: at < 0 ? undefined : text.slice(at + 1) };
  });
  const { found, problems } = readSettings(pairs, settings, (key) => `--set ${key}`);
  const [first, ...details] = problems;
  if (first !== undefined) throw new UsageError(first, { details });
  return { ...options, ...found };
}

/** Options by the keys that people give them by, and what is wrong with the keys, a sentence each. */
export function readSettings(
  pairs: readonly { key: string; value: unknown }[],
  settings: readonly Setting[],
  name: (key: string) => string,
): { found: Record<string, unknown>; problems: string[] } {
  const found: Record<string, unknown> = {};
  const problems: string[] = [];
  const keys = settings.map(kebabOf);
  for (const { key, value } of pairs) {
    const setting = settings[keys.indexOf(key)];
    if (setting === undefined)
      problems.push(`${name(key)}: there is no such setting${didYouMean(key, keys)}`);
    else if (value === undefined) problems.push(`${name(key)}: write it as ${key}=VALUE.`);
    else if (isInParts(setting)) {
      const words = typeof value === 'string' ? value.split('=') : [];
      const form = PARTS[setting] ?? '';
      if (words.length === form.split('=').length) found[setting] = withPart(found[setting], words);
      else problems.push(`${name(key)}: write it as ${key}=${form}.`);
    } else if (LISTS.includes(setting)) found[setting] = [found[setting] ?? [], value].flat();
    else if (setting in found) problems.push(`${name(key)} is given twice; keep the one that is meant.`);
    else found[setting] = SWITCHES.includes(setting) ? yesOrNo(value) : value;
  }
  return { found, problems };
}

/** The last word stands where the others lead to. */
function withPart(before: unknown, [part = '', ...words]: readonly string[]): unknown {
  if (words.length === 0) return part;
  const parts = Object(before ?? {}) as Readonly<Record<string, unknown>>;
  return { ...parts, [part]: withPart(parts[part], words) };
}

function didYouMean(key: string, keys: readonly string[]): string {
  const near = nearest(key, keys);
  return near === undefined ? `; there are ${keys.join(', ')}.` : `; did you mean ${near}?`;
}

/** Anything else is left to be refused. */
function yesOrNo(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value;
}
