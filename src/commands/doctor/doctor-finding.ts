import {
  AuthorisationError,
  EventregError,
  EXIT,
  type ExitCode,
  GaveUpError,
  InterruptedError,
} from '../../errors.ts';

export interface Finding {
  check: string;
  result: 'ok' | 'warning' | 'problem' | 'skipped';
  /** What there is. Untrusted text inside is not yet made safe. */
  found: string;
  /** What to do about it. */
  advice: string | undefined;
  /** What this alone would make the command exit with. */
  exitCode: ExitCode;
}

/** Findings one by one, as soon as they are there, and then what later checks build on. */
export type Findings<Result = void> = AsyncGenerator<Finding, Result, void>;

export function ok(check: string, found: string): Finding {
  return { check, result: 'ok', found, advice: undefined, exitCode: EXIT.done };
}

export function warning(check: string, found: string, advice: string): Finding {
  return { check, result: 'warning', found, advice, exitCode: EXIT.done };
}

/** `exitCode`: 6 where the service takes no requests for now, 4 for the token, 2 for settings, 1 for everything else. */
export function problem(
  check: string,
  found: string,
  advice: string | undefined,
  exitCode: ExitCode = EXIT.failed,
): Finding {
  return { check, result: 'problem', found, advice, exitCode };
}

export function skipped(check: string, why: string): Finding {
  return { check, result: 'skipped', found: why, advice: undefined, exitCode: EXIT.done };
}

/**
 * What a check threw, as a problem in its own words. Rethrows what is no finding: an interrupt, and
 * errors that are not meant for people.
 */
export function problemOf(check: string, error: unknown, exitCode?: ExitCode): Finding {
  if (!(error instanceof EventregError) || error instanceof InterruptedError) throw error;
  if (error instanceof GaveUpError && error.untilMs !== undefined) return heldBack(check, error.untilMs);
  const code = error instanceof AuthorisationError ? EXIT.unauthorised : EXIT.failed;
  const found = [error.message, ...error.details].join(' ');
  return problem(check, found, error.hint, exitCode ?? code);
}

function heldBack(check: string, untilMs: number): Finding {
  return problem(
    check,
    `not asked: the service takes no requests until ${timeWords(untilMs)}`,
    'Run the same command again then; a push waits by itself.',
    EXIT.gaveUp,
  );
}

/** A moment to the second: `2026-01-15T11:57:00Z`. */
export function timeWords(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The worst exit code of all: 6 before 4 before 2 before 1. */
export function worstExitCode(findings: readonly Finding[]): ExitCode {
  return findings.reduce<ExitCode>((worst, { exitCode }) => (exitCode > worst ? exitCode : worst), EXIT.done);
}
