import type { Reject } from '../../registration/model/row.ts';
import { RejectGroups, type RejectsView } from '../../report/views/reject-groups.ts';
import { formatCount } from '../../report/words/number.ts';
import type { ResultCount, RunReport } from '../../report/views/run-report.ts';
import { serviceName } from '../../report/words/service-name.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { countUnlisted, readProblems } from '../../sync/tell/problems.ts';
import type { Run } from '../../sync/journal/run.ts';
import { listRuns } from '../../sync/journal/runs.ts';
import { remarksOn, shortTime, shownState } from '../../sync/journal/shown-state.ts';
import { rejectedRows } from '../../sync/journal/kept-rows.ts';
import { warningsOf } from '../../sync/journal/steps.ts';
import { readAudit } from './report-audit.ts';
import { ReportNames } from './report-names.ts';
import { readPace } from './report-pace.ts';
import { ReportResults } from './report-results.ts';
import { ReportRows } from './report-rows.ts';

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
  const names = new ReportNames(filesOf(journal, run));
  const results = new ReportResults(journal, run.id, unclaimed === 'planned');
  const rows = new ReportRows(journal, run.id);
  const problems = readProblems(journal, run.id);
  const state = unclaimed ?? shownState(journal, run);
  const from = listRuns(journal).flatMap(({ id, continuedBy }) => (continuedBy === run.id ? [id] : []));
  const since = run.later.map(({ at, text }) => `${shortTime(at)}: ${text}`);
  return {
    run: run.id,
    kind: run.undoes === undefined ? run.kind : `${run.kind} of run ${run.undoes}`,
    state: inWords(state, results.counts, problems.length),
    complete: COMPLETE.has(state),
    dry: unclaimed !== undefined,
    files: run.files.map((file) => names.inText(file)),
    event: run.eventName,
    service: serviceName(run.service),
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    remarks: [...remarksOn(run, from), ...since].map((remark) => names.inText(remark)),
    warnings: [...new Set(warnings)].map((text) => names.inText(text)),
    results: results.counts,
    rejects: readRejects(journal, run.id, names),
    problemsUnlisted: countUnlisted(journal, run.id),
    problems: problems.map((problem) => names.inProblem(problem)),
    audit: readAudit(journal, run.id),
    pace: readPace(journal, run.id),
    listed: rows.listed,
    each: () => rows.each(results, names),
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

/** Also those of the run that it takes back. */
function filesOf(journal: Journal, { id, files }: Run): string[] {
  const named = journal.all<{ file: string }>('SELECT DISTINCT file FROM row WHERE run = $run', { $run: id });
  return [...new Set([...files, ...named.map(({ file }) => file)])];
}

function readRejects(journal: Journal, run: string, names: ReportNames): RejectsView {
  const each = function* (): Generator<Reject> {
    for (const reject of rejectedRows(journal, run)) yield names.inReject(reject);
  };
  const groups = new RejectGroups();
  for (const reject of each()) groups.add(reject);
  const rows = journal.count('FROM row WHERE run = $run AND part = 0', { $run: run });
  return groups.view(rows, each);
}
