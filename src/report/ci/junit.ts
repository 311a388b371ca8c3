import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { replaceFile } from '../records/replace-file.ts';
import type { RunReport } from '../views/run-report.ts';
import { visible } from '../words/escape.ts';
import { xmlAttribute } from '../xlsx/xlsx-escape.ts';
import { type CiView, readFiles, tellProblems } from './told-problems.ts';

const PROBLEMS_SHOWN = 1000;

interface TestCase {
  name: string;
  file?: string | undefined;
  line?: number | undefined;
  seconds?: number;
  /** `failure`: a row is not as it was to be; `error`: the run did not come to its end. */
  wrong?: { element: 'failure' | 'error'; type: string; text: string };
}

/** Test cases by suite. */
type Suites = ReadonlyMap<string, TestCase[]>;

/** Writes a report in the format of JUnit, which most CI systems read; it appears whole or not at all. */
export async function writeJunitReport(path: string, report: RunReport, view: CiView): Promise<void> {
  await write(path, report.kind, suitesOf(report, view));
}

/** The same of a command that failed before there was a run to tell of. */
export async function writeJunitFailure(path: string, kind: string, message: string): Promise<void> {
  const wrong = { element: 'error', type: 'failed', text: message } as const;
  await write(path, kind, new Map([[kind, [{ name: 'started', wrong }]]]));
}

/** A suite a file, with what is wrong in it, and one of the steps of the run. */
function suitesOf(report: RunReport, view: CiView): Suites {
  const [kind = ''] = report.kind.split(' ');
  const suites = new Map<string, TestCase[]>(readFiles(report).map((file) => [file, [{ name: 'read' }]]));
  const steps = [stepOf(kind, report), ...(report.audit === undefined ? [] : [{ name: 'audit' }])];
  const others = [...(suites.get(kind) ?? []), ...steps];
  suites.set(kind, others);
  for (const { at, place, state, column, text } of tellProblems(report, view).slice(0, PROBLEMS_SHOWN)) {
    const name = column === undefined ? place : `${place} ${column}`;
    const where =
      at === undefined ? {} : { file: view.fileName(at.file) ?? basename(at.file), line: at.line };
    const wrong = { element: 'failure', type: state, text } as const;
    const suite = (at && suites.get(basename(at.file))) ?? others;
    suite.push({ name, ...where, wrong });
  }
  return suites;
}

const DONE: Readonly<Record<string, string>> = { push: 'sent', delete: 'deleted', undo: 'undone' };

/** What the run was for: it passes when the run has come to its end. */
function stepOf(kind: string, { state, complete, dry, remarks, startedAt, endedAt }: RunReport): TestCase {
  const step = {
    name: dry && complete ? 'planned' : (DONE[kind] ?? kind),
    seconds: endedAt === undefined ? 0 : (endedAt - startedAt) / 1000,
  };
  if (complete) return step;
  return { ...step, wrong: { element: 'error', type: 'run', text: [state, ...remarks].join('\n') } };
}

async function write(path: string, name: string, suites: Suites): Promise<void> {
  const parts = [...suites].map(([suite, cases]) =>
    element('testsuite', counted(suite, cases), testCases(suite, cases)),
  );
  const all = counted(`eventreg ${name}`, [...suites.values()].flat());
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', all, parts)}\n`;
  await replaceFile(path, (file) => writeFile(file, text));
}

function counted(name: string, cases: readonly TestCase[]): Attributes {
  const count = (which: string): number => cases.filter(({ wrong }) => wrong?.element === which).length;
  const seconds = cases.reduce((sum, one) => sum + (one.seconds ?? 0), 0);
  return { name, tests: cases.length, failures: count('failure'), errors: count('error'), time: seconds };
}

function testCases(suite: string, cases: readonly TestCase[]): string[] {
  const times = new Map<string, number>();
  return cases.map(({ name, file, line, seconds = 0, wrong }) => {
    // Some readers keep one of a name.
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    const unique = time === 1 ? name : `${name} (${time})`;
    const inside = wrong === undefined ? [] : [wrongElement(wrong)];
    return element('testcase', { name: unique, classname: suite, file, line, time: seconds }, inside);
  });
}

const wrongElement = ({ element: name, type, text }: NonNullable<TestCase['wrong']>): string =>
  element(name, { message: text.split('\n', 1)[0], type }, xml(text));

type Attributes = Readonly<Record<string, string | number | undefined>>;

function element(name: string, attributes: Attributes, content: string | readonly string[]): string {
  const given = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${xml(String(value))}"`)
    .join('');
  const inner = typeof content === 'string' ? content : content.map((part) => `\n${part}`).join('');
  return inner === ''
    ? `<${name}${given}/>`
    : `<${name}${given}>${inner}${typeof content === 'string' ? '' : '\n'}</${name}>`;
}

/** Text as XML 1.0 can hold it: what it forbids is written out, or replaced. */
const xml = (text: string): string =>
  xmlAttribute(
    text
      .split('\n')
      .map(visible)
      .join('\n')
      .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD'),
  );
