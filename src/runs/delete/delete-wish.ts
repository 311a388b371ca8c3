import type { SendContext } from '../../sync/journal/send-context.ts';

/** What the person asked to delete: ids and barcodes, or a persona. */
export interface Wanted {
  ids: readonly string[];
  barcodes: readonly string[];
  persona: string | undefined;
  /** What rows of a file say that is both: the registration has to agree. Undefined where no file was read. */
  pairs?: readonly WantedPair[];
}

/** A row of a file that gives an id and a barcode. */
export interface WantedPair {
  place: string;
  id: string;
  barcode: string;
}

/** Whether somebody has named each of them, rather than a list of them or a persona. */
export const isNamed = ({ persona, pairs }: Wanted): boolean => persona === undefined && pairs === undefined;

export type SelectContext = Pick<SendContext, 'journal' | 'run' | 'target' | 'clock' | 'registrations'>;
