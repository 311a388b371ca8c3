import { UsageError } from '../errors.ts';
import { flagOf } from '../registration/model/option-flags.ts';
import type { InputFormat } from './source/file-kind.ts';
import type { InputOptions } from './read-input.ts';

/** Flags that say something about one kind of file only. */
const OF_WORKBOOKS = ['sheet', 'includeHidden', 'merged'] as const;
const OF_TEXTS = ['encoding', 'delimiter', 'quote', 'extraCells'] as const;
type KindFlags = Partial<Pick<InputOptions, (typeof OF_WORKBOOKS | typeof OF_TEXTS)[number]>>;

/**
 * Throws a UsageError naming every flag that says nothing about any of the files: whoever gives one counts
 * on it. Of files of different kinds it is enough that one has a use for it.
 */
export function refuseUnusedFlags(
  inputs: readonly { file: string; format: InputFormat }[],
  flags: KindFlags,
): void {
  const workbooks = inputs.filter(({ format }) => format === 'xlsx').length;
  const [only = { file: '' }, ...others] = inputs;
  const all = others.length > 0;
  const isNone = all ? 'none of the files is one' : `${only.file} is none`;
  const areWorkbooks = all ? 'all files are workbooks' : `${only.file} is a workbook`;
  const given = (names: readonly (keyof KindFlags)[]): string[] =>
    names.filter((name) => flags[name] !== undefined).map(flagOf);
  const [message, ...details] = [
    ...given(workbooks > 0 ? [] : OF_WORKBOOKS).map((flag) => `${flag} is for workbooks, and ${isNone}.`),
    ...given(workbooks < inputs.length ? [] : OF_TEXTS).map(
      (flag) => `${flag} is for texts such as CSV, and ${areWorkbooks}.`,
    ),
  ];
  if (message !== undefined) throw new UsageError(message, { details, hint: 'Leave it out.' });
}
