import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { InterruptedError } from '../src/errors.ts';
import { main } from '../src/main.ts';
import { runProgram } from '../src/program.ts';
import { withResolvers } from '../src/prompts/with-resolvers.ts';
import { startSandbox } from '../src/sandbox/sandbox.ts';
import { commandsIn, fencesIn, type DocumentedCommand } from './support/documented-commands.ts';
import { type FakeClock, fakeClock } from './support/fake-clock.ts';
import { fakeRuntime } from './support/fake-runtime.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

const ROOT = join(import.meta.dirname, '..');

const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Fences whose lines are, or hold, commands. */
const LANGUAGES = ['sh', 'powershell', 'yaml', 'dockerfile', 'crontab'];

/** Fences of what is no command. */
const NO_COMMANDS = ['json', 'ini', 'csv', 'sql'];

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

const commandsOf = (page: string): DocumentedCommand[] =>
  fencesIn(read(page), LANGUAGES).flatMap((fence) => commandsIn(fence));

/** Those that can be run here, with nothing but the practice service. Others need a service, or a person. */
const canRun = ({ argv }: DocumentedCommand): boolean => needsNobody(argv);

/** A listen that is given no time goes on until Ctrl-C, as `sandbox` alone does. */
const goesOn = (argv: readonly string[]): boolean => argv.includes('listen') && !argv.includes('--for');

/** Starts a command that goes on; resolves once it listens. It is interrupted when the test ends. */
async function begin(argv: readonly string[], directory: string, clock: FakeClock): Promise<void> {
  const stopping = new AbortController();
  const { promise: listens, resolve, reject } = withResolvers<void>();
  const stderr = new Writable({
    write(piece: Buffer, _encoding, next) {
      if (piece.toString().includes('Listening')) resolve();
      next();
    },
  });
  const { runtime } = fakeRuntime({ directory, clock, stderr, stopping: stopping.signal });
  const done = main([...argv, '--port', '0'], runtime);
  done.then((code) => reject(new Error(`${argv.join(' ')} ended with ${code}`)), reject);
  onTestFinished(async () => {
    stopping.abort(new InterruptedError());
    await done;
  });
  await listens;
}

const needsNobody = ([first = '', second = '', ...more]: readonly string[]): boolean =>
  first === 'completion' ||
  (first === 'sandbox' && ['sample', 'reset'].includes(second)) ||
  more.includes('--sandbox') ||
  second === '--sandbox';

/** What is wrong with the words of a command: an unknown flag, a wrong argument, flags that exclude each other. */
async function complaints(argv: readonly string[]): Promise<string> {
  const { runtime, err } = fakeRuntime({ directory: temporaryDirectory() });
  let carried = false;
  const code = await runProgram(argv, runtime, async () => {
    carried = true;
    return await Promise.resolve(0);
  }).catch((error: unknown) => String(error));
  return carried && code === 0 ? '' : `${err()}${code}`;
}

describe('reading commands', () => {
  test.each<[script: string, commands: string[][]]>([
    ['eventreg runs # all of them', [['runs']]],
    ['npm ci && npx eventreg push a.csv', [['push', 'a.csv']]],
    ['npm install -g eventreg', []],
    [
      'eventreg list --all --json | eventreg push - --map "A B=c"',
      [
        ['list', '--all', '--json'],
        ['push', '-', '--map', 'A B=c'],
      ],
    ],
    [
      "eventreg push a.csv \\\n  --ignore-column '*' 2> log\neventreg runs > runs.txt",
      [['push', 'a.csv', '--ignore-column', '*'], ['runs']],
    ],
    [
      "echo 'source <(eventreg completion zsh)' >> a; source <(eventreg completion bash)",
      [
        ['completion', 'zsh'],
        ['completion', 'bash'],
      ],
    ],
    ['  - run: eventreg doctor', [['doctor']]],
  ])('finds those of %j', (script, commands) => {
    expect(commandsIn(script).map(({ argv }) => argv)).toEqual(commands);
  });

  test.each([
    ['push --sandbx a.csv'],
    ['push'],
    ['runs decide'],
    ['pusch a.csv'],
    ['push a.csv --set shet=A'],
  ])('refuses eventreg %s', async (typed) => {
    expect(await complaints(typed.split(' '))).not.toBe('');
  });
});

describe('the commands of the documentation', () => {
  test.each(PAGES)('%s has none that the program does not take', async (page) => {
    const wrong: string[] = [];
    for (const { typed, argv } of commandsOf(page)) {
      const said = await complaints(argv);
      if (said !== '') wrong.push(`eventreg ${typed}: ${said}`);
    }
    expect(wrong).toEqual([]);
  });

  test.each(PAGES.filter((page) => commandsOf(page).some(canRun)))(
    'those of %s do what they say',
    async (page) => {
      const directory = temporaryDirectory();
      const clock = fakeClock({ auto: true });
      cpSync(join(ROOT, 'fixtures'), join(directory, 'fixtures'), { recursive: true });
      for (const { typed, argv } of commandsOf(page).filter(canRun)) {
        if (goesOn(argv)) {
          await begin(argv, directory, clock);
          continue;
        }
        const { runtime, err } = fakeRuntime({ directory, clock });
        expect([typed, await main(argv, runtime), err()]).toEqual([typed, 0, expect.any(String)]);
      }
    },
  );

  test('those of docs/ci.md push a list, one job after the other', async () => {
    const directory = temporaryDirectory();
    const clock = fakeClock({ auto: true });
    const sandbox = await startSandbox({ file: ':memory:', switches: { limit: 0 }, now: () => clock.now() });
    onTestFinished(() => sandbox.close());
    writeFileSync(
      join(directory, 'guests.csv'),
      'persona,barcode,First name,Last name,E-mail\nvisitor,B1,Ada,Byron,ada@example.com\nvisitor,,Bob,Byron,bob@example.com\n',
    );
    const env = {
      EVENTREG_BASE_URL: sandbox.baseUrl,
      EVENTREG_TOKEN: sandbox.token,
      EVENTREG_KEYCHAIN: 'off',
    };
    const jobs = commandsOf('docs/ci.md');
    expect(jobs.map(({ argv }) => argv[0])).toEqual(Array<string>(6).fill('push'));
    for (const { typed, argv } of jobs) {
      const { runtime, err } = fakeRuntime({ directory, clock, env });
      expect([typed, await main(argv, runtime), err()]).toEqual([typed, 0, expect.any(String)]);
      expect(existsSync(join(directory, 'mapping.json'))).toBe(true);
    }
    const posts = sandbox.requests().filter(({ method }) => method === 'POST');
    expect([sandbox.counts().registrations, posts.length]).toEqual([2, 2]);
    expect(readFileSync(join(directory, 'eventreg.xml'), 'utf8')).toContain('failures="0" errors="0"');
  });

  test.each(PAGES)('%s has them in fences that are read here', (page) => {
    const languages = [...read(page).matchAll(/^```(\w*)[^\n]*\n.*?^```/gms)].map(
      ([, language = '']) => language,
    );
    expect(languages.filter((language) => ![...LANGUAGES, ...NO_COMMANDS].includes(language))).toEqual([]);
  });

  test('are many', () => {
    expect(PAGES.flatMap(commandsOf).length).toBeGreaterThan(30);
    expect(PAGES.flatMap(commandsOf).filter(canRun).length).toBeGreaterThan(8);
  });

  test.each(PAGES)('%s shows pictures that are there', (page) => {
    const shown = [...read(page).matchAll(/(?:src|srcset)="([^"]*)"/g)].map(([, file = '']) => file);
    expect(shown.filter((file) => !existsSync(join(ROOT, page, '..', file)))).toEqual([]);
  });
});
