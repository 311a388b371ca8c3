import type { RecordImage } from '../../registration/model/registration.ts';
import type { EarlierDelete } from './delete-claim.ts';
import type { AbsentNames } from './delete-before.ts';
import type { DeleteSummary } from './delete-summary.ts';
import type { DeletePendingOptions } from './delete-pending.ts';
import type { DeleteRow } from '../../sync/journal/delete-rows.ts';
import type { WorkContext } from '../../sync/journal/send-context.ts';

export interface DeleteContext extends WorkContext {
  /** The service in words, for the question. */
  label: string;
  /** Shows what would be deleted, in a dry run. */
  onShow: (rows: Iterable<DeleteRow>) => Promise<void>;
  onRow: NonNullable<DeletePendingOptions['onRow']>;
  /** Told at the end, while the rows of the run are in the journal; those of a dry run do not stay there. */
  onEnd?: (run: string, summary: DeleteSummary) => Promise<void>;
  /**
   * Writes registrations where push can take them back from; durable when it returns where that is.
   * `further`: the run has a backup already, which stays.
   */
  backUp: (records: Iterable<RecordImage>, how: { further: boolean }) => string;
}

/** What is known of a delete before anything is deleted. */
export interface DeleteFacts extends AbsentNames {
  read: string;
  key: string;
  earlier: EarlierDelete | undefined;
  /** Of what was asked for, registrations that earlier commands have deleted. */
  gone: number;
}
