import type { RowProblem } from '../../report/views/summary-view.ts';
import { EventregError, EXIT, type ExitCode } from '../../errors.ts';

/** How a delete ended, as data. */
export interface DeleteSummary {
  /** `planned`: a dry run, in which nothing was deleted. */
  state: 'planned' | 'finished' | 'stopped' | 'interrupted';
  /** The run that did it; undefined in a dry run. */
  run: string | undefined;
  /** Deleted by this command; in a dry run, what would be. */
  deleted: number;
  /** Of what was to be deleted: refused, in doubt, not there, not tried, or listed only afterwards. */
  left: number;
  /** Of those, in doubt. */
  uncertain: number;
  /** Of what was asked for, deleted by earlier commands. */
  gone: number;
  /** Ids and barcodes that no registration has. */
  absent: number;
  /** Where the deleted registrations are kept. */
  backup: string | undefined;
  /** Why a real run would refuse; only in a dry run. */
  tooMany?: string | undefined;
  /** Registrations that are gone, or have lost their parent, though nothing asked for that. */
  flaws?: readonly RowProblem[];
  /** What stopped it, if anything did. */
  error?: Error | undefined;
}

/** The exit code that tells a script what happened; the worst finding wins. */
export function deleteExitCode(summary: DeleteSummary): ExitCode {
  const { left, absent, flaws = [] } = summary;
  return endExitCode(summary, left > 0 || absent > 0 || flaws.length > 0);
}

/** The same for a run of any kind; `isShort`: not all came to what was asked for. */
export function endExitCode(
  { state, uncertain, error }: { state: string; uncertain: number; error?: Error | undefined },
  isShort: boolean,
): ExitCode {
  if (state === 'interrupted') return EXIT.interrupted;
  if (error !== undefined) return error instanceof EventregError ? error.exitCode : EXIT.failed;
  if (uncertain > 0) return EXIT.uncertain;
  return isShort ? EXIT.rejected : EXIT.done;
}
