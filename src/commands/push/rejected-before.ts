import { UsageError } from '../../errors.ts';
import type { PreparedInput } from '../../sync/ingest/prepare.ts';
import type { RowProblem } from '../../report/views/summary-view.ts';
import { digestOf, type KeptFor, readKept, writeKept } from '../../settings/mappings.ts';
import type { Call } from '../terminal/terminal.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import { mappingsFolder } from '../connect/shared-files.ts';
import { recallFile, withSaid } from './remembered.ts';

/** By what is remembered of a file the rows that were rejected. */
const REJECTED = 'rejected';
const DIGITS = 12;

/**
 * How many of the rejected rows were rejected for the same at the last push of a list with these headings: what is wrong with
 * them tells them apart, and is kept as a digest. A dry run is no push.
 */
export async function countRejectedBefore(
  problems: readonly RowProblem[],
  { mappings }: PreparedInput,
  target: KeptFor,
  { options, runtime }: Call<PushCommandOptions>,
): Promise<number> {
  if (!options.savedMapping) return 0;
  const shapes = mappings.findings.columnMappings().map(({ columns }) => columns);
  const folder = mappingsFolder(runtime);
  const kept = readKept(folder, target);
  const before = new Set(
    shapes.flatMap((columns) => String(recallFile(kept, columns)[REJECTED] ?? '').match(/\S+/g) ?? []),
  );
  const now = problems.flatMap(({ reasons }) => {
    const wrong = reasons?.flatMap(({ column = '', value = '', problem }) => [column, value, problem]);
    return wrong === undefined ? [] : digestOf(wrong).slice(0, DIGITS);
  });
  if (!options.dryRun && now.length + before.size > 0)
    await writeKept(folder, target, ({ files, ...others }) => ({
      ...others,
      files: shapes.reduce((all, columns) => withSaid(all, columns, { [REJECTED]: now.join(' ') }), files),
    })).catch((error: unknown) => {
      // Told already by whoever keeps what columns are.
      if (!(error instanceof UsageError)) throw error;
    });
  return now.filter((one) => before.has(one)).length;
}
