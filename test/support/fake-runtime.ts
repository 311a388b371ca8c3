import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import type { Choice, Prompt } from '../../src/prompts/prompt.ts';
import { JsonDocument } from '../../src/report/records/json-document.ts';
import type { Runtime, TextOutput } from '../../src/runtime.ts';
import { readDocument } from './documents.ts';
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
    document: new JsonDocument(given.stdout ?? stdout.stream),
    stderr: stderr.stream,
    env: {},
    clock: fakeClock({ auto: true }),
    timeZone: 'UTC',
    random: () => 0.5,
    stopping: new AbortController().signal,
    aborting: new AbortController().signal,
    paths: { config: join(directory, 'config'), state: join(directory, 'state') },
    prompt: async () => fakePrompt({}).prompt,
    hush: async () => () => undefined,
    killGroup(pid, signal) {
      try {
        process.kill(-pid, signal);
      } catch {
        // It has ended already.
      }
    },
    onEnd: new Set(),
    secrets: new Set(),
    annotations: [],
    self: { pid: 4242, host: 'test-host', startedAt: 0 },
    ...given,
  };
  const out = (): string => {
    const text = stdout.text();
    if (!runtime.document.isBegun) return text;
    // As main ends it, where a test runs a command without main.
    const document = text.endsWith('}\n') ? text : `${text},"exit":0,"stopped_by":null,"error":null}\n`;
    readDocument(document);
    return document;
  };
  return { runtime, out, err: stderr.text };
}

/** Of a confirm yes or no; of a select a part of the label; of a table, parts of choices by parts of rows. False is back. */
export type FakeAnswer = string | boolean | Readonly<Record<string, string>>;

/**
 * Answers questions by a part of their text; a question without an answer fails the test.
 * `asked` lists the questions in order, those for secrets marked; `acting` those that were said to act.
 */
export function fakePrompt(answers: Readonly<Record<string, FakeAnswer>>): {
  prompt: Prompt;
  asked: readonly string[];
  acting: readonly string[];
} {
  const asked: string[] = [];
  const acting: string[] = [];
  const answer = (question: string, acts?: boolean): FakeAnswer => {
    asked.push(question);
    if (acts === true) acting.push(question);
    const found = Object.entries(answers).find(([part]) => question.includes(part));
    if (found === undefined) throw new Error(`Asked without an answer: ${question}`);
    return found[1];
  };
  const prompt: Prompt = {
    confirm: async (question, how) => {
      // Whoever is asked about something else agrees to the first push.
      if (/first push/.test(question) && !Object.keys(answers).includes('first push')) return true;
      return answer(question, how?.acts) === true;
    },
    secret: async (question) => textOf(answer(`secret: ${question}`)),
    text: async (question) => textOf(answer(question)),
    select: (async (question, choices, how) => {
      const wanted = answer(question, how?.acts);
      return wanted === false ? undefined : pick(choices, textOf(wanted));
    }) as Prompt['select'],
    table: async ({ title, rows, rest }) => {
      const wanted = answer(title);
      if (wanted === false) return undefined;
      const given = Object.entries(typeof wanted === 'object' ? wanted : {});
      return rows.map(({ label, value, choices }) => {
        const found = given.find(([part]) => label.includes(part));
        if (found !== undefined) return pick(rest === undefined ? choices : [...choices, rest], found[1]);
        const taken = value ?? rest?.value;
        if (taken === undefined) throw new Error(`Row without an answer: ${label}`);
        return taken;
      });
    },
  };
  return { prompt, asked, acting };
}

const textOf = (answer: FakeAnswer): string => (typeof answer === 'string' ? answer : JSON.stringify(answer));

function pick(choices: readonly Choice[], wanted: string): string {
  const chosen = choices.find(({ label }) => label.includes(wanted));
  if (chosen === undefined) throw new Error(`No choice has ${wanted}: ${JSON.stringify(choices)}`);
  return chosen.value;
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
