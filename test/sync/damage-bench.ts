import type { Bench } from './push-bench.ts';

/** What a dry run of a damaged file came to. */
export interface DamageOutcome {
  exit: number;
  /** Every line on stderr. */
  says: string[];
  /** Every cell that was changed. */
  notes: { place: string; column: string; repair: string; before: string; after: string }[];
  /** Registrations that a push would send. */
  sent: number;
}

interface DryRun {
  state: string;
  pending: number;
  notes: DamageOutcome['notes'];
}

/** Looks every cell over, and sends nothing. Nobody can be asked: there is no terminal. */
const LOOK = ['--dry-run', '--persona', 'visitor', '--json', '--progress', 'none', '--no-check-dns'];

/** Pushes a file of a folder as a person in that folder would, but dry. */
export async function runDamaged(
  bench: Bench,
  folder: string,
  file: string,
  argv: readonly string[],
): Promise<DamageOutcome> {
  const { code, out, err } = await bench.run(['push', file, ...LOOK, '--show-values', ...argv], {
    cwd: folder,
  });
  const run = out === '' ? undefined : (JSON.parse(out) as DryRun);
  return {
    exit: code,
    says: err
      .replaceAll(/ at 127\.0\.0\.1:\d+/g, '')
      .split('\n')
      .slice(0, -1),
    notes: (run?.notes ?? []).map(({ place, column, repair, before, after }) => ({
      place,
      column,
      repair,
      before,
      after,
    })),
    sent: run?.state === 'planned' ? run.pending : 0,
  };
}
