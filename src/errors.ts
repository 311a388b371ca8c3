import type { ErrorCode, GuardCode } from './codes.ts';

/** What the process exits with; the whole list is in `eventreg --help`. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  rejected: 3,
  unauthorised: 4,
  uncertain: 5,
  gaveUp: 6,
  guarded: 7,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface ErrorFacts {
  /** How to mend it: one sentence, printed on a line of its own. */
  hint?: string;
  /** Further lines, each a finding of its own (all errors at once, not the first). */
  details?: readonly string[];
  cause?: unknown;
}

/** A question that only a person can answer, and the flags that do. */
export interface OpenQuestion {
  text: string;
  answers: readonly { flag: string | null; label: string }[];
}

/** What an error is called where nothing more is said of it. */
const USUAL_CODES: Readonly<Record<ExitCode, ErrorCode>> = {
  [EXIT.done]: 'defect',
  [EXIT.failed]: 'machine',
  [EXIT.usage]: 'usage',
  [EXIT.rejected]: 'service',
  [EXIT.unauthorised]: 'unauthorised',
  [EXIT.uncertain]: 'service',
  [EXIT.gaveUp]: 'gave-up',
  [EXIT.guarded]: 'defect',
  [EXIT.interrupted]: 'interrupted',
};

/** An error whose message is meant for the user. Thrown anywhere, printed only in `main.ts`. */
export class EventregError extends Error {
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;
  readonly details: readonly string[];
  /** What it is called for programs. */
  readonly code: ErrorCode | GuardCode;
  /** What is to be answered first, for programs. */
  readonly open: readonly OpenQuestion[] | undefined = undefined;

  constructor(
    exitCode: ExitCode,
    message: string,
    facts: ErrorFacts = {},
    code: ErrorCode | GuardCode = USUAL_CODES[exitCode],
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    this.exitCode = exitCode;
    this.hint = facts.hint;
    this.details = facts.details ?? [];
    this.code = code;
  }
}

/** Wrong flags, wrong settings (exit 2). */
export class UsageError extends EventregError {
  constructor(message: string, facts?: ErrorFacts) {
    super(EXIT.usage, message, facts);
  }
}

/** A file that cannot be read as what it says it is (exit 2). The message names file and line. */
export class InputError extends EventregError {
  constructor(message: string, facts?: ErrorFacts, code: ErrorCode = 'input') {
    super(EXIT.usage, message, facts, code);
  }
}

/** The service refused the token (exit 4). */
export class AuthorisationError extends EventregError {
  constructor(message: string, facts?: ErrorFacts) {
    super(EXIT.unauthorised, message, facts);
  }
}

/** The service or the way to it failed (exit 1). */
export class ServiceError extends EventregError {
  constructor(message: string, facts?: ErrorFacts) {
    super(EXIT.failed, message, facts, 'service');
  }
}

/** What several machines share cannot be used, or another has taken over (exit 1): nothing may be sent. */
export class SharedStateError extends EventregError {
  constructor(message: string, facts?: ErrorFacts) {
    super(EXIT.failed, message, facts, 'machine');
  }
}

/** Waiting took longer than allowed (exit 6). Nothing is lost. */
export class GaveUpError extends EventregError {
  /** When the wait that was too long would have ended, in milliseconds since 1970. */
  readonly untilMs: number | undefined;

  constructor(message: string, facts?: ErrorFacts, untilMs?: number) {
    super(EXIT.gaveUp, message, facts);
    this.untilMs = untilMs;
  }
}

/** A guard stopped the command (exit 7). */
export class GuardError extends EventregError {
  readonly guard: GuardCode;

  constructor(guard: GuardCode, message: string, facts?: ErrorFacts) {
    super(EXIT.guarded, message, facts, guard);
    this.guard = guard;
  }
}

/** Whether the limits that somebody set end it, `--max-wait` or `--leave`: no fault of the service. */
export function isCalledOff(error: unknown): boolean {
  return error instanceof GaveUpError || error instanceof GuardError;
}

/** Ctrl-C (exit 130). */
export class InterruptedError extends EventregError {
  constructor(message = 'Interrupted.', facts?: ErrorFacts) {
    super(EXIT.interrupted, message, facts);
  }
}
