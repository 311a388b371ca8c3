import { cameTo, contradictedBy, CONTRADICTIONS } from '../../test/support/rate/contradictions.ts';
import { median, missedBy, PROMISES, reachedBy } from '../../test/support/rate/promises.ts';
import { allCommands, allSeries, compareSeries, runCommands } from '../../test/support/rate/series.ts';

const NAME_WIDTH = 36;
const WIDE = 76;
const WIDTH = 9;
const SEEDS = [0, 1, 2, 3, 4];
const SERIES_SEEDS = 20;
/** So much longer than a fresh start a push after small commands may take. */
const SLOWER = { mean: 1.005, worst: 1.1 };

/** What is promised, a line each: what is reached, and what is missed. `phases`: fewer than are promised. */
export function* promisedLines(only: string, phases?: number): Generator<string> {
  const rows = PROMISES.filter(({ name }) => `promised ${name}`.includes(only));
  if (rows.length > 0) {
    const headings = ['steady', 'worst', 'overall', 'worst', 'refused', 'worst', 'together', 'theirs'];
    yield line('promised, 20.5 windows, all phases, %', headings);
  }
  for (const row of rows) {
    const reached = reachedBy(row, phases);
    const { steady, steadyWorst, overall, overallWorst, refused, refusedWorst, together, theirs } = reached;
    const figures = [steady, steadyWorst, overall, overallWorst].map((figure) => figure.toFixed(1));
    const shares = [refused, refusedWorst].map((figure) => figure.toFixed(2));
    const shared = row.world.share === undefined ? [] : [together.toFixed(1), theirs.toFixed(1)];
    const missed = missedBy(reached, row.bounds).join('; ');
    yield line(row.name, [...figures, ...shares, ...shared, missed === '' ? '' : `   missed: ${missed}`]);
  }
  yield* contradictionLines(only);
  for (const isLearnt of [false, true]) yield* seriesLines(only, isLearnt);
  for (const headers of ['always', 'remaining-only', 'never'] as const) yield* commandLines(only, headers);
}

/** Services that contradict the model: time over the shortest, and refused, in the median and the worst of the seeds. */
function* contradictionLines(only: string): Generator<string> {
  const rows = CONTRADICTIONS.filter(({ name }) => `contradiction ${name}`.includes(only));
  if (rows.length === 0) return;
  const headings = ['over', 'worst', 'refused', 'worst', 'theirs'];
  yield line('contradictions, 5 seeds', headings, WIDE);
  let misses = 0;
  for (const row of rows) {
    const { name, world, most } = row;
    const came = cameTo(row);
    const missed = contradictedBy(came, most).join('; ');
    if (missed !== '') misses += 1;
    const pair = (figures: readonly number[]) => [median(figures), figures.at(-1) ?? Number.NaN];
    const cells = [...pair(came.over), ...pair(came.refused)].map((figure) => figure.toFixed(2));
    const theirs = world.share === undefined ? '' : median(came.theirs).toFixed(1);
    yield line(name, [...cells, theirs, missed === '' ? '' : `   missed: ${missed}`], WIDE);
  }
  yield `${misses} of ${rows.length} missed`;
}

function* commandLines(only: string, headers: 'always' | 'remaining-only' | 'never'): Generator<string> {
  const name = `series of small commands that read one by one, pauses of 1 to 20 s, headers ${headers}`;
  if (!`promised ${name}`.includes(only)) return;
  const all = SEEDS.flatMap((seed) => allCommands(seed, headers)).map((commands) => ({
    ...commands,
    ...runCommands(commands),
  }));
  const slow = all.filter(({ slower }) => slower > 1.05).length;
  const worst = all.toSorted((a, b) => b.refusedShare - a.refusedShare);
  const mean = all.reduce((sum, { refusedShare }) => sum + refusedShare, 0) / all.length;
  yield `${name}: ${slow} of ${all.length} slower than 1.05, refused ${(100 * mean).toFixed(2)} %`;
  for (const { kind, windowMs, latencyMs, pauseMs, seed, refusedShare } of worst.slice(0, 3))
    yield `  ${kind}, ${windowMs / 1000} s, ${latencyMs} ms, pauses of ${pauseMs / 1000} s, seed ${seed}: refused ${(100 * refusedShare).toFixed(2)} %`;
}

function* seriesLines(only: string, isLearnt: boolean): Generator<string> {
  const name = `series of small commands${isLearnt ? ', the window learnt before' : ''}`;
  if (!`promised ${name}`.includes(only)) return;
  const all = allSeries(0, isLearnt).map((series) => ({ ...series, ...compareSeries(series, SERIES_SEEDS) }));
  const slow = all.filter(({ mean, worst }) => mean > SLOWER.mean || worst > SLOWER.worst);
  const refused = all.reduce((sum, one) => sum + one.refused, 0) / all.length;
  const [mean, worst] = (['mean', 'worst'] as const).map((key) => Math.max(...all.map((one) => one[key])));
  yield `${name}: ${slow.length} of ${all.length} slower than a fresh start and a latency by ${SLOWER.mean} on average of ${SERIES_SEEDS} seeds or ${SLOWER.worst} at worst (at most ${mean?.toFixed(3)} and ${worst?.toFixed(3)}), refused ${(100 * refused).toFixed(2)} %`;
  for (const { kind, windowMs, pauseMs, ...came } of slow)
    yield `  ${kind}, ${windowMs / 1000} s, pauses of ${pauseMs / 1000} s: ${came.mean.toFixed(3)}, ${came.worst.toFixed(2)} at worst`;
}

function line(name: string, cells: readonly string[], nameWidth = NAME_WIDTH): string {
  return (name.padEnd(nameWidth) + cells.map((cell) => cell.padStart(WIDTH)).join('')).trimEnd();
}
