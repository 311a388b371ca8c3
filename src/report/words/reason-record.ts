import type { DocumentBody } from '../../documents/documents.ts';
import type { Note, Reason } from '../../registration/model/row.ts';
import { mask } from './mask.ts';

type MendedRecord = DocumentBody<'runs-show@1'>['rows'][number]['mended'][number];
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

/** A mended cell for programs; values of persons are masked unless `showValues`. */
export function mendedRecord(
  { column, field, repair, before, after, personal }: Note,
  showValues: boolean,
): MendedRecord {
  const show = (text: string): string => (personal && !showValues ? mask(text) : text);
  return { column, field, repair, before: show(before), after: show(after) };
}
