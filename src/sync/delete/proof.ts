import { EventregError, InterruptedError, isCalledOff } from '../../errors.ts';
import { IN_DOUBT, OFF_THE_LIST } from '../../registration/model/row-states.ts';
import { plural } from '../../report/words/number.ts';
import { isAbsent } from '../../service/http/outcome.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { type DeleteRow, deletions, writeDeletionOutcome } from '../journal/delete-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { noteLost } from '../prove/strangers.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { CHEAP_PAGES, readShown, wishFor } from '../snapshot/read-now.ts';
import { readUntil } from '../snapshot/wait-until.ts';
import { BY_BARCODE, listedAs } from './names.ts';

interface ProofOptions {
  /** What was listed before anything was deleted. */
  before: ListReading | undefined;
  /** Read the whole list, whatever it costs. */
  whole?: boolean;
  /** What is listed is there: a service that refused it has no list to be late with. */
  isSure?: boolean;
}

/** What reading back has shown of deletions. */
interface Proof {
  reading: ListReading;
  /** Those whose registrations are listed. */
  still: DeleteRow[];
}

/**
 * Reads back some deletions, again as long as a list may lag behind while any of them is listed, and writes what that makes
 * of them. What else is gone since `before`, or has lost its parent, is kept as a finding.
 */
export async function prove(
  context: SendContext,
  rows: readonly DeleteRow[],
  { before, whole = false, isSure = false }: ProofOptions,
): Promise<Proof> {
  const { limits, journal, run } = context;
  // A short list shows what else has become otherwise.
  const wish = wishFor(rows, before?.how === 'list' ? CHEAP_PAGES : 0);
  const look = async (): Promise<Proof> => {
    const reading = await readShown(context, { ...wish, whole: whole || wish.whole === true });
    return { reading, still: rows.filter((row) => listedAs(reading.listed, row.before).length > 0) };
  };
  const forMs = isSure ? 0 : limits.settleMs;
  const seen = await readUntil(context, forMs, look, ({ still }) => still.length === 0);
  journal.transaction(() => {
    for (const row of rows) {
      const outcome = judge(row, seen.still.includes(row));
      if (outcome === undefined) continue;
      writeDeletionOutcome(context, row, outcome, 'looked');
      row.state = outcome.state;
      row.message = outcome.message;
    }
  });
  noteLost(journal, run, { before, now: seen.reading });
  return seen;
}

/** What a look makes of a deletion; undefined: what was said of it. What is gone since it was asked for, the request did. */
function judge(row: DeleteRow, isListed: boolean): RowOutcome | undefined {
  if (!isListed) return row.state === 'deleted' ? undefined : { state: 'deleted' };
  if (!isSaid(row)) return undefined;
  return { state: 'uncertain', message: `the service said that it ${whatIsSaid(row)}, and still lists it` };
}

type Answered = Pick<RowOutcome, 'state' | 'status'>;

/** Whether the service says that it is not there any more. */
export const isSaid = (answered: Answered): boolean => answered.state === 'deleted' || isAbsent(answered);

export const whatIsSaid = (answered: Answered): string =>
  isAbsent(answered) ? 'is not there' : 'deleted it';

/** Reads back what a run has deleted, or may have. That the service cannot be read is told, not thrown; Ctrl-C is both. */
export async function proveAll(context: SendContext, before: ListReading | undefined): Promise<void> {
  const { journal, run, reporter, stopping } = context;
  const rows = deletions(journal, run, [...OFF_THE_LIST, ...IN_DOUBT]).filter(
    (row) => row.state !== 'unchanged' || isAbsent(row),
  );
  if (rows.length === 0) return;
  const warn = (text: string): void => reporter.report({ type: 'warning', text });
  try {
    stopping.throwIfAborted();
    const said = new Set(rows.filter(isSaid));
    const { still } = await prove(context, rows, { before });
    const contradicted = still.filter((row) => said.has(row));
    const some = plural(contradicted.length, 'registration is', 'registrations are');
    if (contradicted.length > 0)
      warn(
        `${some} still listed, although the service said otherwise. ${afterListed(context, contradicted)}`,
      );
  } catch (error) {
    if (stopping.aborted) {
      warn('What was deleted was not read back: it was interrupted. Run the same command again to look.');
      throw new InterruptedError();
    }
    if (!(error instanceof EventregError) || isCalledOff(error)) throw error;
    warn(`What was deleted could not be read back: ${error.message}`);
  }
}

/** What to do about deletions that are listed still: what is there, and is said not to be, may be known by another name. */
export const afterListed = ({ registrations }: SendContext, rows: readonly DeleteRow[]): string =>
  registrations.registrationId !== 'barcode' &&
  rows.every((row) => row.barcode !== undefined && isAbsent(row))
    ? BY_BARCODE
    : 'Run the same command again later.';
