import type { RunReport } from '../views/run-report.ts';
import { formatCount } from '../words/number.ts';
import { type CiView, comesRight, tellProblems, type ToldProblem } from './told-problems.ts';

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
