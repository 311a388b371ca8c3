import type { PaceReport } from '../views/run-report.ts';
import { formatDuration } from '../words/duration.ts';
import { formatCount, plural } from '../words/number.ts';
import { html, type Html } from './html.ts';

const WIDTH = 720;
const HEIGHT = 150;

/** How the requests left, as a drawing, with the same in words below it. */
export function paceFigure(pace: PaceReport): Html {
  const { from, to, requests, line, waits, limit } = pace;
  const spanMs = Math.max(1, to - from);
  const x = (at: number): number => round(((at - from) / spanMs) * WIDTH);
  const y = (sent: number): number => round(HEIGHT - (Math.min(sent, requests) / requests) * HEIGHT);
  const points = [{ at: from, sent: 0 }, ...line];
  const path = points.map(({ at, sent }, no) => `${no === 0 ? 'M' : 'L'}${x(at)} ${y(sent)}`).join('');
  /** When as many might have left as did: a window's worth at once, and the others as the windows come. */
  const fullMs = limit && Math.max(0, (requests / limit.limit - 1) * limit.windowMs);
  return html`<figure>
<svg class="pace" viewBox="0 -8 ${WIDTH} ${HEIGHT + 34}" aria-hidden="true">
${waits.map((wait) => html`<rect class="wait" x="${x(wait.from)}" y="0" width="${round(x(wait.to) - x(wait.from))}" height="${HEIGHT}"/>`)}
<path class="axis" d="M0 0V${HEIGHT}H${WIDTH}"/>
${limit && requests > limit.limit ? html`<path class="limit" d="M0 ${y(limit.limit)}L${x(from + (fullMs ?? 0))} 0"/>` : undefined}
<path class="sent" d="${path}"/>
<text x="0" y="${HEIGHT + 20}">0 s</text>
<text x="${WIDTH}" y="${HEIGHT + 20}" text-anchor="end">${formatDuration(spanMs)}</text>
<text x="6" y="12">${plural(requests, 'request', 'requests')}</text>
</svg>
<figcaption>${inWords(pace).join(' ')}</figcaption>
</figure>`;
}

const round = (n: number): number => Math.round(n * 10) / 10;

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
      : requests <= limit.limit
        ? `The limit was not reached: ${formatCount(limit.limit)} in ${formatDuration(limit.windowMs)}.`
        : `The dashed line is about the most that the limit allows: ${formatCount(limit.limit)} in ${formatDuration(limit.windowMs)}.`,
  ];
}
