import type { Switches } from '../../src/sandbox/store/switches.ts';
import type { Kill } from './bench.ts';
import type { Habits } from './habits.ts';
import type { Slug } from './values.ts';

/** A row of a file. A blank cell is ''. */
export interface FileRow {
  /** Who it is: the same in every file, whatever the row says. */
  guest: number;
  persona: string;
  barcode: string;
  parent: string;
  comms: boolean;
  cells: Readonly<Partial<Record<Slug, string>>>;
}

/** A file as it is pushed. */
export interface ModelFile {
  columns: readonly Slug[];
  hasBarcodes: boolean;
  hasParents: boolean;
  rows: readonly FileRow[];
}

/** What somebody else does to the service. The registration is the n-th, counted round. */
export type Edit =
  | { kind: 'value'; nth: number; slug: Slug; value: string }
  | { kind: 'parent'; nth: number }
  | { kind: 'comms'; nth: number; comms: boolean }
  | { kind: 'delete'; nth: number }
  | { kind: 'reissue'; nth: number; barcode: string }
  /** Another person gets the ticket; `anew`: registered for it, with another id. */
  | { kind: 'substitute'; nth: number; first: string; last: string; email: string; anew: boolean };

export interface PushStep {
  kind: 'push';
  file: ModelFile;
  flags: readonly string[];
  /** A dry run with its diff goes before. */
  dry: boolean;
  /**
   * Somebody else acts when the request with this number comes; `isLate`: on whoever was sent last, once so many
   * more have been.
   */
  during: { request: number; edit: Edit; isLate?: boolean } | undefined;
  /** The process dies, and the same command is given again. */
  kill: Kill | undefined;
  /** Behind another push it begins a second later, and not once every list shows what that has done. */
  soon?: boolean;
}

export type Step =
  | PushStep
  | { kind: 'edit'; edit: Edit }
  | { kind: 'days'; days: number }
  | { kind: 'undo' }
  | { kind: 'delete'; barcode: string };

/** A registration that staff put into the service before the first push. */
export interface StaffEntry {
  persona: string;
  barcode: string;
  parent: string;
  comms: boolean;
  fields: Readonly<Partial<Record<Slug, string>>>;
}

export interface Scenario {
  switches: Partial<Switches>;
  habits?: Habits | undefined;
  /** Judged by all that is to hold, also by what today's core does not do. */
  strict?: boolean;
  staff: readonly StaffEntry[];
  steps: readonly Step[];
  /** Nothing in it is a reason not to do all that the files say. */
  calm: boolean;
}
