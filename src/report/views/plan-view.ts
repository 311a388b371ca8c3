import { IN_DOUBT, type RowState } from '../../registration/model/row-states.ts';
import type { FieldChange } from '../../registration/changes/field-change.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import type { Place } from '../../registration/model/row.ts';

/** One entry of a plan, as far as it is shown. */
export interface PlanEntryView {
  /** Undefined for what no row of the files stands for. */
  place: Place | undefined;
  /** `unchanged` for all that nothing is sent for any more. */
  action: 'create' | 'update' | 'unchanged' | 'kept' | 'conflict' | 'unknown' | 'delete';
  barcode: string | undefined;
  /** Id of the registration in the service, as far as it is known. */
  id: string | undefined;
  persona: string | undefined;
  state: RowState;
  /** For a create every value with `before` undefined, for a deletion with `after` undefined. */
  changes: readonly FieldChange[];
  /** Why nothing is sent, or not yet; holds no values of persons. */
  why: string | undefined;
  /** Where one registration is asked about. */
  compared?: ComparedValues | undefined;
}

/** All values of a registration, side by side. */
export interface ComparedValues {
  /** Undefined when this machine knows of no time. */
  lastSent: LastSent | undefined;
  /** Whether the service shows what it holds. */
  isListed: boolean;
  values: readonly ThreeValues[];
}

export interface LastSent {
  run: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** One value as the file has it, as it was last sent, and as the service has it now; undefined for nothing. */
export interface ThreeValues {
  field: string;
  file: FieldValue | undefined;
  sent: FieldValue | undefined;
  service: FieldValue | undefined;
  /** It was sent, and the service shows nothing there, not even that it is empty. */
  isHidden?: boolean;
}

/** What is shown to become of an entry; `uncertain` is not decided before the service has been asked. */
export type ShownAction = Exclude<PlanEntryView['action'], 'unchanged'> | 'uncertain';

/** Undefined for what is not shown: it stays as it is. */
export function shownAction(entry: PlanEntryView): ShownAction | undefined {
  if (entry.action === 'unchanged') return undefined;
  return IN_DOUBT.has(entry.state) ? 'uncertain' : entry.action;
}
