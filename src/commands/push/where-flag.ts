import { UsageError } from '../../errors.ts';
import { findColumns } from '../../input/columns/column-names.ts';
import { nearest } from '../../input/source/nearest-name.ts';
import { OTHERS, ROW_LEFT_OUT } from '../../registration/model/option-flags.ts';
import type { PreparedInput } from '../../sync/ingest/prepare.ts';

type Values = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Typed options with what `--where` says of values among them. Throws a UsageError on any form but `Header=value`. */
export function withWhere({ where, ...options }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const wishes = (where ?? []) as readonly string[];
  const values = { ...((options['values'] ?? {}) as Values) };
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
  return wishes.length === 0 ? options : { ...options, values };
}

/** A column that is not there leaves no row out: a slip would send all of them. */
export function refuseUnknown({ values }: { values: Values }, { mappings }: PreparedInput): void {
  const columns = (mappings.findings.columnMappings() ?? []).flatMap((mapping) => mapping.columns);
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
