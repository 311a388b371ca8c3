import type { Cell } from '../registration/row.ts';
import { plural } from '../report/number.ts';
import { writeRejects } from '../report/rejects-writer.ts';
import type { IngestResult } from './ingest.ts';
import type { PushContext, PushOptions } from './push-options.ts';
import { rejectedRows } from './reject-rows.ts';

/** Every rejected row with every reason. Returns how many rows. */
export function reportRejects(run: string, { journal, reporter }: PushContext): number {
  let count = 0;
  for (const { place, reasons } of rejectedRows(journal, run)) {
    reporter.report({ type: 'rejected', reject: { place, reasons } });
    count += 1;
  }
  return count;
}

export async function writeRejectsFile(
  run: string,
  { rejects }: PushOptions,
  ingested: IngestResult,
  { journal, reporter }: PushContext,
): Promise<void> {
  if (rejects === undefined) return;
  const rows = function* () {
    for (const { place, reasons, raw } of rejectedRows(journal, run)) {
      if (raw === undefined) continue;
      const { columns, cells } = JSON.parse(raw) as { columns: string[]; cells: Cell[] };
      const errors = reasons.map(
        (reason) => `${reason.column ?? `${place.file}:${place.line}`}: ${reason.problem}`,
      );
      yield { columns, cells, errors: errors.join('; ') };
    }
  };
  const written = await writeRejects(
    rejects.file,
    rejects.format ?? ingested.format,
    ingested.delimiter,
    rows,
  );
  reporter.report({
    type: 'note',
    text: `${plural(written, 'rejected row', 'rejected rows')} written to ${rejects.file}: mend them and push that file.`,
  });
}
