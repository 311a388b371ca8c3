import type { Ending } from '../../documents/document-parts.ts';
import {
  EventregError,
  EXIT,
  type ExitCode,
  GuardError,
  InterruptedError,
  UsageError,
} from '../../errors.ts';

type Failure = NonNullable<Ending['error']>;

/** What a document ends with. `redact` takes secrets out of every text; `isBegun`: the command has said something. */
export function endingOf(
  code: ExitCode,
  error: unknown,
  redact: (text: string) => string,
  isBegun = false,
): Ending {
  const cause = error ?? unsaid(code, isBegun);
  return {
    exit: code,
    stopped_by: cause instanceof GuardError ? cause.guard : null,
    error: cause === undefined ? null : clean(failureOf(cause), redact),
  };
}

/** What the command itself has told already, or the parser of its words. */
function unsaid(code: ExitCode, isBegun: boolean): Error | undefined {
  if (code === EXIT.interrupted) return new InterruptedError();
  return code === EXIT.usage && !isBegun
    ? new UsageError('No command was given.', { hint: 'See all with eventreg --help.' })
    : undefined;
}

function failureOf(error: unknown): Failure {
  if (error instanceof EventregError) {
    const { code, message, hint = null, details, exitCode, open } = error;
    return {
      code,
      message,
      hint,
      details,
      exit: exitCode,
      ...(open && { questions: open.map(({ text, answers }) => ({ text, answers })) }),
    };
  }
  const [message = '', ...details] = String(error instanceof Error ? error.stack : error).split(/\r?\n/);
  return { code: 'defect', message, hint: null, details, exit: EXIT.failed };
}

function clean(failure: Failure, redact: (text: string) => string): Failure {
  const inside = (_key: string, value: unknown): unknown =>
    typeof value === 'string' ? redact(value) : value;
  return JSON.parse(JSON.stringify(failure), inside) as Failure;
}
