import { GuardError } from '../errors.ts';
import { plural } from '../report/number.ts';
import { checkMaxDelete, type MaxDelete } from './delete-guard.ts';
import type { HeldReading } from './held.ts';
import type { Journal } from './journal.ts';
import type { PruneFinder } from './prune-find.ts';

export interface PruneOptions {
  /** How rows are known to stand for a registration. */
  match: 'barcode' | 'email';
  maxDelete: MaxDelete;
}

/** Everything that makes it unsafe to delete what a run does not have. */
export function findObstacles(
  journal: Journal,
  run: string,
  { reading, finder }: { reading: HeldReading; finder: PruneFinder },
  { match, maxDelete }: PruneOptions,
): Obstacle[] {
  return [
    ...hidden(reading, finder),
    ...rowsInTheWay(journal, run, match),
    ...tooMany(finder.count, finder.there, maxDelete),
  ];
}

/** What stands against deleting. */
export interface Obstacle {
  problem: string;
  hint?: string;
}

function hidden(reading: HeldReading, finder: PruneFinder): Obstacle[] {
  const all: readonly (readonly [boolean, string])[] = [
    [reading.how !== 'list', 'the registrations of the service were not all read'],
    [reading.moved, 'registrations came or went each time the list was read, so it may have gaps'],
    [!reading.personasShown, 'the service does not show the persona of its registrations'],
    [!reading.barcodesShown, 'the service does not show the barcodes of its registrations'],
    [!reading.idsShown, 'the service does not show the ids of its registrations'],
    [finder.idsRepeat, 'several registrations show the same id'],
  ];
  return all.filter(([stands]) => stands).map(([, problem]) => ({ problem }));
}

function rowsInTheWay(journal: Journal, run: string, match: PruneOptions['match']): Obstacle[] {
  const counts = journal.get<{ rejected: number; bare: number }>(
    `SELECT count(*) FILTER (WHERE state = 'rejected') AS rejected,
       count(*) FILTER (WHERE state <> 'rejected' AND barcode IS NULL) AS bare
     FROM row WHERE run = $run AND op = 'send'`,
    { $run: run },
  );
  const { rejected = 0, bare = 0 } = counts ?? {};
  const obstacles: Obstacle[] = [];
  if (rejected > 0) {
    const rows = plural(rejected, 'row is', 'rows are');
    obstacles.push({
      problem: `${rows} rejected: whom they stand for would be deleted`,
      hint: 'Mend the rows.',
    });
  }
  if (bare > 0 && match === 'barcode') {
    const rows = plural(bare, 'row has', 'rows have');
    const hint = 'Give every row a barcode, or match by e-mail with --match email.';
    obstacles.push({ problem: `${rows} no barcode, so the registration it stands for is not known`, hint });
  }
  return obstacles;
}

function tooMany(planned: number, there: number, limit: MaxDelete): Obstacle[] {
  const finding = checkMaxDelete(planned, there, limit);
  return finding === undefined ? [] : [finding];
}

/** The error that tells all of them. */
export function refusal(obstacles: readonly Obstacle[]): GuardError {
  const hints = obstacles.flatMap(({ hint }) => (hint === undefined ? [] : [hint]));
  return new GuardError('--prune is not safe here, so nothing was sent or deleted.', {
    details: obstacles.map(({ problem }) => `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`),
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
  });
}
