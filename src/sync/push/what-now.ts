import type { ForeignColumn } from '../ingest/rejects.ts';
import type { InputFormat } from '../../input/source/file-kind.ts';

/** Rows that cannot be sent, and those that can. */
export interface WrongRows {
  rejected: number;
  left: number;
  /** Columns in which rows hold what their kind of guest has no field for; those with most rows first. */
  foreign: readonly ForeignColumn[];
}

/** What the person wants where rows cannot be sent. */
export type WhatNow =
  | { do: 'stop' }
  /** Leave them out, as `--invalid skip`. */
  | { do: 'send' }
  /** Write them to a file, and send nothing. */
  | { do: 'write'; rejects: { file: string; format: InputFormat | undefined } }
  /** Say more about the file, and read it again. */
  | { do: 'again' }
  /** Leave the values of a column out where the kind of guest has no such field. */
  | { do: 'leave-out'; column: string };

/** What was said of rows that could not be sent. */
interface SaidNow {
  leaveOut?: string;
}

/** Ends a push before anything is sent: the files are read again with what was said, or to be asked about again. */
export class ReadAgain extends Error {
  readonly said: SaidNow | undefined;

  constructor(said?: SaidNow) {
    super('The files are read again.');
    this.said = said;
  }
}
