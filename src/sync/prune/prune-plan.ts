import { GuardError } from '../../errors.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import { checkMaxDelete, checkShares, hintFor, type Allowance, type Share } from '../decide/delete-guard.ts';
import { BY_BARCODE, type BarcodeWord, nameOf, nameProblems, wordForBarcodes } from '../delete/names.ts';
import { MEMBERS_AT_RISK, tellHidden, tellLacking } from '../delete/removal-summary.ts';
import type { StandingRow } from '../journal/queued-rows.ts';
import type { Session } from '../journal/send-context.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { FileRows, findPrunable, type Prunable, type PruneOptions } from './prunable.ts';

/** What a push deletes. */
export interface PrunePlan {
  going: readonly RegistrationRecord[];
  /** How many that are once all other rows get through: none where one is in conflict. */
  deletes: number;
  /** Of each persona in the files, how many there are, and how many of them go. */
  shares: readonly Share[];
  refused: GuardError | undefined;
}

/** The registrations that the service has and the files have no more, of the personas in the files. */
export function planPrune(
  context: Session,
  { rows, reading }: { rows: Iterable<StandingRow>; reading: ListReading },
  options: PruneOptions,
): PrunePlan {
  const files = new FileRows(rows, fieldsOf(context.event));
  const prunable = findPrunable(context, files, reading, options);
  const word = wordForBarcodes(context);
  const obstacles = findObstacles({ rows: files, reading, prunable, word }, options);
  const refused = obstacles.length > 0 ? refusal(obstacles) : undefined;
  if (prunable.kept.size > 0) context.reporter.report({ type: 'note', text: describeKept(prunable.kept) });
  if (prunable.going.length > 0 && !reading.parentsShown)
    context.reporter.report({ type: 'warning', text: MEMBERS_AT_RISK });
  // Where nothing names them, nobody can tell whom the file has.
  const isTold = reading.barcodesShown || reading.idsShown;
  const going = isTold ? prunable.going.map(({ listed }) => listed.record) : [];
  tellHidden(going, context);
  tellLacking(going, context, reading);
  const unlisted = files.countUnlisted(reading.listed, (state) => state === 'unchanged');
  if (going.length > 0 && unlisted > 0)
    context.reporter.report({ type: 'warning', text: `Nobody will be deleted: ${whyUnlisted(unlisted)}.` });
  const isHeld = unlisted > 0 || files.count(({ state }) => state === 'conflict') > 0;
  return { going, deletes: isHeld ? 0 : going.length, shares: prunable.shares, refused };
}

/** Why nobody can be deleted where rows are not listed, as a clause. */
export const whyUnlisted = (count: number): string =>
  `${plural(count, 'row of the file is', 'rows of the file are')} not listed by the service, so it may hold them as registrations that would be deleted`;

/** Kept registrations that are named in a message. */
const NAMED = 10;

function describeKept(kept: Prunable['kept']): string {
  const some = plural(
    kept.size,
    'registration that the file does not have stays',
    'registrations that the file does not have stay',
  );
  const named = [...kept].slice(0, NAMED).map(([one, why]) => `${nameOf(one)} (${why})`);
  return `${some}: ${named.join(', ')}${kept.size > NAMED ? ', …' : ''}`;
}

/** What stands against deleting. */
interface Obstacle {
  problem: string;
  hint?: string | undefined;
  /** It is only how many they are: a larger --max-delete lets them be deleted. */
  isLimit?: boolean;
}

/** Everything that makes it unsafe to delete what a run does not have. */
function findObstacles(
  what: { rows: FileRows; reading: ListReading; prunable: Prunable; word: BarcodeWord },
  { match, maxDelete, leftOut }: PruneOptions,
): Obstacle[] {
  const { rows, reading, prunable, word } = what;
  const { going, hidden, shares } = prunable;
  const { barcodesShown, idsShown } = reading;
  const ids = repeatedIds(reading);
  const rejected = rows.count(({ state }) => state === 'rejected');
  const bare = rows.count(
    ({ state, barcode, remoteId }) => state !== 'rejected' && barcode === undefined && remoteId === undefined,
  );
  const unnamed = nameProblems(word, going, (barcode) => reading.listed.byBarcode(barcode));
  const all: readonly (readonly [stands: boolean, problem: string, hint?: string])[] = [
    [reading.how !== 'list', 'the registrations of the service were not all read'],
    [reading.moved, 'registrations came or went each time the list was read, so it may have gaps'],
    [!reading.personasShown, 'the service does not show the persona of its registrations'],
    [!barcodesShown, 'the service does not show the barcodes of its registrations'],
    [!idsShown && !barcodesShown, 'the service does not show the ids of its registrations'],
    [ids.length > 0, `several registrations show the same id: ${ids.join(', ')}`],
    // Where none are shown that is said of all already.
    [barcodesShown && hidden.barcodes > 0, whyUnknown(hidden.barcodes, 'barcode')],
    [barcodesShown && hidden.emails > 0, whyUnknown(hidden.emails, 'e-mail address')],
    ...unnamed.map((problem) => [true, problem, BY_BARCODE] as const),
    [
      rejected > 0,
      `${plural(rejected, 'row is', 'rows are')} rejected: whom they stand for would be deleted`,
      'Mend the rows.',
    ],
    [
      bare > 0 && match !== 'email',
      `${plural(bare, 'row has', 'rows have')} no barcode, so the registration it stands for is not known`,
      'Give every row a barcode, or match by e-mail with --match email.',
    ],
    [
      leftOut.has(''),
      'a row that is left out has neither a barcode nor an e-mail address: whom it is about would be deleted',
      'Give the row one of them.',
    ],
  ];
  const standing = all.flatMap(([stands, problem, hint]) => (stands ? { problem, hint } : []));
  return [...standing, ...tooMany(going.length, shares, maxDelete)];
}

/** Some of the ids that several registrations show: what looks like an id is none then. */
function repeatedIds({ listed }: ListReading): string[] {
  const ids = [...listed.all()].flatMap(({ id = '' }) => (listed.withId(id).length > 1 ? id : []));
  return [...new Set(ids)].sort().slice(0, 10);
}

/** Some registrations may be those of rows, and do not show it. */
const whyUnknown = (count: number, what: string): string =>
  `${plural(count, 'registration shows', 'registrations show')} no ${what}, so it cannot be told whether the file has ${count === 1 ? 'it' : 'them'}`;

/** That nobody is left is a mistake far more often than a wish, so it has to be wished for in so many words. */
function tooMany(count: number, shares: readonly Share[], limit: Allowance): Obstacle[] {
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
      hint: hintFor(count),
    })),
  ].flat();
  return findings.map((finding) => ({ ...finding, isLimit: true }));
}

/** The error that tells all of them. */
function refusal(obstacles: readonly Obstacle[]): GuardError {
  const hints = [...new Set(obstacles.flatMap(({ hint }) => (hint === undefined ? [] : [hint])))];
  const guard = obstacles.every(({ isLimit }) => isLimit) ? 'max-delete' : 'prune';
  return new GuardError(guard, '--prune is not safe here, so nothing was sent or deleted.', {
    details: obstacles.map(({ problem }) => `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`),
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
  });
}
