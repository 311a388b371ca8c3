import type { Reject, SourceRow } from '../../registration/model/row.ts';

/** Some rows of the input, in the order of the file. */
export interface InputBatch {
  rows: readonly SourceRow[];
  /** Records that could not be read, the file going on after them. */
  rejects: readonly Reject[];
}
