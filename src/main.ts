import { EventregError, EXIT, type ExitCode } from './errors.ts';
import { endingOf } from './report/records/json-document.ts';
import { visible } from './report/words/escape.ts';
import { painter, wantsColor } from './report/words/paint.ts';
import { writeMessage } from './report/words/wrap-words.ts';
import { isGithubJob, type Runtime } from './runtime.ts';
import { redactor } from './settings/redactor.ts';

/** Alone they are answered at once, before anything else is loaded. */
const VERSION_FLAGS = new Set<string | undefined>(['-V', '--version']);

/**
 * Runs the command line and says how it ended. The only place that prints errors and picks codes for them. GitHub
 * Actions looks for commands in what is printed, which may quote whatever a file holds: until the end it shall not.
 */
export async function main(argv: readonly string[], runtime: Runtime): Promise<ExitCode> {
  const { env, stderr, annotations } = runtime;
  if (!isGithubJob(env)) return await carryOut(argv, runtime);
  const { randomUUID } = await import('node:crypto');
  const token = randomUUID();
  stderr.write(`::stop-commands::${token}\n`);
  const code = await carryOut(argv, runtime);
  stderr.write([`::${token}::`, ...annotations, ''].join('\n'));
  return code;
}

async function carryOut(argv: readonly string[], runtime: Runtime): Promise<ExitCode> {
  const ended = await runWords(argv, runtime);
  const code = await endDocument(ended, argv, runtime);
  runtime.onEnd.forEach((tell) => tell(code));
  return code;
}

/** How the command has ended. */
interface Ended {
  code: ExitCode;
  error?: unknown;
}

async function runWords(argv: readonly string[], runtime: Runtime): Promise<Ended> {
  try {
    if (argv.length === 1 && VERSION_FLAGS.has(argv[0])) {
      runtime.stdout.write(`${runtime.version}\n`);
      return { code: EXIT.done };
    }
    const { runProgram } = await import('./program.ts');
    return { code: await runProgram(argv, runtime) };
  } catch (error) {
    return await failed(error, argv, runtime);
  }
}

async function failed(error: unknown, argv: readonly string[], runtime: Runtime): Promise<Ended> {
  const redact = redactor([...runtime.secrets]);
  const { env, stderr } = runtime;
  const paint = painter(wantsColor({ color: !argv.includes('--no-color'), env, stream: stderr }));
  const [first = '', ...others] = describeError(error).map((line) => visible(redact(line)));
  const head = first.replace(/^eventreg:/, (name) => paint('refused', name));
  writeMessage(stderr, [head, ...others].join('\n'));
  if (isGithubJob(env)) {
    const { workflowCommand } = await import('./report/ci/github.ts');
    const text = [first.replace(/^eventreg: /, ''), ...others].join('\n');
    runtime.annotations.push(workflowCommand('error', { title: 'eventreg' }, text));
  }
  return { code: error instanceof EventregError ? error.exitCode : EXIT.failed, error };
}

/** What programs get to know of the end, whoever has forgotten them. */
async function endDocument(ended: Ended, argv: readonly string[], runtime: Runtime): Promise<ExitCode> {
  const { document, secrets } = runtime;
  const isDue = document.isBegun || (ended.code !== EXIT.done && asksForJson(argv));
  if (!isDue) return ended.code;
  try {
    await document.end(endingOf(ended.code, ended.error, redactor([...secrets]), document.isBegun));
    return ended.code;
  } catch (error) {
    return ended.code === EXIT.done ? (await failed(error, argv, runtime)).code : ended.code;
  }
}

/** As the options say it, when they may not have been read. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const words = argv.slice(0, end < 0 ? undefined : end);
  return words.some(
    (word, at) =>
      word === '--json' || word === '--output=json' || (word === 'json' && words[at - 1] === '--output'),
  );
}

/**
 * A known error is its sentence, its findings and a hint, each on one line whatever it quotes; an
 * unknown one is a defect and shows its stack.
 */
function describeError(error: unknown): string[] {
  if (error instanceof EventregError) {
    // What is indented belongs to the finding before it.
    const details = error.details.map((detail) => (detail.startsWith(' ') ? `  ${detail}` : `  - ${detail}`));
    const hint = error.hint === undefined ? [] : [`hint: ${error.hint}`];
    return [`eventreg: ${error.message}`, ...details, ...hint];
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return ['eventreg: this is a defect of eventreg, please report it:', ...stack.split(/\r?\n/)];
}
