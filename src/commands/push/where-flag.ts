import { InputError, UsageError } from '../../errors.ts';
import { findColumns } from '../../input/columns/column-names.ts';
import { nearest } from '../../input/source/nearest-name.ts';
import { OTHERS, ROW_LEFT_OUT } from '../../registration/model/option-flags.ts';
import { visible } from '../../report/words/escape.ts';
import type { PreparedInput } from '../../sync/ingest/prepare.ts';
import type { PushCommandOptions } from './push-command-options.ts';

/** Values of a column that a message names. */
const MOST_NAMED = 10;

type Values = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Typed options with what `--where` says of values among them. Throws a UsageError on any form but `Header=value`. */
export function withWhere(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const wishes = (options['where'] ?? []) as readonly string[];
  return wishes.length === 0
    ? options
    : { ...options, values: saidBy(wishes, (options['values'] ?? {}) as Values) };
}

/** The options without what `--where` says of values: it holds for one run. */
export function withoutWhere(options: PushCommandOptions): PushCommandOptions {
  const said = saidBy(options.where, {});
  return {
    ...options,
    values: valuesWhere(options.values, (meaning, text, heading) => said[heading]?.[text] !== meaning),
  };
}

/** The meanings that pass a test; columns of which nothing is left are not among them. */
export function valuesWhere(
  values: Values,
  test: (meaning: string, text: string, heading: string) => boolean,
): PushCommandOptions['values'] {
  return Object.fromEntries(
    Object.entries(values).flatMap(([heading, meanings]): [string, Record<string, string>][] => {
      const left = Object.entries(meanings).filter(([text, meaning]) => test(meaning, text, heading));
      return left.length === 0 ? [] : [[heading, Object.fromEntries(left)]];
    }),
  );
}

function saidBy(wishes: readonly string[], before: Values): Values {
  const values = { ...before };
  for (const wish of wishes) {
    const [, heading = '', sign, said = ''] = /^\s*(.*?\S)\s*(!?=)(.*)$/s.exec(wish) ?? [];
    if (sign === undefined) {
      throw new UsageError(`--where "${wish}" is not of the form "Header=value" or "Header!=value".`, {
        hint: 'Write for example --where "Payment status=paid".',
      });
    }
    const text = said.trim();
    const means = sign === '=' ? { [text]: text, [OTHERS]: ROW_LEFT_OUT } : { [text]: ROW_LEFT_OUT };
    values[heading] = { ...values[heading], ...means };
  }
  return values;
}

/** Refuses what would leave out none or all of the rows by a slip: nothing of it is used, or remembered. */
export function refuseSlips({ values }: { values: Values }, input: PreparedInput): void {
  refuseUnknown(values, input);
  refuseNobody(input);
}

/** A column that is not there leaves no row out: a slip would send all of them. */
function refuseUnknown(values: Values, { mappings }: PreparedInput): void {
  const columns = mappings.findings.columnMappings().flatMap((mapping) => mapping.columns);
  const unknown = Object.keys(values).find(
    (heading) =>
      Object.values(values[heading] ?? {}).includes(ROW_LEFT_OUT) &&
      findColumns(heading, columns).length === 0,
  );
  if (unknown === undefined || columns.length === 0) return;
  const near = nearest(unknown, columns);
  throw new UsageError(
    `--where "${unknown}": no column is called so${near === undefined ? '.' : `; did you mean "${near}"?`}`,
  );
}

/** As a value that no row has does. */
function refuseNobody({ files }: PreparedInput): void {
  if (!files.some(({ byValue }) => byValue.lines.size > 0)) return;
  if (files.some(({ byValue }) => byValue.leavesSome)) return;
  const names = files.map(({ stored }) => stored.file).join(', ');
  const left = files.flatMap(({ byValue }) => byValue.leftOut);
  const named = left.slice(0, MOST_NAMED).map(({ column, text, rows }) => {
    return `${text === '' ? 'blank' : text} in "${column}" (${rows})`;
  });
  const more = left.length > MOST_NAMED ? ', …' : '';
  const what = `all rows are left out by their values, as --where or an answer says: ${named.join(', ')}${more}`;
  throw new InputError(visible(`${names}: ${what}.`));
}
