import type { RunReport } from '../views/run-report.ts';
import { visible } from '../words/escape.ts';
import { formatCount, plural } from '../words/number.ts';
import { type CiView, readFiles, tellProblems, comesRight, type ToldProblem } from './told-problems.ts';

const PROBLEMS_SHOWN = 100;

/** GitHub takes 1 MiB of a step, and nothing at all of more. */
const MOST_BYTES = 900_000;

/** The summary of a run as GitHub shows it on the page of a job; `taken`: bytes that stand there already. */
export function stepSummary(report: RunReport, view: CiView, taken = 0): string {
  const { kind, state, event, service, run, dry, results, remarks, audit } = report;
  const files = readFiles(report);
  const of = files.length === 0 ? kind : `${kind} of ${files.join(', ')}`;
  const where = dry ? '' : `, run ${run}`;
  const readBack =
    audit === undefined
      ? []
      : ['', `${plural(audit.checked, 'registration was', 'registrations were')} read back.`];
  return cutLines(
    [
      `### eventreg: ${markdown(`${of}: ${state}`)}`,
      '',
      `${markdown(event)} at ${markdown(service)}${where}`,
      ...remarks.flatMap((remark) => ['', markdown(remark)]),
      ...(results.length === 0
        ? []
        : [
            '',
            '| rows | |',
            '| --: | :-- |',
            ...results.map(({ name, rows }) => `| ${formatCount(rows)} | ${markdown(name)} |`),
          ]),
      ...readBack,
      ...problemLines(report, view),
      '',
      '',
    ].join('\n'),
    MOST_BYTES - taken,
  );
}

function problemLines(report: RunReport, view: CiView): string[] {
  const problems = tellProblems(report, view);
  if (problems.length === 0) return [];
  const left = problems.length + report.problemsUnlisted - PROBLEMS_SHOWN;
  return [
    '',
    '| where | what | why |',
    '| :-- | :-- | :-- |',
    ...problems
      .slice(0, PROBLEMS_SHOWN)
      .map(({ place, state, text }) => `| ${[place, state, text].map(markdown).join(' | ')} |`),
    ...(left > 0 ? ['', `… and ${formatCount(left)} more.`] : []),
  ];
}

/** A text within a line, such that nothing of it is markup. */
function markdown(text: string): string {
  return text
    .split('\n')
    .map((line) => visible(line).replace(/[!-/:-@[-`{-~]/g, (mark) => (PLAIN.has(mark) ? mark : `\\${mark}`)))
    .join('<br>');
}

/** Marks that mean nothing within a line. */
const PLAIN: ReadonlySet<string> = new Set(`.,;'"/%?()=`);

/** As many whole lines as fit. */
function cutLines(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  const end = bytes <= 0 ? 0 : whole.lastIndexOf('\n', bytes - 1) + 1;
  return whole.subarray(0, end).toString();
}

/** GitHub shows ten errors and ten warnings of a step: one of each is left for what else there is to say. */
const MOST = 9;

/** What GitHub Actions is to show beside the lines of the files, as lines to print. `isSummed`: the summary of the job has more. */
export function annotationsOf(report: RunReport, view: CiView, isSummed = true): string[] {
  const problems = tellProblems(report, view);
  const left = problems.length + report.problemsUnlisted - MOST;
  const lines = problems.slice(0, MOST).map((problem) => annotation(problem, view));
  if (left <= 0) return lines;
  const more = `${formatCount(left)} more ${left === 1 ? 'problem' : 'problems'}${isSummed ? ': see the summary of the job' : ''}.`;
  return [...lines, workflowCommand('warning', { title: 'eventreg' }, more)];
}

function annotation(problem: ToldProblem, { fileName }: CiView): string {
  const { at, place, state, text } = problem;
  // What comes from standard input has no file to be shown in.
  const file = at === undefined || at.file === '-' ? undefined : fileName(at.file);
  const where = { file, line: file === undefined ? undefined : at?.line, title: `eventreg: ${state}` };
  return workflowCommand(comesRight(problem) ? 'warning' : 'error', where, `${place}: ${text}`);
}

/**
 * A line that GitHub Actions reads from the output of a step, such as `::error file=guests.csv,line=7::…`. What ends a
 * line, or a property, is escaped as its runner unescapes it, so that a text is never read as another command.
 */
export function workflowCommand(
  name: 'error' | 'warning',
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const given = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${name}${given.length > 0 ? ' ' : ''}${given.join(',')}::${escapeMessage(message)}`;
}

const escapeMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
