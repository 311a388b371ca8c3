import { cut } from '../../registration/model/cut.ts';
import { describeGroups } from '../progress/format-groups.ts';
import type { AuditReport, ResultCount, RunReport } from '../views/run-report.ts';
import type { FieldCount, RowProblem } from '../views/summary-view.ts';
import { formatDifference } from '../words/difference-text.ts';
import { formatDuration, formatCount, plural } from '../words/number.ts';
import { visible } from '../words/escape.ts';
import { maskUnless } from '../../registration/evidence/mask.ts';
import { utcTime } from '../words/time-words.ts';

/** A piece of a page, as it stands there. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Html | string | number | undefined | readonly Piece[];

/** A piece of a page, in which every text is a text: what could be read as a tag or its end is escaped. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(strings.map((string, at) => `${string}${textOf(pieces[at])}`).join(''));
}

function textOf(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'string' || typeof piece === 'number') return escaped(String(piece));
  return piece.map(textOf).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** A value as JSON that ends no script. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

const BAR_WIDTH = 1000;
/** However few they are, they are to be seen. */
const LEAST_WIDTH = 6;
const PLACES_SHOWN = 12;
const GROUPS_SHOWN = 100;

const LONGEST_TEXT = 300;
/** Sentences, each of which may name a few things. */
const LONGEST_WARNING = 1000;

/** A text from outside, cut and safe to look at. */
const shown = (text: string): string => visible(cut(text, LONGEST_TEXT));

/** `push of guests.csv`, for a title. */
export function titleOf({ kind, files, dry }: RunReport): string {
  // Of a delete and an undo they are backups.
  const of = files.length === 0 || kind !== 'push' ? kind : `${kind} of ${files.map(shown).join(', ')}`;
  return dry ? `${of}, nothing sent` : of;
}

/** What was done, where, when, by which file; and whether values of persons are shown. */
export function headSection(report: RunReport, { showValues }: { showValues: boolean }): Html {
  const { run, state, event, service, startedAt, endedAt, files, dry, remarks } = report;
  const facts: [string, Html | string][] = [
    ['Event', `${shown(event)} at ${shown(service)}`],
    ...(files.length === 0 ? [] : [[fileWord(report), files.map(shown).join(', ')] as [string, string]]),
    ['Began', timeOf(startedAt)],
    ...(endedAt === undefined
      ? []
      : [
          ['Ended', html`${timeOf(endedAt)}, after ${formatDuration(endedAt - startedAt)}`] as [string, Html],
        ]),
    ...(dry ? [] : [['Run', run] as [string, string]]),
  ];
  const privacy = showValues
    ? 'This report shows values of persons. Keep it as safe as the list itself.'
    : 'Values of persons are masked: hardly more than first letters is left. With --show-values they are shown.';
  return html`<header>
<h1>${capital(titleOf(report))}</h1>
<p class="state">${state}</p>
<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${remarks.map((remark) => html`<p>${capital(shown(remark))}</p>`)}
<p class="privacy">${privacy}</p>
</header>`;
}

const fileWord = ({ kind, files }: RunReport): string => {
  if (kind !== 'push') return files.length === 1 ? 'Backup' : 'Backups';
  return files.length === 1 ? 'File' : 'Files';
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function timeOf(ms: number): Html {
  return html`<time datetime="${new Date(ms).toISOString()}">${utcTime(ms)} UTC</time>`;
}

/** The counts as one bar, and in words. */
export function resultsSection(results: readonly ResultCount[]): Html {
  const all = results.reduce((sum, { rows }) => sum + rows, 0);
  if (all === 0) return html``;
  const least = results.map(({ rows }) => Math.max(LEAST_WIDTH, (rows / all) * BAR_WIDTH));
  const scale = BAR_WIDTH / least.reduce((sum, width) => sum + width, 0);
  let x = 0;
  const parts = results.map(({ tone }, at) => {
    const width = (least[at] ?? 0) * scale;
    const part = html`<rect class="${tone} part-${at % 3}" x="${x.toFixed(1)}" width="${Math.max(1, width - 2).toFixed(1)}" height="24"/>`;
    x += width;
    return part;
  });
  return html`<section aria-labelledby="counts">
<h2 id="counts">What it came to</h2>
${parts.length > 1 ? html`<svg class="bar" viewBox="0 0 ${BAR_WIDTH} 24" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>` : undefined}
<ul class="counts">${results.map(({ name, tone, rows }, at) => html`<li><svg viewBox="0 0 1 1" aria-hidden="true"><rect class="${tone} part-${at % 3}" width="1" height="1"/></svg> <b>${formatCount(rows)}</b> ${name}</li>`)}</ul>
</section>`;
}

/** What was warned of at the terminal, where no problem of a row tells it. */
export function warningsSection({ warnings }: RunReport): Html {
  if (warnings.length === 0) return html``;
  const more =
    warnings.length > GROUPS_SHOWN
      ? html`<p>… and ${formatCount(warnings.length - GROUPS_SHOWN)} more.</p>`
      : undefined;
  return html`<section aria-labelledby="warnings">
<h2 id="warnings">Warnings</h2>
<ul class="problems">${warnings.slice(0, GROUPS_SHOWN).map((text) => html`<li>${visible(cut(text, LONGEST_WARNING))}</li>`)}</ul>${more}
</section>`;
}

/** What is wrong, grouped as at the terminal: first with the rows of the files, then what came of the others. */
export function problemsSection({ rejects, problems }: RunReport, showValues: boolean): Html {
  const { where, groups } = describeGroups(rejects, showValues);
  const others = grouped(problems.filter(({ state }) => state !== 'rejected'));
  if (groups.length + others.length === 0) return html``;
  const head = `${formatCount(rejects.rejected)} of ${plural(rejects.rows, 'row', 'rows')}${where} cannot be sent`;
  const item = (what: string, which: readonly string[]): Html =>
    html`<li><strong>${what}</strong>${which.map((line) => html`<br>${line}`)}</li>`;
  return html`<section aria-labelledby="problems">
<h2 id="problems">Problems</h2>
${groups.length > 0 ? html`<h3>${head}</h3><ul class="problems">${groups.slice(0, GROUPS_SHOWN).map(({ what, which }) => item(what, [which]))}</ul>${moreOf(groups.length)}` : undefined}
${others.length > 0 ? html`<h3>Not, or not as they were to be, in the service</h3><ul class="problems">${others.slice(0, GROUPS_SHOWN).map((same) => item(...describe(same, showValues)))}</ul>${moreOf(others.length)}` : undefined}
</section>`;
}

const moreOf = (groups: number): Html | undefined =>
  groups > GROUPS_SHOWN
    ? html`<p>… and ${formatCount(groups - GROUPS_SHOWN)} more; they are in the table below.</p>`
    : undefined;

/** Problems that are told in the same words. */
function grouped(problems: readonly RowProblem[]): RowProblem[][] {
  const groups = new Map<string, RowProblem[]>();
  for (const problem of problems) {
    const key = `${problem.state}: ${problem.message}`;
    const group = groups.get(key) ?? [];
    group.push(problem);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function describe(problems: readonly RowProblem[], showValues: boolean): [what: string, which: string[]] {
  const [first] = problems;
  if (first === undefined) return ['', []];
  const names = problems.slice(0, PLACES_SHOWN).map(({ place, barcode, who = '' }) => {
    const about = [...(who === '' ? [] : [place]), ...(barcode === undefined ? [] : [`barcode ${barcode}`])];
    const name = who === '' ? place : maskUnless(showValues, who);
    return shown(about.length === 0 ? name : `${name} (${about.join(', ')})`);
  });
  const what = `${first.state}: ${shown(first.message)}`;
  const more = problems.length > names.length ? '…' : '';
  if (problems.some(({ differences = [] }) => differences.length > 0)) {
    const values = problems.slice(0, PLACES_SHOWN).map(({ differences = [] }, at) => {
      const both = differences.map((one) => formatDifference(one, showValues)).join('; ');
      return `${names[at]}: ${both}`;
    });
    return [what, more === '' ? values : [...values, more]];
  }
  const many = problems.length === 1 ? '' : `${plural(problems.length, 'row', 'rows')}: `;
  return [what, [`${many}${names.join(', ')} ${more}`.trimEnd()]];
}

/** What reading back has shown. */
export function auditSection(audit: AuditReport | undefined): Html {
  if (audit === undefined) return html``;
  const { checked, findings, stored, changed, refused } = audit;
  const fields = (what: string, counts: readonly FieldCount[]): Html[] =>
    counts.length === 0
      ? []
      : [
          html`<li>${what}: ${counts.map(({ field, rows }) => `${shown(field)} (${plural(rows, 'row', 'rows')})`).join(', ')}</li>`,
        ];
  const flaws = [
    ...fields('stored otherwise than sent', stored),
    ...fields('not accepted by the service', refused),
    ...fields('not sent, and not as before', changed),
    ...(findings === 0
      ? []
      : [html`<li>${plural(findings, 'finding', 'findings')} about registrations, named above</li>`]),
  ];
  const all = flaws.length === 0 ? ': all as they were to be, as far as the service shows it' : '';
  return html`<section aria-labelledby="audit">
<h2 id="audit">Reading back</h2>
<p>${plural(checked, 'registration was', 'registrations were')} read back${all}.</p>
${flaws.length > 0 ? html`<ul>${flaws}</ul>` : undefined}
</section>`;
}
