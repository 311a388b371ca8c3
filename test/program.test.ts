import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../src/main.ts';
import { fakeRuntime } from './support/fake-runtime.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { listIn } from './support/documents.ts';
import { listed, paired } from './support/tables.ts';

interface Ran {
  exitCode: number;
  out: string;
  err: string;
}

/** Runs a command line in an empty directory, without environment or terminal. */
async function run(...argv: string[]): Promise<Ran> {
  const { runtime, out, err } = fakeRuntime({ directory: temporaryDirectory(), version: '1.2.3' });
  const exitCode = await main(argv, runtime);
  return { exitCode, out: out(), err: err() };
}

const COMMANDS = listed(`
  push | list | delete | event | webhooks | runs | login | logout | profiles | state | sandbox | doctor |
  completion
`);

/** Names below `Commands:` in a help text. */
function commandsIn(help: string): string[] {
  const section = /^Commands:\n((?: .*\n)+)/m.exec(help)?.[1] ?? '';
  return [...section.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name]) => name ?? []);
}

describe('help', () => {
  test.each([[], ['--help'], ['-h'], ['help'], ['help', '--help']])(
    'is shown for: eventreg %s %s',
    async (...argv) => {
      const { exitCode, out, err } = await run(...argv);
      expect([exitCode, err]).toEqual([0, '']);
      expect(commandsIn(out)).toEqual(COMMANDS);
      expect(out).toContain('Examples:');
    },
  );

  test('of everything has the environment and all global flags', async () => {
    const { exitCode, out } = await run('--help-all');
    expect([exitCode, commandsIn(out)]).toEqual([0, COMMANDS]);
    for (const part of ['Examples:', 'Exit codes:', 'Environment:', 'EVENTREG_TOKEN', '--no-color'])
      expect(out).toContain(part);
  });

  test('in an empty folder is what no words ask for, and beside a guest list a welcome', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'My guests.xlsx'), '');
    const start = async (env: Record<string, string> = {}): Promise<string> => {
      const { runtime, out } = fakeRuntime({ directory, env });
      expect(await main([], runtime)).toBe(0);
      return out();
    };
    expect(await start()).toMatch(/^Welcome\..*\n\n {2}eventreg push ["']My guests.xlsx["'] --sandbox {2}/);
    expect(await start({ EVENTREG_BASE_URL: 'https://events.example.com' })).toMatch(/^Usage: /);
  });

  test.each(COMMANDS)('of %s and of its actions is one screen', async (name) => {
    const { exitCode, out, err } = await run(name, '--help');
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toContain('Examples:');
    expect(out).toMatch(
      /^ {2}--sandbox\[=name\] +use the embedded practice service; =name: the clone of that name$/m,
    );
    expect(out).toContain(`exit codes: eventreg ${name} --help-all`);
    expect(out.split('\n').length).toBeLessThanOrEqual(31);
    for (const action of commandsIn(out).filter((found) => found !== 'help')) {
      const nested = await run(name, action, '--help');
      expect(nested).toMatchObject({ exitCode: 0, err: '', out: expect.stringContaining('Examples:') });
      expect(nested.out.split('\n').length).toBeLessThanOrEqual(31);
    }
  });

  test.each(COMMANDS)('in full of %s has exit codes, and those of its actions too', async (name) => {
    const { exitCode, out, err } = await run(name, '--help-all');
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^Usage: eventreg ${name} `));
    expect(out).toMatch(new RegExp(`^Examples:\n(?: .*\n)*.*eventreg ${name}`, 'm'));
    expect(out).toMatch(/^Exit codes: 0 /m);
    expect(out).toContain('Global Options:');
    expect(await run('help', name, '--help-all')).toEqual({ exitCode, out, err });
    for (const action of commandsIn(out).filter((found) => found !== 'help')) {
      const nested = await run(name, action, '--help-all');
      expect(nested).toMatchObject({ exitCode: 0, err: '' });
      expect(nested.out).toMatch(new RegExp(`^Usage: eventreg ${name} ${action} `));
      expect(nested.out).toMatch(new RegExp(`^Examples:\n(?: .*\n)*.*eventreg ${name}`, 'm'));
      expect(nested.out).toMatch(/^Exit codes: 0 /m);
      expect(nested.out.match(/^Exit codes:/gm)).toHaveLength(1);
      expect(await run('help', name, action, '--help-all')).toEqual(nested);
    }
  });

  test('is below the flags as wide as the terminal', async () => {
    const { runtime, out } = fakeRuntime({ tty: true, directory: temporaryDirectory() });
    Object.assign(runtime.stdout, { columns: 60 });
    await main(['push', '--help-all'], runtime);
    const below = out().slice(out().indexOf('\nFiles are'));
    // Commands are filled up to the end of a line, not ended there.
    expect(below.split('\n').filter((line) => line.length > 60 && !line.startsWith('  eventreg '))).toEqual(
      [],
    );
    expect(below).toContain('\nFiles are workbooks (.xlsx, .ods), CSV, a JSON array, or\nNDJSON, known by');
  });

  test('of an action without examples of its own shows those of its command', async () => {
    const { out } = await run('runs', 'show', '--help');
    expect(out).toContain('eventreg runs show 20270301-4f9a2c');
  });

  test('of an unknown command is a mistake like any other', async () => {
    const { exitCode, out, err } = await run('help', 'pusg');
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain("unknown command 'pusg'");
  });
});

test.each(['--version', '-V'])('the version is printed for %s', async (flag) => {
  expect(await run(flag)).toEqual({ exitCode: 0, out: '1.2.3\n', err: '' });
});

describe('files alone', () => {
  async function drop(...words: string[]): Promise<Ran> {
    const directory = temporaryDirectory();
    for (const name of ['My guests.csv', 'list', '-gäste.csv'])
      writeFileSync(join(directory, name), 'first_name\n');
    const { runtime, out, err } = fakeRuntime({ directory });
    return { exitCode: await main(words, runtime), out: out(), err: err() };
  }

  test('are pushed, as they are when somebody drops them on the program', async () => {
    const pushed = await drop('push', 'My guests.csv', '--persona');
    expect(pushed.err).toContain("option '--persona <slug>' argument missing");
    expect(await drop('My guests.csv', '--persona')).toEqual(pushed);
  });

  test.each(['guests.csv', './guests', 'C:\\Users\\Ann\\Gäste.xlsx', 'folder/'])(
    'that are not there are told as files: %s',
    async (word) => {
      const pushed = await drop('push', word, '--sandbox');
      expect(pushed.err).toMatch(/there is no such file/);
      expect(await drop(word, '--sandbox')).toEqual(pushed);
    },
  );

  test.each([
    ['--sandbox', 'My guests.csv', '--persona'],
    ['--dry-run', 'My guests.csv', '--persona'],
    ['--', '-gäste.csv', 'none.csv'],
    ['--sandbox', '--', '-gäste.csv', 'none.csv'],
  ])('are pushed behind flags as well: %s %s %s', async (...words) => {
    const pushed = await drop('push', ...words);
    expect(pushed.err).not.toContain('unknown');
    expect(await drop(...words)).toEqual(pushed);
  });

  test('behind flags leave commands and mistakes what they are', async () => {
    expect((await drop('--json', 'psuh')).err).toContain("unknown command 'psuh'");
    expect((await drop('--sandbox', 'event', 'My guests.csv')).err).toContain(
      "unknown action 'My guests.csv'",
    );
  });

  test('of which one begins as flags do are offered as files', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, '-gäste.csv'), 'first_name\n');
    const { runtime, out } = fakeRuntime({ directory });
    await main([], runtime);
    expect(out()).toContain('eventreg push "./-gäste.csv" --sandbox ');
  });

  test('are no commands, and commands go before files', async () => {
    expect((await drop('guests')).err).toContain("unknown command 'guests'");
    expect((await drop('list', '--bogus')).err).toBe((await run('list', '--bogus')).err);
  });
});

describe('mistakes', () => {
  test('an unknown command ends with 2 and the nearest one', async () => {
    const { exitCode, out, err } = await run('pusg', 'a.csv');
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain("unknown command 'pusg'");
    expect(err).toContain('push');
    expect(err).toContain('Did you mean');
  });

  test.each(paired('undo → runs undo | import → push | Status → runs | export → list --to guests.xlsx'))(
    'a word of other tools, %s, ends with 2 and what it is called here',
    async (word, meant) => {
      const { exitCode, out, err } = await run(word);
      expect([exitCode, out]).toEqual([2, '']);
      expect(err).toBe(`eventreg: unknown command '${word}'\nhint: Did you mean eventreg ${meant}?\n`);
    },
  );

  test('every other word leads to a command that there is', async () => {
    const text = await readFile(new URL('../src/commands/options/other-words.ts', import.meta.url), 'utf8');
    const [, table = ''] = /const COMMANDS[^{]*\{(.*?)\n\}\);/s.exec(text) ?? [];
    const meant = [...table.matchAll(/^ {2}'?([^':]+)'?: '/gm)].map(([, words = '']) => words.split(' '));
    expect(meant.length).toBeGreaterThan(20);
    for (const words of meant) {
      const asked = [...words.filter((word) => !word.startsWith('--') && word !== 'guests.xlsx'), '--help'];
      expect([asked, (await run(...asked)).err]).toEqual([asked, '']);
    }
  });

  test.each([
    [['webhooks', 'lisst'], 'webhooks list'],
    [['webhooks', 'add'], 'webhooks create'],
    [['event', 'columns'], 'event fields'],
    [['runs', 'rollback'], 'runs undo'],
    [['profiles', 'rm'], 'profiles remove'],
  ])('an unknown action ends with 2 and the nearest one: %j', async (argv, meant) => {
    const { exitCode, err } = await run(...argv);
    expect([exitCode, err]).toEqual([
      2,
      `eventreg: unknown action '${argv[1]}'\nhint: Did you mean ${meant}?\n`,
    ]);
  });

  test('a command of the examples is one line, however long', async () => {
    const { out } = await run('webhooks', 'listen', '--help');
    expect(out).toContain(
      '  eventreg webhooks listen --tunnel "cloudflared tunnel --url {url}" --forward-to http://localhost:3000/hooks\n',
    );
  });

  test.each([
    [['webhooks', 'show', '12'], 'webhooks deliveries show'],
    [['webhooks', 'deliveries', '12'], 'webhooks deliveries show 12'],
    [['webhooks', 'deliveries', 'shwo'], 'webhooks deliveries show'],
  ])('what was meant is told with all its words: %j', async (argv, meant) => {
    const { exitCode, err } = await run(...argv);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(`hint: Did you mean ${meant}?\n`)]);
  });

  test('a switch is told where it is set', async () => {
    const { exitCode, err } = await run('webhooks', 'listen', '--sandbox', '--set', 'webhookSign=none');
    expect([exitCode, err]).toEqual([
      2,
      expect.stringContaining('hint: Switches are set where the sandbox is served'),
    ]);
  });

  test.each([...COMMANDS.map((name) => [name, '--bogus']), ['--bogus'], ['runs', 'show', 'x', '--bogus']])(
    'an unknown option ends with 2: eventreg %s %s',
    async (...argv) => {
      const { exitCode, out, err } = await run(...argv);
      expect([exitCode, out]).toEqual([2, '']);
      expect(err).toContain("unknown option '--bogus'");
    },
  );

  test('a missing argument, one too many and an option without its value end with 2', async () => {
    for (const argv of [['push'], ['list', 'more'], ['push', 'a.csv', '--persona'], ['runs', 'show']]) {
      const { exitCode, out, err } = await run(...argv);
      expect([exitCode, out, err]).toEqual([2, '', expect.stringMatching(/^eventreg: /)]);
    }
  });
});

describe('global options', () => {
  test('are taken before the command, after it, and after its action', async () => {
    const argvs = [
      ['--output', 'json', 'profiles', 'list'],
      ['profiles', '--output', 'json', 'list'],
      ['profiles', 'list', '--output', 'json'],
      ['--json', 'profiles', 'list'],
      ['profiles', 'list', '--json'],
      ['profiles', '--json'],
    ];
    const expected = await run(...(argvs[0] ?? []));
    expect([expected.exitCode, listIn(expected.out)]).toEqual([0, []]);
    for (const argv of argvs) expect(await run(...argv)).toEqual(expected);
  });

  test('--json goes before --output', async () => {
    expect(listIn((await run('profiles', '--json', '--output', 'csv')).out)).toEqual([]);
  });

  test.each([
    [['--output', 'xml'], '--output'],
    [['--progress', 'dots'], '--progress'],
  ])('a wrong value ends with 2 and names the flag: %s', async (flags, name) => {
    for (const argv of [
      [...flags, 'profiles'],
      ['profiles', ...flags],
    ]) {
      const { exitCode, out, err } = await run(...argv);
      expect([exitCode, out]).toEqual([2, '']);
      expect(err).toMatch(new RegExp(`^eventreg: ${name}: `));
    }
  });

  test('a workbook is never written to standard output', async () => {
    const { exitCode, out, err } = await run('profiles', '--output', 'xlsx');
    expect([exitCode, out, err]).toEqual([
      2,
      '',
      'eventreg: --output: takes no xlsx: name a file, as in --to guests.xlsx\n',
    ]);
  });
});
