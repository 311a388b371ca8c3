import type { Reject } from '../../registration/model/row.ts';
import { headingName } from './heading-name.ts';
import type { TableRecord } from '../source/table-record.ts';
import type { TableHeader } from './table-header.ts';
import { placeOf, type TableOptions } from './table-options.ts';

/** Whether a record is the header once more, as files put together from several have it: nobody is called so. */
export function isHeaderAgain({ cells }: TableRecord, { columns, positions }: TableHeader): boolean {
  return columns.length > 1 && columns.every((name, at) => headingName(cells[positions[at] ?? -1]) === name);
}

export function rejectHeaderAgain({ line }: TableRecord, header: TableHeader, options: TableOptions): Reject {
  const { file, sheet } = options;
  const first = placeOf(options, header.line);
  const reason = {
    column: undefined,
    field: undefined,
    value: undefined,
    problem: `repeats the header of ${first}`,
    remedy: 'delete the row',
    personal: false,
  };
  return { place: { file, sheet, line }, reasons: [reason] };
}
