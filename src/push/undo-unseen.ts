import type { Registration } from '../registration/registration.ts';
import type { UndoneRow } from './undo-rows.ts';

/** What a list may not show of a registration that a run has sent. */
export interface UnseenFacts {
  row: Pick<UndoneRow, 'sent'>;
  parentsShown: boolean;
  /** What had been sent of the registration before, newest first. */
  earlier?: (() => readonly Registration[]) | undefined;
}

/**
 * What a run has sent of a registration and the service does not list, as a clause: whether that is as it was
 * before cannot be told, nor can it be taken back. Undefined where there is nothing of the kind.
 */
export function describeUnseen(facts: UnseenFacts): string | undefined {
  const parent = unseenParent(facts);
  return parent === undefined
    ? undefined
    : `it may still be a member of ${parent} (parent_barcode), which the service does not list`;
}

/** The parent that the run has given it, unless it had that one from an earlier run. */
function unseenParent({ row: { sent }, parentsShown, earlier }: UnseenFacts): string | undefined {
  if (parentsShown || sent?.parentBarcode === undefined) return undefined;
  const last = earlier?.().find(({ parentBarcode, leavesGroup }) => parentBarcode ?? leavesGroup);
  return last?.parentBarcode === sent.parentBarcode ? undefined : sent.parentBarcode;
}
