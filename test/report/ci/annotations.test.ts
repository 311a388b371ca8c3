import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { annotationsOf, workflowCommand } from '../../../src/report/ci/github.ts';
import { readWorkflowCommands } from '../../support/workflow-commands.ts';
import { anyText } from '../arbitrary-text.ts';
import { refused, rejected, reportOf, VIEW } from './run-report-fixture.ts';

/** Text rich in what means something to the runner. */
const hostile = fc
  .array(
    fc.oneof(
      anyText(),
      fc.constantFrom('::', ':', ',', '%', '%0A', '%25', '::error::', '##[error]', '\n', '\r', '='),
    ),
  )
  .map((parts) => parts.join(''));

describe('a workflow command', () => {
  test('is read by the runner as what it was made of', () => {
    fc.assert(
      fc.property(hostile, hostile, (file, message) => {
        const line = workflowCommand('error', { file, line: 7, title: 'eventreg' }, message);
        const properties = { ...(file === '' ? {} : { file }), line: '7', title: 'eventreg' };
        expect(readWorkflowCommands(line)).toEqual([{ name: 'error', properties, message }]);
      }),
    );
  });

  test('begins with no other', () => {
    const line = workflowCommand('warning', {}, '::stop-commands::x\r\n::error::y');
    expect(line).toBe('::warning::::stop-commands::x%0D%0A::error::y');
    expect(readWorkflowCommands(line)).toHaveLength(1);
  });
});

describe('annotations', () => {
  test('name file and line, and say column and what to do, with values masked', () => {
    expect(readWorkflowCommands(annotationsOf(reportOf([rejected(12)]), VIEW).join('\n'))).toEqual([
      {
        name: 'error',
        properties: { file: 'lists/guests.csv', line: '12', title: 'eventreg: rejected' },
        message:
          'guests.csv:12: column "E-mail" (email): "a••.e••••••" is not a valid e-mail address; write it as name@example.com',
      },
    ]);
    const shown = annotationsOf(reportOf([rejected(12)]), { ...VIEW, showValues: true });
    expect(shown.join('')).toContain('"ada.example"');
  });

  test('are nine, and one for the rest', () => {
    const problems = Array.from({ length: 40 }, (_, at) => rejected(at + 2));
    const found = readWorkflowCommands(annotationsOf(reportOf(problems), VIEW).join('\n'));
    expect(found.map(({ name }) => name)).toEqual([...Array<string>(9).fill('error'), 'warning']);
    expect(found.at(-1)?.message).toBe('31 more problems: see the summary of the job.');
    const all = annotationsOf(reportOf(problems, { problemsUnlisted: 2000 }), VIEW, false);
    expect(readWorkflowCommands(all.join('\n')).at(-1)?.message).toBe('2,031 more problems.');
    expect(annotationsOf(reportOf(problems.slice(0, 9)), VIEW)).toHaveLength(9);
    expect(annotationsOf(reportOf([]), VIEW)).toEqual([]);
  });

  test('are warnings where time or another row mends it', () => {
    const lost = { ...refused('no answer'), state: 'uncertain' } as const;
    expect(annotationsOf(reportOf([lost]), VIEW)[0]).toMatch(/^::warning file=/);
  });

  test('have no file for what stands in none', () => {
    const typed = { ...rejected(3), place: '-:3', at: { file: '-', line: 3 } };
    const deleted = { ...refused('refused'), at: undefined, place: 'registration 8f14e45f' };
    for (const line of annotationsOf(reportOf([typed, deleted]), VIEW)) {
      expect(line).toMatch(/^::error title=/);
    }
    // A file of that name in the repository is another one.
    const outside = { ...VIEW, fileName: () => undefined };
    expect(annotationsOf(reportOf([rejected(3)]), outside)[0]).toMatch(/^::error title=/);
  });

  test('are one command a line, whatever the file holds', () => {
    fc.assert(
      fc.property(hostile, hostile, (column, message) => {
        const problems = [rejected(2, { column, problem: message, value: column }), refused(message)];
        const lines = annotationsOf(reportOf(problems), VIEW);
        const found = readWorkflowCommands(lines.join('\n'));
        expect(found.map(({ properties }) => properties['title'])).toEqual([
          'eventreg: rejected',
          'eventreg: failed',
        ]);
        const unsafe = found.flatMap(({ message: text }) => text.match(/[\p{Cc}\u202E]/gu) ?? []);
        expect(unsafe.filter((character) => character !== '\n')).toEqual([]);
      }),
    );
  });
});
