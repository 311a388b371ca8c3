import { whatStopped } from '../send/stop-rules.ts';
import { EXIT, type ExitCode } from '../../errors.ts';
import { plural } from '../../report/words/number.ts';
import type { Run } from '../../sync/journal/run.ts';
import { settleLate } from './settle-doubts.ts';
import { doubtful, otherHolder, type ProcessFacts, takeRun } from '../../sync/journal/runs.ts';
import { resend } from './resend.ts';
import { countResumed, giveBack, nothingDone, type ResumedRun, takeUp } from './resumed-run.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { type SettleOptions, settleUncertain } from './settle.ts';

/** What resuming works with. */
interface ResumeContext extends Omit<SendContext, 'run'> {
  self: ProcessFacts;
  /** Asks the person, or throws a GuardError that names the flag when nobody can answer. */
  confirm: (question: string) => Promise<boolean>;
}

export interface ResumeResult {
  runs: readonly ResumedRun[];
  /** What stopped it; what was settled until then is in the journal. */
  error: Error | undefined;
}

/**
 * Settles the uncertain rows of runs by reading the service, and sends once more those that are proven not
 * to be there; nothing else is sent. Runs that another process works on are left alone. Newest run first:
 * what it settles holds for the older ones.
 */
export async function resumeUncertain(
  context: ResumeContext,
  runs: readonly Run[],
  { match = 'barcode' }: Pick<SettleOptions, 'match'> = {},
): Promise<ResumeResult> {
  const resumed: ResumedRun[] = [];
  for (const run of runs) {
    const { journal } = context;
    if (!takeRun(journal, run.id)) {
      const rows = doubtful(journal, run.id).length;
      resumed.push({ ...nothingDone(run), holder: otherHolder(journal, run), rows, uncertain: rows });
      continue;
    }
    context.reporter.report({ type: 'run', run: run.id });
    const { result, error } = await resumeRun(context, run, match);
    resumed.push(result);
    if (error !== undefined) return { runs: resumed, error };
  }
  return { runs: resumed, error: undefined };
}

/** The exit code that tells a script what is left; the worst finding wins. */
export function resumeExitCode({ runs }: ResumeResult): ExitCode {
  if (runs.some(({ uncertain }) => uncertain > 0)) return EXIT.uncertain;
  const left = runs.some(({ conflict, failed, waiting }) => conflict + failed + waiting > 0);
  return left ? EXIT.rejected : EXIT.done;
}

async function resumeRun(
  context: ResumeContext,
  run: Run,
  match: 'barcode' | 'email',
): Promise<{ result: ResumedRun; error: Error | undefined }> {
  const { journal, clock, self, reporter } = context;
  const seqs = doubtful(journal, run.id);
  takeUp(journal, run.id, self, clock.now());
  const text = `Run ${run.id}: ${plural(seqs.length, 'uncertain row', 'uncertain rows')}.`;
  reporter.report({ type: 'note', text });
  const sending: SendContext = { ...context, run: run.id };
  const sent = new Set<number>();
  const error = await whatStopped(work(sending, context, { seqs, match, sent }));
  const result = countResumed(journal, run, seqs, sent);
  giveBack(journal, result, clock.now());
  return { result, error };
}

interface Work {
  seqs: readonly number[];
  match: 'barcode' | 'email';
  /** Takes the rows that got through. */
  sent: Set<number>;
}

async function work(
  sending: SendContext,
  { confirm }: Pick<ResumeContext, 'confirm'>,
  { seqs, match, sent }: Work,
): Promise<void> {
  const settling: SettleOptions = { match, deleted: 'leave' };
  settleLate(sending);
  await settleUncertain(sending, settling);
  await resend(sending, confirm, { seqs, sent });
  if (!sending.stopping.aborted && doubtfulAmong(sending, seqs) > 0) await settleUncertain(sending, settling);
}

function doubtfulAmong({ journal, run }: SendContext, seqs: readonly number[]): number {
  const wanted = new Set(seqs);
  return doubtful(journal, run).filter((seq) => wanted.has(seq)).length;
}
