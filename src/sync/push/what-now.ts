import type { InputFormat } from '../../input/source/file-kind.ts';

/** Rows that cannot be sent, and those that can. */
export interface WrongRows {
  rejected: number;
  left: number;
}

/** What the person wants where rows cannot be sent. */
export type WhatNow =
  | { do: 'stop' }
  /** Leave them out, as `--invalid skip`. */
  | { do: 'send' }
  /** Write them to a file, and send nothing. */
  | { do: 'write'; rejects: { file: string; format: InputFormat | undefined } }
  /** Say more about the file, and read it again. */
  | { do: 'again' };

/** Ends a push before anything is sent: the files are read again, to be asked about again. */
export class ReadAgain extends Error {
  constructor() {
    super('The files are read again.');
  }
}
