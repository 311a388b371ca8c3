import { imageOf, type RecordImage, type RegistrationRecord } from '../../registration/model/registration.ts';
import { KEY_WORDS, type Near, type Recognition } from '../../sync/decide/near.ts';
import type { GoneRow } from './gone-rows.ts';
import type { Neighbour } from './neighbours.ts';

/** A row that the service does not list under its barcode, or that has none. */
interface NewFacts {
  /** 0, or which companion of its row it is. */
  part: number;
  hasBarcode: boolean;
  neighbours: readonly Neighbour[];
  /** Of a row without an e-mail: registrations with its name that no row stands for. */
  namesakes: readonly RegistrationRecord[];
  /** Other rows of the files have its e-mail, or without one its name, and stand for nobody. */
  hasRivals: boolean;
  /** Rows of earlier pushes of the files that it may be, corrected since. */
  gone: readonly GoneRow[];
  /** Those have its name, and another e-mail. */
  hasNewEmail: boolean;
  /** Those of them that say who it is just as it does. */
  known: readonly GoneRow[];
  match: 'barcode' | 'email' | 'none';
  recognition: Recognition;
}

export type NewVerdict =
  /** It registers somebody new; `near` is what has to be watched, undefined where nothing has. */
  | { kind: 'create'; near: readonly Near[] | undefined }
  /** It is about that registration. */
  | { kind: 'same'; record: RegistrationRecord; gone?: GoneRow | undefined }
  /** Only people can tell; `asked` are the registrations that it may be, where a flag answers. */
  | { kind: 'conflict'; why: string; asked: readonly RecordImage[] | undefined };

type Listed = Neighbour & { record: RegistrationRecord };

/** Whether a row registers somebody new, or is about somebody whom the service lists. */
export function judgeNew(facts: NewFacts): NewVerdict {
  const listed = facts.neighbours.filter((one): one is Listed => one.record !== undefined);
  const strangers = listed.filter(({ owner }) => owner === undefined);
  return (
    judgeStrangers(strangers, facts) ??
    judgeNamesakes(facts) ??
    judgeGone(facts) ??
    judgeOwn(facts, strangers)
  );
}

/** A name alone makes nobody the same; what is known of a row that is gone tells more. */
function judgeNamesakes({ namesakes, gone, hasRivals, match }: NewFacts): NewVerdict | undefined {
  const [record, another] = namesakes;
  const isGone = gone.some((one) => namesakes.some(({ id }) => id !== undefined && id === one.record?.id));
  if (record === undefined || match === 'none' || isGone) return undefined;
  const isOnly = another === undefined && !hasRivals;
  if (match === 'email' && isOnly) return { kind: 'same', record };
  const ways = isOnly ? WAYS : waysByBarcode(namesakes);
  const why = `${describe(namesakes, 'its name')}, and no row of the files stands for it: ${ways}`;
  return { kind: 'conflict', why, asked: namesakes.map(imageOf) };
}

/** Registrations that no row of the files stands for. Nobody is moved to another persona by an e-mail alone. */
function judgeStrangers(strangers: readonly Listed[], facts: NewFacts): NewVerdict | undefined {
  const { match, recognition } = facts;
  const own = strangers.filter(({ key }) => key !== 'email-across');
  const known = own.filter(({ key }) => recognition[key] === 'yes');
  const certain = known.filter(({ key, sameName }) => key === 'case' || sameName || match === 'email');
  const [first] = certain.length > 0 ? certain : match === 'email' ? oneOf(own, facts.hasRivals) : [];
  if (first !== undefined) return { kind: 'same', record: first.record };
  const taken = strangers.find(({ key }) => recognition[key] === 'yes');
  if (taken !== undefined) return { kind: 'conflict', why: wouldChange(taken), asked: undefined };
  const doubtful = match === 'none' ? [] : strangers.filter((one) => isDoubtful(one, facts));
  if (doubtful.length === 0) return undefined;
  if (match === 'email' && own.length > 0) {
    return { kind: 'conflict', why: `${describeStrangers(own)}; give barcodes`, asked: undefined };
  }
  const canUpdate = oneOf(own, facts.hasRivals).length > 0;
  const ways = canUpdate ? WAYS : waysByBarcode(doubtful.map((one) => one.record));
  const why = `${describeStrangers(doubtful)}, and no row of the files stands for it: ${ways}`;
  return { kind: 'conflict', why, asked: doubtful.map(({ record }) => imageOf(record)) };
}

/** Places and registrations named in a message. */
const NAMED = 3;
const WAYS = '--match email if it is the same person, --match none to register another one';

/** Nobody is moved to another persona, and no one of several is chosen, but by a barcode. */
function waysByBarcode(listed: readonly RegistrationRecord[]): string {
  const [only, another] = listed;
  const known = another === undefined ? only?.barcode : undefined;
  const change =
    known === undefined
      ? 'give its barcode to change it'
      : `to change it, write its barcode ${known} into the row, in a column called Barcode`;
  return `--match none to register another one; ${change}`;
}

/** The only one for the only row, or the only one with the same name. */
function oneOf(strangers: readonly Listed[], hasRivals: boolean): readonly Listed[] {
  if (strangers.length < 2 && !hasRivals) return strangers;
  const named = strangers.filter(({ sameName }) => sameName);
  return named.length === 1 ? named : [];
}

/** That the service would not take the one for the other says nothing of who they are. */
function isDoubtful({ key, sameName }: Listed, { recognition, hasBarcode }: NewFacts): boolean {
  if (recognition[key] === undefined) return true;
  return key !== 'email-across' && (sameName || (!hasBarcode && key === 'email'));
}

function wouldChange({ key, record, owner }: Neighbour): string {
  const who = owner === undefined ? registrationOf(record) : owner.place;
  return `not sent: this service knows people by ${KEY_WORDS[key]}, so that it would change ${who}`;
}

const registrationOf = (record: RegistrationRecord | undefined): string =>
  record?.id === undefined
    ? `the registration with barcode ${record?.barcode ?? 'unknown'}`
    : `registration ${record.id}`;

function describeStrangers(strangers: readonly Listed[]): string {
  const [first] = strangers;
  const what = first?.key === 'case' ? 'its barcode in another case' : 'its e-mail';
  const across = first?.key === 'email-across' ? ` as ${first.record.persona ?? 'another persona'}` : '';
  return describe(
    strangers.map(({ record }) => record),
    `${what}${across}`,
  );
}

/** `registration reg-7 has its e-mail`. */
function describe(strangers: readonly RegistrationRecord[], what: string): string {
  const names = strangers.slice(0, NAMED).map((record) => {
    const barcode =
      record.barcode === undefined || record.id === undefined ? '' : ` (barcode ${record.barcode})`;
    return `${registrationOf(record)}${barcode}`;
  });
  const more = strangers.length > NAMED ? ' and others' : '';
  return `${names.join(', ')}${more} ${names.length === 1 ? 'has' : 'have'} ${what}`;
}

function judgeGone({ gone, known, match, hasBarcode, hasNewEmail, part }: NewFacts): NewVerdict | undefined {
  if (gone.length === 0 || match === 'none') return undefined;
  const [own, another] = known;
  if (!hasBarcode && own?.record !== undefined && another === undefined)
    return { kind: 'same', record: own.record, gone: own };
  const [only] = gone;
  const record = gone.length === 1 && only?.isRenamed === false ? only.record : undefined;
  if (match === 'email' && record !== undefined) return { kind: 'same', record, gone: only };
  const { of = '' } = only?.place ?? {};
  const places = gone.slice(0, NAMED).map(({ place }) => place.what);
  const more = gone.length > NAMED ? ` and ${gone.length - NAMED} more` : '';
  const what = only?.isElsewhere === true ? 'not in this one' : 'gone';
  const had = hasNewEmail ? ', with its name and another e-mail,' : '';
  const renamed = gone.length === 1 && only?.isRenamed ? ', and has another name in the service now' : '';
  const rows = `${places.join(', ')}${more} ${of}${had} ${gone.length === 1 ? 'is' : 'are'} ${what}${renamed}`;
  const who = part === 0 ? 'this row' : `companion ${part} of this row`;
  const asked = gone.flatMap(({ record }) => (record === undefined ? [] : [imageOf(record)]));
  const ways = record !== undefined ? WAYS : '--match none registers another person; else give barcodes';
  return { kind: 'conflict', why: `${who} is new, and ${rows}: ${ways}`, asked };
}

/** What other rows of the files stand for may be changed by it; those who are to be registered in spite of their likeness, too. */
function judgeOwn({ neighbours, recognition, match }: NewFacts, strangers: readonly Listed[]): NewVerdict {
  const own = neighbours.filter(({ owner }) => owner !== undefined);
  const taken = own.find(({ key }) => recognition[key] === 'yes');
  if (taken !== undefined) return { kind: 'conflict', why: wouldChange(taken), asked: undefined };
  const watched = [...own, ...(match === 'none' ? strangers : [])].filter(
    ({ key }) => recognition[key] === undefined,
  );
  if (watched.length === 0) return { kind: 'create', near: undefined };
  return {
    kind: 'create',
    near: watched.map(({ key, record, owner, becomes }) => ({
      key,
      image: record && imageOf(record),
      seq: record === undefined || becomes ? owner?.seq : undefined,
    })),
  };
}
