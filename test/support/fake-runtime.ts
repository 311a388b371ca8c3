import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import type { Prompt, Runtime, TextOutput } from '../../src/runtime.ts';
import { fakeClock } from './fake-clock.ts';

/** Any part of a Runtime, and shorthands for what tests set most. */
export interface FakeRuntimeOverrides extends Partial<Runtime> {
  /** All of stdin, which then ends; at first it is empty. */
  stdinText?: string;
  /** Makes all three streams terminals. */
  tty?: boolean;
  /** One directory below which config and state lie. */
  directory?: string;
}

export interface FakeRuntime {
  runtime: Runtime;
  /** Everything written to stdout so far. */
  out: () => string;
  /** Everything written to stderr so far. */
  err: () => string;
}

/** A Runtime made by hand: no environment, a clock that jumps, no terminal, and nobody to ask. */
export function fakeRuntime(overrides: FakeRuntimeOverrides = {}): FakeRuntime {
  const {
    stdinText = '',
    tty = false,
    directory = join(tmpdir(), 'eventreg-not-created'),
    ...given
  } = overrides;
  const stdout = recordingOutput(tty);
  const stderr = recordingOutput(tty);
  const stdin = Object.assign(new PassThrough(), { isTTY: tty });
  stdin.end(stdinText);
  const runtime: Runtime = {
    version: '0.0.0-test',
    nodeVersion: '20.18.1',
    cwd: directory,
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: {},
    clock: fakeClock({ auto: true }),
    timeZone: 'UTC',
    random: () => 0.5,
    stopping: new AbortController().signal,
    aborting: new AbortController().signal,
    paths: { config: join(directory, 'config'), state: join(directory, 'state') },
    prompt: async () => fakePrompt({}).prompt,
    secrets: new Set(),
    self: { pid: 4242, host: 'test-host', startedAt: 0 },
    ...given,
  };
  return { runtime, out: stdout.text, err: stderr.text };
}

/**
 * Answers questions by a part of their text; a question without an answer fails the test.
 * `asked` lists the questions in order, those for secrets marked.
 */
export function fakePrompt(answers: Readonly<Record<string, string | boolean>>): {
  prompt: Prompt;
  asked: readonly string[];
} {
  const asked: string[] = [];
  const answer = (question: string): string | boolean => {
    const found = Object.entries(answers).find(([part]) => question.includes(part));
    if (found === undefined) throw new Error(`Asked without an answer: ${question}`);
    return found[1];
  };
  const prompt: Prompt = {
    confirm: async (question) => {
      // Whoever is asked about something else agrees to the first push.
      if (/first push/.test(question) && !Object.keys(answers).includes('first push')) return true;
      asked.push(question);
      return answer(question) === true;
    },
    secret: async (question) => {
      asked.push(`secret: ${question}`);
      return String(answer(question));
    },
    text: async (question) => {
      asked.push(question);
      return String(answer(question));
    },
    // Answered by a part of the label.
    select: async (question, choices) => {
      asked.push(question);
      const wanted = String(answer(question));
      const chosen = choices.find(({ label }) => label.includes(wanted));
      if (chosen === undefined) throw new Error(`No choice has ${wanted}: ${JSON.stringify(choices)}`);
      return chosen.value;
    },
  };
  return { prompt, asked };
}

/** Records at once, so that a test can look between two steps. */
function recordingOutput(tty: boolean): { stream: TextOutput; text: () => string } {
  let written = '';
  const stream: TextOutput = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  if (tty) Object.assign(stream, { isTTY: true, columns: 100 });
  return { stream, text: () => written };
}
