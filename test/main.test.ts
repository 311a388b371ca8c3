import { describe, expect, test } from 'vitest';
import {
  AuthorisationError,
  EventregError,
  EXIT,
  GaveUpError,
  GuardError,
  InputError,
  InterruptedError,
  ServiceError,
  UsageError,
} from '../src/errors.ts';
import { main } from '../src/main.ts';
import { openProfiles } from '../src/settings/profiles.ts';
import { type FakeRuntime, fakeRuntime } from './support/fake-runtime.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** Runs a command that fails with `error`: reading the token from standard input throws it. */
async function failWith(
  error: unknown,
  secrets: string[] = [],
): Promise<{ exitCode: number; out: string; err: string }> {
  const { runtime, out, err } = failingRuntime(error);
  for (const secret of secrets) runtime.secrets.add(secret);
  const exitCode = await main(['profiles'], runtime);
  return { exitCode, out: out(), err: err() };
}

function failingRuntime(error: unknown): FakeRuntime {
  const fake = fakeRuntime();
  Object.defineProperty(fake.runtime, 'paths', {
    get() {
      throw error;
    },
  });
  return fake;
}

describe('a known error', () => {
  test('is its sentence, its findings and its hint, on stderr', async () => {
    const error = new UsageError('Two columns are wrong.', {
      details: ['column A is empty', '  see there', 'column B is twice there'],
      hint: 'Mend the first line.',
    });
    expect(await failWith(error)).toEqual({
      exitCode: 2,
      out: '',
      err: [
        'eventreg: Two columns are wrong.',
        '  - column A is empty',
        '    see there',
        '  - column B is twice there',
        'hint: Mend the first line.',
        '',
      ].join('\n'),
    });
  });

  test('begins in red where there are colours, and is wrapped at a terminal', async () => {
    const error = new UsageError(`Two columns are wrong, ${'and so on, '.repeat(10)}.`);
    const failing = failingRuntime(error);
    Object.assign(failing.runtime.stderr, { isTTY: true, columns: 60 });
    await main(['profiles'], failing.runtime);
    await main(['profiles', '--no-color'], failing.runtime);
    const lines = failing.err().split('\n');
    expect(lines[0]).toBe('\u001B[31meventreg:\u001B[39m Two columns are wrong, and so on, and so on, and');
    expect(lines.filter((line) => line.startsWith('eventreg: Two'))).toHaveLength(1);
    expect(Math.max(...lines.slice(1).map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  test('without findings and hint is one line, and its cause stays unsaid', async () => {
    const error = new ServiceError('The service is away.', { cause: new Error('inner') });
    expect((await failWith(error)).err).toBe('eventreg: The service is away.\n');
  });

  test.each([
    [new UsageError('x'), 2],
    [new InputError('x'), 2],
    [new AuthorisationError('x'), 4],
    [new ServiceError('x'), 1],
    [new GaveUpError('x'), 6],
    [new GuardError('busy', 'x'), 7],
    [new InterruptedError(), 130],
    [new EventregError(EXIT.rejected, 'x'), 3],
    [new EventregError(EXIT.uncertain, 'x'), 5],
  ])('ends with the exit code of its class: %o', async (error, code) => {
    expect((await failWith(error)).exitCode).toBe(code);
  });
});

describe('an unknown error', () => {
  test('is called a defect, and shows its stack', async () => {
    const error = new TypeError('x is not a function');
    const { exitCode, out, err } = await failWith(error);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toBe(`eventreg: this is a defect of eventreg, please report it:\n${error.stack}\n`);
    expect(err).toMatch(/TypeError: x is not a function\n +at /);
  });

  test.each([
    ['just a text', 'just a text'],
    [undefined, 'undefined'],
    [{ a: 1 }, '[object Object]'],
  ])('may be no Error at all: %o', async (thrown, shown) => {
    const { exitCode, err } = await failWith(thrown);
    expect([exitCode, err.split('\n')[1]]).toEqual([1, shown]);
  });
});

describe('what is printed', () => {
  const secret = 'tok/en+"with\\every=thing';

  test.each([
    ['as it is', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ])('never shows a secret: %s', async (_form, text) => {
    const error = new ServiceError(`It said ${text}.`, { details: [`saw ${text}`], hint: `Not ${text}.` });
    const known = await failWith(error, [secret]);
    expect(known.err).toBe('eventreg: It said [token].\n  - saw [token]\nhint: Not [token].\n');
    const unknown = await failWith(new Error(`Bad header ${text}`), [secret]);
    expect(unknown.err).toContain('Error: Bad header [token]\n');
    expect(unknown.err).not.toContain(text);
  });

  test('shows control characters instead of obeying them', async () => {
    const error = new ServiceError('It said \u001b[2Jhello\u0007\u202e.', {
      details: ['a\tb\rc'],
      hint: 'Try \u009b1m.',
    });
    expect((await failWith(error)).err).toBe(
      [
        String.raw`eventreg: It said \u{1b}[2Jhello\u{7}\u{202e}.`,
        String.raw`  - a\tb\rc`,
        String.raw`hint: Try \u{9b}1m.`,
        '',
      ].join('\n'),
    );
  });

  test('keeps a text from pretending to be a line of its own', async () => {
    const error = new ServiceError('It said "no".\nhint: run evil', { details: ['one\ntwo'] });
    expect((await failWith(error)).err.split('\n')).toEqual([
      String.raw`eventreg: It said "no".\nhint: run evil`,
      String.raw`  - one\ntwo`,
      '',
    ]);
  });
});

test('commands that an error tells to run lead to the profile that was named', async () => {
  const { runtime, err } = fakeRuntime({
    directory: temporaryDirectory(),
    env: { EVENTREG_KEYCHAIN: 'off' },
  });
  const store = await openProfiles(runtime.paths.config);
  store.set('fair', { baseUrl: 'https://a.example.com' });
  expect(await main(['list', '--profile', 'fair'], runtime)).toBe(EXIT.unauthorised);
  expect(err()).toMatch(/`eventreg login --profile fair`/);
});

test.each([
  ['delete', '--file', 'a.csv', '--file', 'b.csv'],
  ['delete', '--persona', 'a', '--persona', 'b'],
  ['list', '--barcode', 'A', '--barcode', 'B'],
])('%s with %s twice is refused: the first would be forgotten', async (...argv) => {
  const { runtime, err } = fakeRuntime();
  expect(await main([...argv, '--sandbox'], runtime)).toBe(EXIT.usage);
  expect(err()).toContain(`${argv[2]} and ${argv[4]}`);
});

test('and to the practice service', async () => {
  const { runtime, err } = fakeRuntime({ directory: temporaryDirectory() });
  expect(await main(['delete', '--barcode', 'nobody', '--sandbox', '--yes'], runtime)).toBe(EXIT.guarded);
  expect(err()).toContain('`eventreg list --sandbox`');
});

test('what is not shared cannot be packed', async () => {
  const { runtime, err } = fakeRuntime();
  expect(await main(['state', 'prune'], runtime)).toBe(EXIT.usage);
  expect(err()).toContain('Nothing is shared');
});
