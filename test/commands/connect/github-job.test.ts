import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileNaming } from '../../../src/commands/connect/report-files.ts';
import { type Bench, pushBench, visitors } from '../../sync/push-bench.ts';
import { registerByHand } from '../../sync/service-hands.ts';
import { fakeRuntime } from '../../support/fake-runtime.ts';
import { readWorkflowCommands } from '../../support/workflow-commands.ts';

interface Job extends Pick<Bench, 'sandbox' | 'directory'> {
  /** Runs a command in the checked-out repository, as a step of its own. */
  step: (...argv: readonly string[]) => Promise<{
    code: number;
    out: string;
    err: string;
    commands: ReturnType<typeof readWorkflowCommands>;
    summary: string;
  }>;
  write: (name: string, text: string) => void;
}

/** A job of GitHub Actions, whose repository lies in a folder of its own. */
async function githubJob(more: Readonly<Record<string, string>> = {}, given?: Bench): Promise<Job> {
  const bench = given ?? (await pushBench());
  const workspace = join(bench.directory, 'checkout');
  mkdirSync(join(workspace, 'lists'), { recursive: true });
  let steps = 0;
  return {
    ...bench,
    write: (name, text) => writeFileSync(join(workspace, name), text),
    async step(...argv) {
      const file = join(bench.directory, `summary-${(steps += 1)}.md`);
      const env = {
        ...bench.env,
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: workspace,
        GITHUB_STEP_SUMMARY: file,
        ...more,
      };
      const ended = await bench.run(argv, { cwd: workspace, env });
      const summary = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return { ...ended, commands: readWorkflowCommands(ended.err), summary };
    },
  };
}

const HEADER = 'persona,barcode,First name,Last name,E-mail\n';

describe('a step of GitHub Actions', () => {
  test('says on its page what a push came to, and which lines are wrong', async () => {
    const { step, write, sandbox } = await githubJob();
    write(
      'lists/guests.csv',
      `${HEADER}visitor,G1,Ada,Byron,ada@example.com\nvisitor,G2,Bob,Byron,bob.example\n`,
    );
    const { code, out, commands, summary } = await step(
      'push',
      'lists/guests.csv',
      '--invalid',
      'skip',
      '--json',
    );
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ sent: 1, rejected: 1 });
    expect(sandbox.counts().registrations).toBe(1);
    expect(commands).toEqual([
      {
        name: 'error',
        properties: { file: 'lists/guests.csv', line: '3', title: 'eventreg: rejected' },
        message: expect.stringMatching(
          /^guests\.csv:3 \(barcode G2\): column "E-mail" \(email\): "b••\.e••••••" has no @/,
        ),
      },
    ]);
    expect(summary).toMatch(
      /^### eventreg: push of guests\.csv\\: at its end, but not all is done\\: 1 rejected\n/,
    );
    expect(summary).toContain('| 1 | new |\n| 1 | rejected |');
    expect(summary).toContain('| guests.csv\\:3 ');
  });

  test('says the same of a dry run, a prune, a delete and an undo', async () => {
    const bench = await pushBench();
    const { step, write, sandbox } = await githubJob({}, bench);
    write('all.csv', visitors('B1', 'B2', 'B3'));
    expect((await step('push', 'all.csv', '--dry-run')).summary).toContain('| 3 | to create |');
    expect((await step('push', 'all.csv')).summary).toContain('| 3 | new |');
    write('all.csv', visitors('B1', 'B2'));
    const pruned = await step('push', 'all.csv', '--prune', '--max-delete', '1', '--yes');
    expect(pruned.summary).toContain('| 1 | deleted |');
    const deleted = await step('delete', '--barcode', 'B2', '--yes');
    expect(deleted.summary).toMatch(/^### eventreg: delete\\: done\n[^]*\| 1 \| deleted \|/);
    const undone = await step('runs', 'undo', bench.runs()[0]?.id ?? '', '--yes');
    expect(undone.summary).toMatch(/^### eventreg: undo of run /);
    expect(undone.commands.filter(({ name }) => name === 'error')).toEqual([]);
    const shown = await step('runs', 'report', bench.runs()[0]?.id ?? '', '--report', 'junit=again.xml');
    expect([shown.code, shown.summary, shown.commands]).toEqual([0, '', []]);
    expect(sandbox.registrations().map(({ barcode }) => barcode)).toEqual(['B1', 'B2']);
  });

  test('names what kept it from beginning, for whoever counts cases too', async () => {
    const { step, write, directory } = await githubJob({ EVENTREG_TOKEN: 'wrong-token-1234' });
    write('all.csv', visitors('B1'));
    const { code, err, commands, summary } = await step('push', 'all.csv', '--report', 'junit=junit.xml');
    expect(code).toBe(4);
    expect(commands).toMatchObject([{ name: 'error', properties: { title: 'eventreg' } }]);
    expect(summary).toBe('');
    const junit = readFileSync(join(directory, 'checkout', 'junit.xml'), 'utf8');
    expect(junit).toMatch(/tests="1" failures="0" errors="1"[^]*<error message="/);
    for (const text of [err, junit]) expect(text).not.toContain('wrong-token-1234');
  });

  test('takes no command from a list', async () => {
    const { step, write } = await githubJob();
    const heading = '##[error]a';
    const value = '::add-mask::e';
    write(
      '::error::x.csv',
      `persona,barcode,First name,E-mail,"${heading}","::error::b"\nvisitor,G1,"${value}\n${value}",${value},${value},${value}\n`,
    );
    const { err, commands } = await step('push', '::error::x.csv', '--show-values', '--verbose');
    expect(err).toContain(heading);
    expect(commands.map(({ name }) => name)).toEqual(commands.map(() => 'error'));
    for (const { properties } of commands) expect(properties['title']).toMatch(/^eventreg/);
    expect(commands.length).toBeGreaterThan(0);
  });

  test('is not told of by a job elsewhere, and a summary that cannot be written is only said', async () => {
    const elsewhere = await githubJob({ GITHUB_ACTIONS: '' });
    elsewhere.write('all.csv', visitors('B1'));
    const { err, summary } = await elsewhere.step('push', 'all.csv');
    expect([summary, err.includes('::')]).toEqual(['', false]);

    const full = await githubJob({ GITHUB_STEP_SUMMARY: '/nowhere/at/all.md' });
    full.write('all.csv', visitors('B1'));
    const ended = await full.step('push', 'all.csv');
    expect([ended.code, ended.commands[0]?.name, full.sandbox.counts().registrations]).toEqual([
      0,
      'warning',
      1,
    ]);
  });

  test('counts problems of all rows, not of those that are listed', async () => {
    const { step, write } = await githubJob();
    write('all.csv', `${HEADER}${'visitor,,Bob,Byron,bob.example\n'.repeat(1205)}`);
    const { summary, commands } = await step('push', 'all.csv', '--dry-run');
    expect(summary).toContain('| 1,205 | rejected |');
    expect(summary).toContain('… and 1,105 more.');
    expect(commands.map(({ message }) => message)).toContain(
      '1,196 more problems: see the summary of the job.',
    );
  });

  test('does not point at a summary for which there is no room', async () => {
    const { step, write, directory } = await githubJob();
    writeFileSync(join(directory, 'summary-1.md'), 'x'.repeat(950_000));
    write('all.csv', `${HEADER}${'visitor,G2,Bob,Byron,bob.example\n'.repeat(20)}`);
    const { commands, summary } = await step('push', 'all.csv', '--dry-run');
    expect(summary).toHaveLength(950_000);
    expect(commands.map(({ message }) => message).join()).not.toContain('see the summary');
    expect(commands.at(-1)?.message).toContain('other steps have taken the room');
  });
});

test('files are called by their paths from the folder of the job; those elsewhere have none', () => {
  const directory = '/job';
  const { runtime } = fakeRuntime({ cwd: join(directory, 'lists'), env: { GITHUB_WORKSPACE: directory } });
  const fileName = fileNaming(runtime);
  expect(fileName('a.csv')).toBe('lists/a.csv');
  expect(fileName('../b.csv')).toBe('b.csv');
  expect(fileName(join(directory, '..c.csv'))).toBe('..c.csv');
  expect([fileName('../../d.csv'), fileName('/home/ada/e.csv')]).toEqual([undefined, undefined]);
});

/** A field of a guest, to be found again wherever it goes. */
const token = (what: string, at: number): string => `Q${what}${at}z`;

/** Guests of whom some are wrong in each column, or have a barcode twice. */
function manyGuests(company: string): string {
  const lines = Array.from({ length: 240 }, (_, at) => {
    const persona = at % 11 === 10 ? 'nobody' : 'visitor';
    const email = at % 5 === 4 ? `${token('mail', at)}.example` : `${token('mail', at)}@example.com`;
    const code = token('code', at % 7 === 6 ? at - 1 : at);
    return `${persona},${code},${token('first', at)},${token('last', at)},${email},${token(company, at)}`;
  });
  return `persona,barcode,First name,Last name,E-mail,Company\n${lines.join('\n')}\n`;
}

test('of 240 guests nothing is shown but their barcodes', async () => {
  const bench = await pushBench();
  const { step, directory, sandbox } = await githubJob({}, bench);
  const home = join(directory, 'home', 'Qhome');
  mkdirSync(home, { recursive: true });
  const list = join(home, 'guests.csv');
  const shown: string[] = [];
  const push = async (company: string, ...more: string[]): Promise<void> => {
    writeFileSync(list, manyGuests(company));
    const ended = await step('push', list, '--invalid', 'skip', '--yes', '--progress', 'none', ...more);
    expect([ended.code, ended.commands.length, ended.summary.length > 5000]).toEqual([3, 10, true]);
    shown.push(JSON.stringify(ended.commands), ended.summary);
  };
  await push('company', '--report', 'junit=first.xml');
  const [guest, ...others] = sandbox.registrations().filter((_, at) => at % 9 === 0);
  for (const { barcode, fields } of [guest, ...others].filter((one) => one !== undefined)) {
    await registerByHand(bench, { barcode, fields: { ...fields, company: token('edited', 1) } });
  }
  await push('other', '--report', 'junit=second.xml');
  for (const name of ['first.xml', 'second.xml']) {
    shown.push(readFileSync(join(directory, 'checkout', name), 'utf8'));
  }
  expect(shown.join('')).toContain('conflict');
  const tokens = shown.join('').match(/Q\p{L}+\d+z|Qhome|test-host/gu) ?? [];
  expect(tokens.length).toBeGreaterThan(100);
  expect(tokens.filter((one) => !one.startsWith('Qcode'))).toEqual([]);
});
