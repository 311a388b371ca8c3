import { basename } from 'node:path';
import type { Reject } from '../../registration/model/row.ts';
import { RejectGroups, type RejectsView } from '../../report/views/reject-groups.ts';
import type { AuditReport, PaceReport, ResultCount, RunReport } from '../../report/views/run-report.ts';
import type { FieldCount } from '../../report/views/summary-view.ts';
import { formatCount } from '../../report/words/number.ts';
import { serviceName } from '../../report/words/service-name.ts';
import { countShares, readShares, type Share } from '../journal/count-run.ts';
import { countFindings } from '../journal/findings.ts';
import type { Journal } from '../journal/journal.ts';
import { rejectedRows } from '../journal/kept-rows.ts';
import type { Run } from '../journal/run.ts';
import { RUN_ITSELF, sentTimes, stepsOf, warningsOf } from '../journal/steps.ts';
import { filesOfRows, toldRows } from '../journal/told-rows.ts';
import { countUnlisted, readProblems } from './problems.ts';
import { type Bare, countResults, listedRows, reportRows } from './report-rows.ts';
import { goesOnFrom, kindOf, remarksOn, shownState, sinceThen } from './run-words.ts';

/** How it ended where it is no run in the end: nothing of it stays in the journal. */
export type Unclaimed = 'planned' | 'refused' | 'nothing';

/** That, and what was warned of. */
interface Ended {
  unclaimed: Unclaimed;
  warnings?: readonly string[];
}

const STATES: Readonly<Record<string, string>> = {
  planned: 'dry run',
  refused: 'refused: rows have errors',
  nothing: 'nothing to do',
  finished: 'done',
  sending: 'under way',
};

const COMPLETE: ReadonlySet<string> = new Set(['planned', 'nothing', 'finished']);

/** Everything that there is to tell of a run. Its rows have to be in the journal for as long as it is told. */
export function readReport(journal: Journal, run: Run, ended?: Ended): RunReport {
  const unclaimed = ended?.unclaimed;
  const warnings = ended?.warnings ?? warningsOf(journal, run.id);
  const bare = withoutFolders([...run.files, ...filesOfRows(journal, run.id)]);
  const isDry = unclaimed === 'planned';
  const shares = readShares(journal, run.id);
  const results = countResults(shares, run, isDry);
  const problems = readProblems(journal, run.id);
  const state = unclaimed ?? shownState(journal, run);
  const listed = listedRows(shares);
  return {
    run: run.id,
    kind: kindOf(run, 'run '),
    state: inWords(state, results, problems.length),
    complete: COMPLETE.has(state),
    dry: unclaimed !== undefined,
    files: bare(run.files),
    event: run.eventName,
    service: serviceName(run.service),
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    remarks: bare([...remarksOn(run, goesOnFrom(journal, run)), ...sinceThen(run)]),
    warnings: bare([...new Set(warnings)]),
    results,
    rejects: readRejects(journal, run.id, shares, bare),
    problemsUnlisted: countUnlisted(journal, run.id),
    // `at` names the file as it was given.
    problems: problems.map((problem) => ({
      ...problem,
      ...bare({ ...problem, at: undefined }),
      at: problem.at,
    })),
    audit: readAudit(journal, run.id, shares),
    pace: readPace(journal, run.id),
    listed: listed.count,
    each: () => reportRows(journal, run, { ...listed, results, isDry, bare }),
  };
}

/** How it ended: done is what all rows are, as in the exit code. */
function inWords(state: string, results: readonly ResultCount[], problems: number): string {
  const words = STATES[state] ?? state;
  if (state !== 'finished' || problems === 0) return words;
  const short = results.filter(({ tone }) => tone === 'bad' || tone === 'doubt' || tone === 'open');
  if (short.length === 0) return 'at its end, but not all is as it was to be';
  return `at its end, but not all is done: ${short.map(({ name, rows }) => `${formatCount(rows)} ${name}`).join(', ')}`;
}

/** Calls files by their names without folders: these may hold the name of a person or a machine, and reports travel. */
function withoutFolders(files: readonly string[]): Bare {
  const folders = [...new Set(files)]
    .filter((file) => file !== basename(file))
    // One may begin with another.
    .sort((one, other) => other.length - one.length);
  const inText = (text: string): string =>
    folders.reduce((all, file) => all.replaceAll(file, basename(file)), text);
  const inAny = (told: unknown): unknown => {
    if (typeof told === 'string') return inText(told);
    if (Array.isArray(told)) return told.map(inAny);
    if (typeof told !== 'object' || told === null) return told;
    return Object.fromEntries(Object.entries(told).map(([key, one]) => [key, inAny(one)]));
  };
  return (told) => (folders.length === 0 ? told : (inAny(told) as typeof told));
}

function readRejects(journal: Journal, run: string, shares: readonly Share[], bare: Bare): RejectsView {
  const each = function* (): Generator<Reject> {
    for (const { place, reasons } of rejectedRows(journal, run)) yield bare({ place, reasons });
  };
  const groups = new RejectGroups();
  for (const reject of each()) groups.add(reject);
  return groups.view(
    countShares(shares, ({ isCompanion }) => !isCompanion),
    each,
  );
}

/** What reading back the rows of a run has shown; undefined where none was read back. */
function readAudit(journal: Journal, run: string, shares: readonly Share[]): AuditReport | undefined {
  const fields = { stored: new FieldCounts(), changed: new FieldCounts(), refused: new FieldCounts() };
  for (const { differences } of toldRows(journal, run, 'problems')) {
    for (const { kind, field } of differences) fields[kind].add(field);
  }
  const checked = countShares(shares, ({ isChecked }) => isChecked);
  const findings = countFindings(journal, run);
  if (checked + findings === 0 && !shares.some(({ isDifferent }) => isDifferent)) return undefined;
  const { stored, changed, refused } = fields;
  return { checked, findings, stored: stored.list(), changed: changed.list(), refused: refused.list() };
}

class FieldCounts {
  readonly #rows = new Map<string, number>();

  add(field: string): void {
    this.#rows.set(field, (this.#rows.get(field) ?? 0) + 1);
  }

  /** Those of most rows first. */
  list(): FieldCount[] {
    const counts = [...this.#rows].map(([field, rows]) => ({ field, rows }));
    return counts.sort((one, other) => other.rows - one.rows || (one.field < other.field ? -1 : 1));
  }
}

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

function readLimit(journal: Journal, run: string): PaceReport['limit'] {
  const detail = stepsOf(journal, run, RUN_ITSELF).findLast(({ what }) => what === 'paced')?.detail;
  return detail === undefined ? undefined : (JSON.parse(detail) as PaceReport['limit']);
}
