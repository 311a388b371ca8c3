import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getAsset, isSea } from 'node:sea';
import { replaceFile, writePieces } from '../records/replace-file.ts';
import type { PaceReport, RunReport } from '../views/run-report.ts';
import { formatCount, plural, formatDuration } from '../words/number.ts';
import {
  html,
  Html,
  auditSection,
  headSection,
  problemsSection,
  resultsSection,
  titleOf,
  warningsSection,
} from './html-sections.ts';
import { rowsJson } from './html-rows.ts';

/** Writes a report as a page that needs nothing else; it appears whole or not at all. */
export async function writeHtmlReport(
  path: string,
  report: RunReport,
  { showValues }: { showValues: boolean },
): Promise<void> {
  await replaceFile(path, (file) => writePieces(file, pageOf(report, showValues)));
}

/** The page in pieces, of which only those of rows are many. */
function* pageOf(report: RunReport, showValues: boolean): Generator<string> {
  const [script, style] = ['report-page.js', 'report-page.css'].map(readPart) as [string, string];
  yield html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="eventreg">
<title>${titleOf(report)} - eventreg</title>
<style>${new Html(style)}</style>
</head>
<body>
${headSection(report, { showValues })}
<main>
${resultsSection(report.results)}
${warningsSection(report)}
${problemsSection(report, showValues)}
${auditSection(report.audit)}
${report.pace && report.pace.to - report.pace.from >= SHORTEST_MS ? html`<section aria-labelledby="pace"><h2 id="pace">Pace</h2>${paceFigure(report.pace)}</section>` : undefined}
${rowsSection(report)}
</main>
<script type="application/json" id="data">`.text;
  yield* rowsJson(report, showValues);
  yield html`</script>
<script>${new Html(script)}</script>
</body>
</html>
`.text;
}

/** They lie beside this file, in the source and in the bundle; an executable has them inside. */
const readPart = (name: string): string =>
  isSea() ? getAsset(name, 'utf8') : readFileSync(new URL(name, import.meta.url), 'utf8');

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** The frame of the table; the script fills it. */
function rowsSection({ results, listed }: RunReport): Html {
  const all = results.reduce((sum, { rows }) => sum + rows, 0);
  const left =
    all > listed
      ? `Of ${formatCount(all)} rows only those are listed of which there is something to say.`
      : undefined;
  return html`<section aria-labelledby="rows">
<h2 id="rows">Rows</h2>
${left && html`<p>${left}</p>`}
<noscript><p>The table of rows needs JavaScript, which this page brings along: nothing is loaded from anywhere.</p></noscript>
<div id="table" hidden>
<div class="tools">
<label>Search <input id="search" type="search" autocomplete="off" spellcheck="false"></label>
<label>Show <select id="result"><option value="">all rows</option></select></label>
<p id="status" role="status"></p>
</div>
<div class="scroll" role="region" aria-label="Table of rows" tabindex="0">
<table>
<caption>Every row; a click on a guest tells the story</caption>
<thead><tr>${['Guest', 'Result', 'Barcode', 'Persona', 'What there is to say'].map((name) => html`<th scope="col"><button type="button">${name}</button></th>`)}</tr></thead>
<tbody></tbody>
</table>
</div>
<nav aria-label="Pages of the table">${['First', 'Previous', 'Next', 'Last'].map((name) => html`<button type="button">${name}</button>`)} <span id="page"></span></nav>
</div>
</section>`;
}

/** What took less has no pace. */
const SHORTEST_MS = 1000;
const WIDTH = 720;
const HEIGHT = 150;

/** How the requests left, as a drawing, with the same in words below it. */
function paceFigure(pace: PaceReport): Html {
  const { from, to, requests, line, waits, limit } = pace;
  const spanMs = Math.max(1, to - from);
  const x = (at: number): number => round(((at - from) / spanMs) * WIDTH);
  const y = (sent: number): number => round(HEIGHT - (Math.min(sent, requests) / requests) * HEIGHT);
  const points = [{ at: from, sent: 0 }, ...line];
  const path = points.map(({ at, sent }, no) => `${no === 0 ? 'M' : 'L'}${x(at)} ${y(sent)}`).join('');
  /** When as many might have left as did: a window's worth at once, and the others as the windows come. */
  const fullMs = limit?.windowMs && Math.max(0, (requests / limit.limit - 1) * limit.windowMs);
  return html`<figure>
<svg class="pace" viewBox="0 -8 ${WIDTH} ${HEIGHT + 34}" aria-hidden="true">
${waits.map((wait) => html`<rect class="wait" x="${x(wait.from)}" y="0" width="${round(x(wait.to) - x(wait.from))}" height="${HEIGHT}"/>`)}
<path class="axis" d="M0 0V${HEIGHT}H${WIDTH}"/>
${limit && fullMs ? html`<path class="limit" d="M0 ${y(limit.limit)}L${x(from + fullMs)} 0"/>` : undefined}
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
    ...limitInWords(requests, limit),
  ];
}

function limitInWords(requests: number, limit: PaceReport['limit']): string[] {
  if (limit === undefined) return [];
  const { windowMs } = limit;
  const some = `${formatCount(limit.limit)} in ${windowMs === undefined ? 'a time that is not known' : formatDuration(windowMs)}`;
  if (requests <= limit.limit) return [`The limit was not reached: ${some}.`];
  const what =
    windowMs === undefined
      ? 'The service allows'
      : 'The dashed line is about the most that the limit allows:';
  return [`${what} ${some}.`];
}
