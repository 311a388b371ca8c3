import type { FieldValue } from './registration.ts';

/** Where a registration is not as it was to be left. */
export interface Difference {
  /** Slug of the field, or `persona`, `parent_barcode`, `enable_comms`; `id` where it is another registration now. */
  field: string;
  /**
   * `stored`: listed otherwise than sent. `refused`: twice so, right after it was sent. `changed`: it was not
   * sent, and is not as it was before; whether the service or somebody else has changed it cannot be told. `disputed`:
   * it was not sent, because nothing tells which side is right.
   */
  kind: 'stored' | 'refused' | 'changed' | 'disputed';
  /** As sent, as it was before, or as the file has it; undefined for nothing. */
  expected: FieldValue | undefined;
  /** As it is listed. */
  found: FieldValue | undefined;
}
