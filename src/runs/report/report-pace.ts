import type { PaceReport } from '../../report/views/run-report.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { RUN_ITSELF } from '../../sync/journal/steps.ts';

/** Points of the line, and the share of the time that a wait must take to be told. */
const POINTS = 240;

/** Steps before which a request has left for a row. */
const LEFT = `FROM step WHERE run = $run AND (what = 'sent' OR (what = 'deleted' AND detail = 'asked for'))`;

/** When the requests of a run left; undefined where none has. */
export function readPace(journal: Journal, run: string): PaceReport | undefined {
  const all = journal.get<{ requests: number; from?: number; to?: number }>(
    `SELECT count(*) AS requests, min(at) AS "from", max(at) AS "to" ${LEFT}`,
    { $run: run },
  );
  if (all?.from === undefined || all.to === undefined) return undefined;
  const { requests, from, to } = all;
  const spanMs = Math.max(1, to - from);
  const values = { $run: run, $from: from, $span: spanMs };
  const points = journal.all<{ at: number; n: number }>(
    `SELECT max(at) AS at, count(*) AS n ${LEFT} GROUP BY CAST((at - $from) * ${POINTS} / $span AS INTEGER) ORDER BY 1`,
    values,
  );
  let sent = 0;
  const line = points.map(({ at, n }) => ({ at, sent: (sent += n) }));
  const waits = journal.all<{ from: number; to: number }>(
    `SELECT before AS "from", at AS "to" FROM (SELECT at, lag(at) OVER (ORDER BY at) AS before ${LEFT})
     WHERE at - before >= max(2000, $span / ${POINTS}) ORDER BY at`,
    { $run: run, $span: spanMs },
  );
  return { requests, from, to, line, waits, limit: readLimit(journal, run) };
}

function readLimit(journal: Journal, run: string): PaceReport['limit'] {
  const step = journal.get<{ detail: string }>(
    `SELECT detail FROM step WHERE run = $run AND seq = $itself AND what = 'paced' ORDER BY no DESC LIMIT 1`,
    { $run: run, $itself: RUN_ITSELF },
  );
  return step && (JSON.parse(step.detail) as PaceReport['limit']);
}
