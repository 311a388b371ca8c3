import type { PaceReport } from '../../report/views/run-report.ts';
import type { Journal } from '../journal/journal.ts';
import { RUN_ITSELF, sentTimes, stepsOf } from '../journal/steps.ts';

/** Points of the line, and the share of the time that a wait must take to be told. */
const POINTS = 240;
const SHORTEST_WAIT_MS = 2000;

/** When the requests of a run left; undefined where none has. */
export function readPace(journal: Journal, run: string): PaceReport | undefined {
  const times = sentTimes(journal, run);
  const [from] = times;
  const to = times.at(-1);
  if (from === undefined || to === undefined) return undefined;
  const stepMs = Math.max(1, to - from) / POINTS;
  const points = new Map<number, { at: number; sent: number }>();
  for (const [index, at] of times.entries()) {
    points.set(Math.trunc((at - from) / stepMs), { at, sent: index + 1 });
  }
  const waits = times.flatMap((at, index) => {
    const before = times[index - 1] ?? at;
    return at - before >= Math.max(SHORTEST_WAIT_MS, stepMs) ? [{ from: before, to: at }] : [];
  });
  const limit = readLimit(journal, run);
  return { requests: times.length, from, to, line: [...points.values()], waits, limit };
}

/** How many requests the service allowed in a window, as it said last. */
export function readLimit(journal: Journal, run: string): PaceReport['limit'] {
  const detail = stepsOf(journal, run, RUN_ITSELF).findLast(({ what }) => what === 'paced')?.detail;
  return detail === undefined ? undefined : (JSON.parse(detail) as PaceReport['limit']);
}
