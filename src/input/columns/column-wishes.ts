import type { Persona } from '../../registration/model/persona.ts';
import { headingOf } from './alias-index.ts';
import { findColumns } from './column-names.ts';
import type { ColumnWish, HeadingReader } from './heading-reader.ts';
import { nearest } from '../source/nearest-name.ts';
import { flagWord, showName } from '../source/shell-word.ts';
import { UsageError } from '../../errors.ts';

export interface MappingOptions {
  /** From `--map` and `--mapping`: header → slug, label or reserved name, also `companion 1 email`. */
  overrides: ReadonlyMap<string, string>;
  /** From `--ignore-column`; `*` stands for all columns that match nothing. */
  ignore: readonly string[];
  /** Those in play. */
  personas: readonly Persona[];
  /**
   * True where rows may leave columns out, as JSON objects do: then a flag that names a column which
   * this shape of rows does not have is no problem. Default false.
   */
  optionalColumns?: boolean;
}

/** Stands for all columns that match nothing. */
export const REST = '*';

/** Applies `--map` and `--ignore-column` to the columns; what does not fit is added to `problems`. */
export function readWishes(
  columns: readonly string[],
  options: MappingOptions,
  reader: HeadingReader,
  problems: string[],
): readonly ColumnWish[] {
  const wishes = columns.map(
    (column): ColumnWish => ({ name: headingOf(column), overridden: false, ignored: false }),
  );
  for (const name of options.ignore) {
    if (name === REST) continue;
    const all = findColumns(name, columns);
    // Of columns that are called alike all are meant.
    const isOne = new Set(all.map((at) => headingOf(columns[at] ?? '').toLowerCase())).size === 1;
    const flag = `--ignore-column ${flagWord(name)}`;
    const found = isOne ? all : [locate(name, flag, columns, options, problems)];
    for (const at of found) if (wishes[at] !== undefined) wishes[at].ignored = true;
  }
  for (const [order, [name, target]] of [...options.overrides].entries()) {
    const flag = `--map ${flagWord(`${name}=${target}`)}`;
    problems.push(...checkTarget(target, flag, options, reader));
    const wish = wishes[locate(name, flag, columns, options, problems)];
    if (wish !== undefined) problems.push(...override(wish, name, target, flag));
    if (wish !== undefined) wish.order ??= order;
  }
  return wishes;
}

function override(wish: ColumnWish, column: string, target: string, flag: string): string[] {
  if (wish.ignored)
    return [`${flag}: the column is dropped by --ignore-column as well; keep one of the two.`];
  if (wish.overridden && wish.name !== target) {
    return [
      `${flag}: the column is mapped to ${wish.name} already; keep one --map for "${showName(column)}".`,
    ];
  }
  wish.name = target;
  wish.overridden = true;
  return [];
}

/** Index of the one column that a flag names, or -1. */
function locate(
  name: string,
  flag: string,
  columns: readonly string[],
  options: MappingOptions,
  problems: string[],
): number {
  const [first, second] = findColumns(name, columns);
  if (first === undefined) {
    if (options.optionalColumns !== true)
      problems.push(`${flag} names no column${didYouMean(name, columns)}`);
    return -1;
  }
  if (second === undefined) return first;
  problems.push(
    `${flag} may mean the column "${showName(columns[first] ?? '')}" or "${showName(columns[second] ?? '')}"; write its name exactly.`,
  );
  return -1;
}

function checkTarget(
  target: string,
  flag: string,
  { personas }: MappingOptions,
  reader: HeadingReader,
): string[] {
  if (reader.knowsTarget(target)) return [];
  const slugs = personas.flatMap((persona) => persona.fields.map((field) => field.slug));
  return [`${flag}: there is no field "${showName(target)}"${didYouMean(target, slugs)}`];
}

function didYouMean(name: string, candidates: readonly string[]): string {
  const near = nearest(name, candidates);
  return near === undefined ? '.' : `; did you mean "${showName(near)}"?`;
}

/**
 * Reads the values of `--map`, each `Header=slug`; the last `=` separates, so a header may hold one.
 * Throws a UsageError on any other form and on a header with two different targets.
 */
export function parseMapFlags(flags: readonly string[]): Map<string, string> {
  const overrides = new Map<string, string>();
  for (const flag of flags) {
    const separator = flag.lastIndexOf('=');
    const header = flag.slice(0, Math.max(separator, 0)).trim();
    const target = flag.slice(separator + 1).trim();
    if (header === '' || target === '') {
      throw new UsageError(`--map "${flag}" is not of the form "Header=field".`, {
        hint: 'Write for example --map "E-mail address=email".',
      });
    }
    const known = overrides.get(header);
    if (known !== undefined && known !== target) {
      throw new UsageError(`--map names the column "${header}" twice, for "${known}" and for "${target}".`, {
        hint: 'Keep the one that is meant.',
      });
    }
    overrides.set(header, target);
  }
  return overrides;
}
