import { UsageError } from '../errors.ts';
import { flagOf } from '../registration/model/option-flags.ts';
import type { InputFormat } from './source/file-kind.ts';
import type { InputOptions } from './read-input.ts';

/** Flags that say something about one kind of file only. */
type KindFlags = Partial<
  Pick<InputOptions, 'sheet' | 'includeHidden' | 'merged' | 'encoding' | 'delimiter' | 'quote' | 'extraCells'>
>;

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
  const [message, ...details] = [
    ...(workbooks > 0 ? [] : workbookFlags(flags).map((flag) => `${flag} is for workbooks, and ${isNone}.`)),
    ...(workbooks < inputs.length ? [] : textFlags(flags)).map(
      (flag) => `${flag} is for texts such as CSV, and ${areWorkbooks}.`,
    ),
  ];
  if (message !== undefined) throw new UsageError(message, { details, hint: 'Leave it out.' });
}

const workbookFlags = ({ sheet, includeHidden, merged }: KindFlags): string[] =>
  flagsOf({ sheet, includeHidden, merged });

const textFlags = ({ encoding, delimiter, quote, extraCells }: KindFlags): string[] =>
  flagsOf({ encoding, delimiter, quote, extraCells });

function flagsOf(options: KindFlags): string[] {
  return Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => flagOf(name));
}
