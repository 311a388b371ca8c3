import { GuardError } from '../../errors.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import { checkMaxDelete, checkShares, type MaxDelete } from '../../sync/decide/delete-guard.ts';
import {
  type NameContext,
  nameProblem,
  NameProblems,
  type Names,
  namesakeProblem,
  wordForBarcodes,
} from '../delete/delete-name.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { PruneFinder } from './prune-find.ts';

export interface PruneOptions {
  /** How rows are known to stand for a registration. */
  match: 'barcode' | 'email' | 'none';
  maxDelete: MaxDelete;
}

/** Everything that makes it unsafe to delete what a run does not have. */
export function findObstacles(
  context: NameContext & { run: string },
  { reading, finder }: { reading: ListReading; finder: PruneFinder },
  { match, maxDelete }: PruneOptions,
): Obstacle[] {
  const { journal, run } = context;
  return [
    ...hidden(reading, finder),
    ...unnamed(context, reading, finder),
    ...rowsInTheWay(journal, run, match),
    ...tooMany(finder, maxDelete),
  ];
}

/** What stands against deleting. */
interface Obstacle {
  problem: string;
  hint?: string;
  /** It is only how many they are: a larger --max-delete lets them be deleted. */
  isLimit?: boolean;
}

function hidden(reading: ListReading, finder: PruneFinder): Obstacle[] {
  const all: readonly (readonly [boolean, string])[] = [
    [reading.how !== 'list', 'the registrations of the service were not all read'],
    [reading.moved, 'registrations came or went each time the list was read, so it may have gaps'],
    [!reading.personasShown, 'the service does not show the persona of its registrations'],
    [!reading.barcodesShown, 'the service does not show the barcodes of its registrations'],
    [!reading.idsShown && !reading.barcodesShown, 'the service does not show the ids of its registrations'],
  ];
  const obstacles = all.filter(([stands]) => stands).map(([, problem]) => ({ problem }));
  const repeated = repeatedIds(reading);
  if (repeated.length > 0) {
    obstacles.push({ problem: `several registrations show the same id: ${repeated.join(', ')}` });
  }
  // Said of all already.
  return reading.barcodesShown ? [...obstacles, ...unknown(finder)] : obstacles;
}

/** Some of the ids that several registrations show: what looks like an id is none then. */
function repeatedIds({ listed }: ListReading): string[] {
  const ids = [...listed.all()].flatMap(({ id = '' }) => (listed.withId(id).length > 1 ? id : []));
  return [...new Set(ids)].sort().slice(0, 10);
}

/** What cannot be named in a delete, or not without meaning others, too. */
function unnamed(context: NameContext, { listed }: ListReading, finder: PruneFinder): Obstacle[] {
  const { registrations } = context;
  const word = wordForBarcodes(context);
  const problems = new NameProblems();
  const holdersOf = (barcode: string): readonly Names[] => listed.byBarcode(barcode);
  for (const names of finder.going) {
    const { id, barcode } = names;
    const byBarcode = barcode !== undefined && (word === 'profile' || id === undefined);
    const shared = byBarcode && holdersOf(barcode).length > 1 ? 'others have its barcode' : undefined;
    const namesake = namesakeProblem(registrations, names, holdersOf);
    problems.add(names, nameProblem(registrations, word, names) ?? shared ?? namesake);
  }
  const hint = 'If the service deletes by barcode, say so in the profile: "registrationId": "barcode".';
  return problems.clauses.map((problem) => ({ problem, hint }));
}

/** Some registrations may be those of rows, and do not show it. */
function unknown({ hidden: { barcodes, emails } }: PruneFinder): Obstacle[] {
  const told = (count: number, what: string): Obstacle[] => {
    if (count === 0) return [];
    const some = plural(count, 'registration shows', 'registrations show');
    const whom = count === 1 ? 'it' : 'them';
    return [{ problem: `${some} no ${what}, so it cannot be told whether the file has ${whom}` }];
  };
  return [...told(barcodes, 'barcode'), ...told(emails, 'e-mail address')];
}

function rowsInTheWay(journal: Journal, run: string, match: PruneOptions['match']): Obstacle[] {
  const counts = journal.get<{ rejected: number; bare: number }>(
    `SELECT count(*) FILTER (WHERE state = 'rejected') AS rejected,
       count(*) FILTER (WHERE state <> 'rejected' AND barcode IS NULL AND remote_id IS NULL) AS bare
     FROM row WHERE run = $run AND op = 'send'`,
    { run },
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
  if (bare > 0 && match !== 'email') {
    const rows = plural(bare, 'row has', 'rows have');
    const hint = 'Give every row a barcode, or match by e-mail with --match email.';
    obstacles.push({ problem: `${rows} no barcode, so the registration it stands for is not known`, hint });
  }
  return obstacles;
}

/** That nobody is left is a mistake far more often than a wish, so it has to be wished for in so many words. */
function tooMany({ going, shares }: PruneFinder, limit: MaxDelete): Obstacle[] {
  const count = going.length;
  const there = shares.reduce((sum, one) => sum + one.there, 0);
  const wished = limit.kind === 'percent' ? limit.value === 100 : limit.assumed !== true;
  const emptied = shares.filter((one) => !wished && one.there > 1 && one.going === one.there);
  const findings = [
    checkMaxDelete(count, there, limit) ?? [],
    checkShares(
      shares.filter((one) => !emptied.includes(one)),
      limit,
      count,
    ),
    emptied.map((one) => ({
      problem: `this would delete all ${formatCount(one.there)} registrations of ${one.persona}`,
      hint: `If that is what you want, add --max-delete ${count}.`,
    })),
  ].flat();
  return findings.map((finding) => ({ ...finding, isLimit: true }));
}

/** The error that tells all of them. */
export function refusal(obstacles: readonly Obstacle[]): GuardError {
  const hints = [...new Set(obstacles.flatMap(({ hint }) => (hint === undefined ? [] : [hint])))];
  const guard = obstacles.every(({ isLimit }) => isLimit) ? 'max-delete' : 'prune';
  return new GuardError(guard, '--prune is not safe here, so nothing was sent or deleted.', {
    details: obstacles.map(({ problem }) => `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`),
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
  });
}
