import type { DocumentBody } from '../../documents/documents.ts';
import type { Reason } from '../../registration/model/row.ts';
import { mask } from './mask.ts';

type ReasonRecord = DocumentBody<'runs-why@1'>['stories'][number]['runs'][number]['reasons'][number];

/** A reason for programs; values of persons are masked unless `showValues`. */
export function reasonRecord(
  { column, field, code, value, problem, remedy, personal }: Reason,
  showValues: boolean,
): ReasonRecord {
  return {
    column: column ?? null,
    field: field ?? null,
    code,
    value: value === undefined || !personal || showValues ? (value ?? null) : mask(value),
    message: problem,
    remedy: remedy ?? null,
  };
}
