import type { Difference } from '../../registration/model/difference.ts';
import type { AuditReport } from '../../report/views/run-report.ts';
import type { FieldCount } from '../../report/views/summary-view.ts';
import type { Journal } from '../../sync/journal/journal.ts';

/** What reading back the rows of a run has shown; undefined where none was read back. */
export function readAudit(journal: Journal, run: string): AuditReport | undefined {
  const values = { $run: run };
  const checked = journal.count('FROM row WHERE run = $run AND checked_at IS NOT NULL', values);
  const findings = journal.count('FROM finding WHERE run = $run', values);
  const fields = journal.all<FieldCount & { kind: Difference['kind'] }>(
    `SELECT value ->> 'kind' AS kind, value ->> 'field' AS field, count(*) AS rows
     FROM row, json_each(row.differences) WHERE row.run = $run AND row.differences IS NOT NULL
     GROUP BY 1, 2 ORDER BY 3 DESC, 2`,
    values,
  );
  if (checked + findings + fields.length === 0) return undefined;
  const of = (wanted: Difference['kind']): FieldCount[] =>
    fields.filter(({ kind }) => kind === wanted).map(({ field, rows }) => ({ field, rows }));
  return { checked, findings, stored: of('stored'), changed: of('changed'), refused: of('refused') };
}
