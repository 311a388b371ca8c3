import { basename } from 'node:path';
import { aspectsOf } from '../../registration/changes/aspect.ts';
import { goingWith, toChange } from '../../registration/changes/field-change.ts';
import type { Reject } from '../../registration/model/row.ts';
import { RejectGroups, type RejectsView } from '../../report/views/reject-groups.ts';
import {
  type AuditReport,
  type PaceReport,
  paceOf,
  type ReportRow,
  type ResultCount,
  type RunReport,
} from '../../report/views/run-report.ts';
import type { ChangeView } from '../../report/views/story-view.ts';
import { formatCount } from '../../report/words/number.ts';
import { serviceName } from '../../report/words/service-name.ts';
import { namesIn } from '../../report/words/who.ts';
import { countShares, readShares, type Share } from '../journal/count-run.ts';
import type { Journal } from '../journal/journal.ts';
import { rejectedRows } from '../journal/kept-rows.ts';
import type { Run } from '../journal/run.ts';
import { listRuns } from '../journal/runs.ts';
import { countFindings, sentTimes, stepsOfRun, warningsOf } from '../journal/steps.ts';
import { filesOfRows, type ToldRow, toldRows } from '../journal/told-rows.ts';
import { addOne, mostFirst } from '../prove/tally.ts';
import { countUnlisted, readProblems, rowView } from './problems.ts';
import { countResults, kindOf, remarksOn, resultOf, shownState, stateInWords } from './run-words.ts';
import type { PushSummary } from './summary.ts';

/** How it ended where it is no run in the end: nothing of it stays in the journal. */
export type Unclaimed = PushSummary['state'] | 'nothing';

const COMPLETE: ReadonlySet<string> = new Set(['planned', 'nothing', 'finished']);

/** All that there is to tell of a run, while its rows are in the journal; of one that is none, with its warnings. */
export function readReport(
  journal: Journal,
  run: Run,
  ended?: { unclaimed: Unclaimed; warnings?: readonly string[] },
): RunReport {
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
    remarks: bare(remarksOn(run, listRuns(journal))),
    warnings: bare([...new Set(warnings)]),
    results,
    rejects: readRejects(journal, run.id, { shares, bare }),
    problemsUnlisted: countUnlisted(journal, run.id, shares),
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
  if (state !== 'finished' || problems === 0) return stateInWords(state);
  const short = results.filter(({ tone }) => tone === 'bad' || tone === 'doubt' || tone === 'open');
  if (short.length === 0) return 'at its end, but not all is as it was to be';
  return `at its end, but not all is done: ${short.map(({ name, rows }) => `${formatCount(rows)} ${name}`).join(', ')}`;
}

/** The same with files by their names in it. */
type Bare = <T>(told: T) => T;

/** Calls files by their names without folders: these may hold the name of a person or a machine, and reports travel. */
function withoutFolders(files: readonly string[]): Bare {
  const folders = [...new Set(files)]
    .filter((file) => file !== basename(file))
    // One may begin with another.
    .sort((one, other) => other.length - one.length);
  const inText = (text: string): string =>
    folders.reduce((all, file) => all.replaceAll(file, basename(file)), text);
  const inAny = (_: string, told: unknown): unknown => (typeof told === 'string' ? inText(told) : told);
  return (told) => (folders.length === 0 ? told : (JSON.parse(JSON.stringify(told), inAny) as typeof told));
}

function readRejects(
  journal: Journal,
  run: string,
  { shares, bare }: { shares: readonly Share[]; bare: Bare },
): RejectsView {
  const each = function* (): Generator<Reject> {
    for (const { place, reasons } of rejectedRows(journal, run)) yield bare({ place, reasons });
  };
  const groups = new RejectGroups();
  for (const reject of each()) groups.add(reject);
  const records = countShares(shares, ({ isCompanion }) => !isCompanion);
  return groups.view(records, each);
}

/** What reading back the rows of a run has shown; undefined where none was read back. */
function readAudit(journal: Journal, run: string, shares: readonly Share[]): AuditReport | undefined {
  const checked = countShares(shares, ({ isChecked }) => isChecked);
  const findings = countFindings(journal, run);
  if (checked + findings === 0 && !shares.some(({ isDifferent }) => isDifferent)) return undefined;
  const fields = { stored: new Map(), changed: new Map(), refused: new Map(), disputed: new Map() };
  for (const { differences } of toldRows(journal, run, 'problems')) {
    for (const { kind, field } of differences) addOne(fields[kind], field);
  }
  const told = (kind: keyof typeof fields): AuditReport['stored'] => mostFirst(fields[kind]);
  return { checked, findings, stored: told('stored'), changed: told('changed'), refused: told('refused') };
}

/** Of more rows only those are listed of which there is something to say, and no more than so many. */
const MOST_ROWS = 100_000;

/** Which rows of a run are listed. */
interface Listed {
  which: 'all' | 'remarkable';
  count: number;
}

export function listedRows(shares: readonly Share[], most = MOST_ROWS): Listed {
  const all = countShares(shares, () => true);
  if (all <= most) return { which: 'all', count: all };
  const remarkable = countShares(shares, ({ isRemarkable }) => isRemarkable);
  return { which: 'remarkable', count: Math.min(most, remarkable) };
}

/** The rows of a run in the order of the files. `isDry`: nothing was sent, and what is open is planned. */
export function* reportRows(
  journal: Journal,
  run: Run,
  how: Listed & { results: readonly ResultCount[]; isDry: boolean; bare: Bare },
): Generator<ReportRow> {
  const { which, count, results, isDry, bare } = how;
  let left = count;
  for (const row of toldRows(journal, run.id, which)) {
    if (left === 0) return;
    left -= 1;
    const [name] = resultOf(row, run, isDry);
    const at = results.findIndex((one) => one.name === name);
    const { changes, storedOtherwise, differences, notes, ...view } = rowView(row);
    const values = { changes, storedOtherwise, differences, notes, values: valuesOf(row) };
    const who = namesIn((row.payload ?? row.before)?.fields ?? {}).join(' ');
    yield { ...bare(view), ...values, who, result: Math.max(0, at) };
  }
}

/** Of what is new every value that the file has, of what is deleted every one that was listed. */
function valuesOf({ op, payload, before }: ToldRow): ChangeView[] {
  if (op === 'delete') return goingWith(before ?? {});
  if (payload === undefined || before !== undefined) return [];
  return aspectsOf(payload, () => []).map((aspect) => toChange(aspect, payload, undefined));
}

/** When the requests of a run left; undefined where none has. */
export const readPace = (journal: Journal, run: string): PaceReport | undefined =>
  paceOf(sentTimes(journal, run), readLimit(journal, run));

/** How many requests the service allowed in a window, as it said last. */
export function readLimit(journal: Journal, run: string): PaceReport['limit'] {
  const detail = stepsOfRun(journal, run).findLast(({ what }) => what === 'paced')?.detail;
  return detail === undefined ? undefined : (JSON.parse(detail) as PaceReport['limit']);
}
