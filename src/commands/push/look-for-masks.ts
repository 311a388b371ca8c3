import type { StoredInput } from '../../input/source/stored-input.ts';
import type { WorkContext } from '../../sync/journal/send-context.ts';
import { MaskedValues } from '../../sync/journal/masked-values.ts';
import { MaskedRows } from '../../sync/ingest/masked-rows.ts';
import { cloneMaskedBy } from '../connect/clone-files.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import type { Call } from '../terminal/terminal.ts';

/** What looks whether the lists of a push are masked for the service that they go to. */
export function lookForMasks(
  { journal, maskedBy, isSandbox }: WorkContext,
  inputs: readonly StoredInput[],
  { options: { accept }, runtime: { paths } }: Call<PushCommandOptions>,
): MaskedRows {
  return new MaskedRows(new MaskedValues(journal), {
    files: inputs.map(({ file }) => file),
    targetMark: maskedBy,
    takesSample: isSandbox,
    accepts: accept.includes('masked'),
    cloneOf: (mark) => cloneMaskedBy(paths.state, mark),
  });
}
