import {
  type RecordImage,
  type Registration,
  type RegistrationRecord,
  imageOf,
} from '../../registration/model/registration.ts';
import { type AskedOf, registrationOf } from '../decide/plan-decision.ts';
import {
  KEY_WORDS,
  type Near,
  PERSON_KEYS,
  type PersonKey,
  type Recognition,
  sharedKey,
} from '../decide/judge-person.ts';
import type { Listed } from '../snapshot/listed-records.ts';
import { type Alike, type Candidate, GROUND, type Ground, type Likeness } from './candidates.ts';
import { firstOf } from '../../registration/model/maps.ts';
import type { ClaimFacts } from './claim.ts';
import { type PersonRow as Row, inSendingOrder } from './rows.ts';

/** A row that nothing is listed for by its barcode or by what is known of it. */
export interface NewFacts {
  hasBarcode: boolean;
  /** It was made from an e-mail or a name, which may have been others before: only the one that was made then is that person's. */
  isMade: boolean;
  candidates: readonly Candidate[];
  /** What it has in common with people who were sent before, and whom the list cannot show. */
  unshown: readonly Alike[];
  neighbours: readonly Neighbour[];
  /** Whether other rows that stand for nobody have in common with it what a likeness rests on. */
  hasRivals: (ground: Ground, by: Listed) => boolean;
  match: 'barcode' | 'email' | 'none';
  recognition: Recognition;
}

export type NewVerdict =
  /** It registers somebody new; `near` is what has to be watched, undefined where nothing has; `beside`: whom it is said not to be. */
  | { kind: 'new'; near: readonly Near[] | undefined; beside: readonly Listed[] }
  /** It is about that registration. */
  | { kind: 'same'; listed: Listed }
  /** Only people can tell; `asked` where a flag answers. */
  | { kind: 'alike'; why: string; asked: AskedOf | undefined };

/** Whether a row registers somebody new, or is about somebody whom the service lists. */
export const judgeNew = (facts: NewFacts): NewVerdict =>
  judgeKnown(facts) ?? judgeDoubtful(facts) ?? judgeUnshown(facts) ?? judgeTaken(facts);

const keyOf = ({ by }: Alike): PersonKey | undefined => PERSON_KEYS.find((key) => key === by);

/** What the service would take it for. Nobody is moved to another persona by an e-mail alone. */
function judgeKnown({ candidates, match, recognition }: NewFacts): NewVerdict | undefined {
  const isKnown = (one: Candidate): boolean =>
    recognition[keyOf(one) ?? 'case'] === 'yes' && keyOf(one) !== undefined;
  const known = candidates.filter(isKnown);
  const certain = known.find(
    ({ by, sameName }) => by !== 'email-across' && (by === 'case' || sameName || match === 'email'),
  );
  if (certain !== undefined) return { kind: 'same', listed: certain.listed };
  const [taken] = known;
  if (taken === undefined) return undefined;
  return {
    kind: 'alike',
    why: wouldChange(taken.by as PersonKey, registrationOf(taken.listed.record)),
    asked: undefined,
  };
}

/** What rests on less counts where nothing rests on more. */
function judgeDoubtful(facts: NewFacts): NewVerdict | undefined {
  const { candidates, match } = facts;
  if (match === 'none') return undefined;
  const all = candidates.filter((one) => isDoubtful(one, facts));
  const [first] = all;
  if (first === undefined) return undefined;
  const doubtful = all.filter(({ by }) => GROUND[by] === GROUND[first.by]);
  const only = facts.isMade ? undefined : oneOf(doubtful, facts.hasRivals(GROUND[first.by], first.listed));
  if (match === 'email' && only !== undefined) return { kind: 'same', listed: only.listed };
  const records = doubtful.map(({ listed }) => listed.record);
  // The barcode of a registration stays.
  const mayUpdate =
    only !== undefined &&
    (!facts.hasBarcode || only.by === 'case' || only.listed.record.barcode === undefined);
  const ways = mayUpdate ? WAYS : waysByBarcode(doubtful, facts);
  const what = WORDS[first.by](first.listed.record);
  const why = `${describe(records, what)}, and no row of the files stands for it: ${ways}`;
  const asked = { records: records.map(imageOf), haveEmail: first.by === 'email', mayUpdate };
  return { kind: 'alike', why, asked };
}

/** That the service would not take the one for the other says nothing of who they are. */
function isDoubtful(one: Alike, { recognition, hasBarcode }: NewFacts): boolean {
  const key = keyOf(one);
  if (key === undefined || recognition[key] === undefined) return true;
  return key !== 'email-across' && (one.sameName || (!hasBarcode && key === 'email'));
}

/** Nobody can see who would be changed, or be there twice. */
function judgeUnshown(facts: NewFacts): NewVerdict | undefined {
  const { unshown, match, recognition } = facts;
  const isKnown = (one: Alike): boolean => recognition[keyOf(one) ?? 'case'] === 'yes';
  const one = unshown.find((alike) => isKnown(alike) || (match !== 'none' && isDoubtful(alike, facts)));
  if (one === undefined) return undefined;
  const ways = isKnown(one) ? '' : ', --match none registers another one';
  const why = `one that was sent before has ${WORDS[one.by]({})}, and whether that is there the service does not show: give the row its barcode to change it${ways}`;
  const asked = { records: [], haveEmail: one.by === 'email', mayUpdate: false };
  return { kind: 'alike', why, asked: isKnown(one) ? undefined : asked };
}

/** The only one for the only row, or by a key the only one with the same name. Nobody is moved to another persona or name. */
function oneOf(doubtful: readonly Candidate[], hasRivals: boolean): Candidate | undefined {
  const own = doubtful.filter(({ by }) => by !== 'email-across' && by !== 'old-name');
  const [only, another] = own;
  if (another === undefined && !hasRivals) return only;
  const [named, second] = own.filter(({ by, sameName }) => sameName && GROUND[by] === 'key');
  return second === undefined ? named : undefined;
}

/** What other rows of the files stand for may be changed by it; those who are to be registered in spite of their likeness, too. */
function judgeTaken({ candidates, unshown, neighbours, recognition, match }: NewFacts): NewVerdict {
  const taken = neighbours.find(({ key }) => recognition[key] === 'yes');
  if (taken !== undefined) {
    const whom = taken.owner?.place ?? registrationOf(taken.listed?.record);
    return { kind: 'alike', why: wouldChange(taken.key, whom), asked: undefined };
  }
  const alike: readonly (Alike & Partial<Candidate>)[] = match === 'none' ? [...candidates, ...unshown] : [];
  const strangers = alike.flatMap((one): Neighbour[] => {
    const key = keyOf(one);
    return key === undefined ? [] : [{ key, listed: one.listed, owner: undefined }];
  });
  const beside = candidates.flatMap(({ by, listed }) => (GROUND[by] === 'key' ? [] : listed));
  const watched = [...strangers, ...neighbours].filter(({ key }) => recognition[key] === undefined);
  if (watched.length === 0) return { kind: 'new', near: undefined, beside };
  const near = watched.map(({ key, listed, owner, becomes }) => ({
    key,
    image: listed && imageOf(listed.record),
    seq: listed === undefined || becomes ? owner?.seq : undefined,
  }));
  return { kind: 'new', near, beside };
}

/** Registrations named in a message. */
const NAMED = 3;
const WAYS = '--match email if it is the same person, --match none to register another one';
const WORDS: Readonly<Record<Likeness, (record: Partial<RegistrationRecord>) => string>> = {
  case: () => 'its barcode in another case',
  zeros: () => 'its barcode but for zeros in front',
  email: () => 'its e-mail',
  'email-across': ({ persona = 'another persona' }) => `its e-mail as ${persona}`,
  name: () => 'its name',
  'old-name': ({ fields }) =>
    fields === undefined
      ? 'had its name when these files were last pushed, and shows none'
      : 'another name now, and had its name when these files were last pushed',
  files: () => 'no e-mail either and stood in these files when they were last pushed',
};

/** Nobody is moved to another persona, and no one of several is chosen, but by a barcode. */
function waysByBarcode([only, another]: readonly Candidate[], { hasBarcode }: NewFacts): string {
  const known = another === undefined ? only?.listed.record.barcode : undefined;
  const where = hasBarcode ? 'as its barcode' : 'in a column called Barcode';
  const change =
    known === undefined
      ? 'give its barcode to change it'
      : only?.by === 'zeros'
        ? `--set pad=barcode:${known.length} if the list has lost its zeros`
        : `to change it, write its barcode ${known} into the row, ${where}`;
  return `--match none to register another one; ${change}`;
}

const wouldChange = (key: PersonKey, whom: string): string =>
  `not sent: this service knows people by ${KEY_WORDS[key]}, so that it would change ${whom}`;

/** `registration reg-7 (barcode A) has its e-mail`. */
function describe(records: readonly RegistrationRecord[], what: string): string {
  const names = records.slice(0, NAMED).map((record) => {
    const barcode =
      record.barcode === undefined || record.id === undefined ? '' : ` (barcode ${record.barcode})`;
    return `${registrationOf(record)}${barcode}`;
  });
  const more = records.length > NAMED ? ' and others' : '';
  return `${names.join(', ')}${more} ${names.length === 1 ? 'has' : 'have'} ${what}`;
}

/** A registration that the service may take a row for which registers somebody new. */
export interface Neighbour {
  key: PersonKey;
  /** Undefined: another row of the files will register it. */
  listed: Listed | undefined;
  /** It is not like the row yet: its owner makes it so. */
  becomes?: true;
  /** The row of the files that stands for it, if one does. */
  owner: Row | undefined;
}

/** So many that are like a row tell enough. */
const MOST = 20;

/**
 * Whom the service may take a row for that registers somebody new, besides those that nobody stands for: registrations of
 * other rows, such as those give its e-mail to, and of each key the first row that is new, too, and is sent before.
 */
export function neighboursOf({ rows, listed, fields }: ClaimFacts, row: Row): Neighbour[] {
  const alike = (other: Registration | RecordImage, one: Omit<Neighbour, 'key'>): Neighbour[] => {
    const key = sharedKey(row.registration, other, fields);
    return key === undefined ? [] : [{ key, ...one }];
  };
  const isOwned = (one: Listed): boolean => !rows.isFree(one);
  const own = oneByOne([listed.withEmail(row.email), listed.withFolded(row.barcode)], isOwned)
    .toSorted((one, other) => one.no - other.no)
    .flatMap((one) => alike(one.record, { listed: one, owner: rows.ownerOf(one) }));
  const owners = new Set(own.map(({ owner }) => owner));
  const becoming = rows
    .withEmail(row.email)
    .filter((one) => one.seq !== row.seq && !rows.isOpen(one))
    .toSorted((one, other) => one.seq - other.seq)
    .slice(0, MOST)
    .filter((owner) => !owners.has(owner))
    .flatMap((owner) =>
      alike(owner.registration, { listed: rows.ownedBy(owner).at(-1), becomes: true, owner }),
    );
  const isTwin = (one: Row): boolean => inSendingOrder(one, row) < 0 && !one.inDoubt && rows.isOpen(one);
  const before = oneByOne([rows.withEmail(row.email), rows.withFolded(row.barcode)], isTwin)
    .toSorted(inSendingOrder)
    .flatMap((owner) => alike(owner.registration, { listed: undefined, owner }));
  const firsts = before.filter(({ key }, at) => before.findIndex((one) => one.key === key) === at);
  return [...own, ...becoming, ...firsts];
}

/** The first of some that pass a test, each once. */
const oneByOne = <One>(some: readonly (readonly One[])[], test: (one: One) => boolean): One[] => [
  ...new Set(some.flatMap((all) => firstOf(all, MOST, test))),
];
