import type { PaceReport } from '../views/run-report.ts';
import { formatDuration } from '../words/duration.ts';
import { formatCount, plural } from '../words/number.ts';
import { html, type Html } from './html.ts';

const WIDTH = 720;
const HEIGHT = 150;
/** More steps of the limit than this are drawn as a slope. */
const MOST_STEPS = 200;

/** How the requests left, as a drawing, with the same in words below it. */
export function paceFigure(pace: PaceReport): Html {
  const { from, to, requests, line, waits, limit } = pace;
  const spanMs = Math.max(1, to - from);
  const x = (at: number): number => round(((at - from) / spanMs) * WIDTH);
  const y = (sent: number): number => round(HEIGHT - (Math.min(sent, requests) / requests) * HEIGHT);
  const points = [{ at: from, sent: 0 }, ...line];
  const path = points.map(({ at, sent }, no) => `${no === 0 ? 'M' : 'L'}${x(at)} ${y(sent)}`).join('');
  const words = inWords(pace);
  return html`<figure>
<svg class="pace" viewBox="0 -8 ${WIDTH} ${HEIGHT + 34}" role="img" aria-label="${words.join(' ')}">
${waits.map((wait) => html`<rect class="wait" x="${x(wait.from)}" y="0" width="${round(x(wait.to) - x(wait.from))}" height="${HEIGHT}"/>`)}
<path class="axis" d="M0 0V${HEIGHT}H${WIDTH}"/>
${limit && html`<path class="limit" d="${allowed(limit, spanMs, { x: (ms) => x(from + ms), y, requests })}"/>`}
<path class="sent" d="${path}"/>
<text x="0" y="${HEIGHT + 20}">0 s</text>
<text x="${WIDTH}" y="${HEIGHT + 20}" text-anchor="end">${formatDuration(spanMs)}</text>
<text x="6" y="12">${plural(requests, 'request', 'requests')}</text>
</svg>
<figcaption>${words.map((sentence) => html`<p>${sentence}</p>`)}</figcaption>
</figure>`;
}

const round = (n: number): number => Math.round(n * 10) / 10;

/** The most that the limit allows by when: so many more with each window. */
function allowed(
  { limit, windowMs }: NonNullable<PaceReport['limit']>,
  spanMs: number,
  { x, y, requests }: { x: (ms: number) => number; y: (sent: number) => number; requests: number },
): string {
  const windows = Math.ceil(spanMs / windowMs);
  if (windows > MOST_STEPS) return `M0 ${y(limit)}L${x(spanMs)} ${y(limit + (spanMs / windowMs) * limit)}`;
  let path = `M0 ${y(limit)}`;
  for (let no = 1; no <= windows && (no - 1) * limit < requests; no += 1) {
    path += `H${x(Math.min(no * windowMs, spanMs))}V${y((no + 1) * limit)}`;
  }
  return path;
}

function inWords({ from, to, requests, waits, limit }: PaceReport): string[] {
  const waitedMs = waits.reduce((sum, wait) => sum + wait.to - wait.from, 0);
  const some = plural(requests, 'request for a row', 'requests for rows');
  return [
    `The line is what was sent by when: ${some} in ${formatDuration(to - from)}.`,
    waits.length === 0
      ? 'None of them waited for long.'
      : `Where it is shaded, nothing was sent: ${plural(waits.length, 'wait', 'waits')}, ${formatDuration(waitedMs)} in all.`,
    limit === undefined
      ? 'The service told no limit.'
      : `The dashed line is the most that the limit allows from the first request on: ${formatCount(limit.limit)} in ${formatDuration(limit.windowMs)}.`,
  ];
}
