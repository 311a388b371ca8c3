import type { Figures } from './figures.ts';
import type { ServerSpec } from './servers.ts';

export const LEGEND = [
  'refused: answered 429, of all requests. overall: the shortest possible time / the time taken.',
  'steady: granted of the permitted, from the 4th window’s worth to the last, if that is four or more. idle: longest time between two grants.',
  'left: rows not taken within three times the shortest time. 64 callers; every push to a fresh server.',
].join('\n');

export function heading({ name, limit, windowMs, latencyMs, jitterMs }: ServerSpec, rows: number): string {
  const limits = `${limit} per ${windowMs / 1000} s, latency ${latencyMs} ± ${jitterMs} ms, ${rows} rows`;
  return `\n${name} (${limits})\n${cells('', ['refused', 'overall', 'steady', 'idle', 'left'])}`;
}

export function line(client: string, figures: Figures, rows: number): string {
  const { refusedShare, overall, steady, longestIdleMs, granted } = figures;
  const shares = [refusedShare, overall, steady].map((share) =>
    share === undefined ? '-' : `${(share * 100).toFixed(1)} %`,
  );
  const left = rows - granted;
  return cells(client, [...shares, `${(longestIdleMs / 1000).toFixed(2)} s`, left === 0 ? '' : String(left)]);
}

/** Figures from a machine that was busy with something else are worth less. */
export function closing(p99Ms: number, maxMs: number): string {
  return `\nThis process was held up by ${p99Ms.toFixed(0)} ms (99 in 100), ${maxMs.toFixed(0)} ms at most.`;
}

function cells(first: string, others: readonly string[]): string {
  return `  ${first.padEnd(28)}${others.map((text) => text.padStart(10)).join('')}`.trimEnd();
}
