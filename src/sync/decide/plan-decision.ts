import { BARCODE, fieldOfKey } from '../../registration/changes/aspect.ts';
import type { FieldChange } from '../../registration/changes/field-change.ts';
import type {
  Difference,
  RecordImage,
  Registration,
  RegistrationRecord,
} from '../../registration/model/registration.ts';
import { PROBLEMS, type RowState } from '../../registration/model/row-states.ts';
import { describeReasons, type Reason } from '../../registration/model/row.ts';
import type { FindingKind } from '../../report/views/summary-view.ts';
import { nameDifferences } from '../../report/words/difference-text.ts';
import type { Base } from './base.ts';
import type { ValueVerdict } from './decide.ts';
import type { Near } from './judge-person.ts';

/** Who wins where file and service differ and nothing tells who is right. */
export type Winner = 'ask' | 'file' | 'service';

export interface PlanDecision {
  action: PlanAction;
  /** The record that was found; of several, the first. */
  record: RegistrationRecord | undefined;
  /** What sending would change, then what is kept or in conflict. */
  changes: readonly FieldChange[];
  /** What becomes of each of them, by key of the aspect. */
  verdicts: ReadonlyMap<string, ValueVerdict>;
  /** The row without what is kept or in conflict; undefined when all of it is sent, or nothing. */
  ask: Registration | undefined;
  /** What is known of the registration now; undefined when it is as it was. */
  base: Base | undefined;
  /** Why nothing is sent, or not all, as a clause; holds no values of persons. */
  why: string | undefined;
  /** Registrations that the service might change instead of registering somebody new. */
  near?: readonly Near[] | undefined;
  /** In a conflict that a flag settles. */
  asked?: AskedOf | undefined;
  /** The file has changed a value, and the service has it already: somebody else has sent it. */
  sentElsewhere?: boolean;
  /** What an update sends as it was said before, where the list does not show, or not whole, what is there. */
  unseen?: readonly FieldChange[];
  /** By how many parts of name and e-mail the file gives the ticket to somebody else; two are no correction. */
  toAnother?: number;
}

/** Whom a row may be about that is like somebody. */
export interface AskedOf {
  records: readonly RecordImage[];
  /** Of the same persona, and with its e-mail. */
  haveEmail: boolean;
  /** Not everybody can be found by an e-mail. */
  mayUpdate: boolean;
}

/** Of a row that is not sent. */
export const NOTHING: Omit<PlanDecision, 'action'> = {
  record: undefined,
  changes: [],
  verdicts: new Map(),
  ask: undefined,
  base: undefined,
  why: undefined,
};

/** A decision that nothing is sent, for a reason. */
export function conflict(why: string, record?: RegistrationRecord): PlanDecision {
  return { ...NOTHING, action: 'conflict', record, why };
}

/** A decision about a row of which there is nothing to compare. */
export function uncompared(action: 'create' | 'unknown'): PlanDecision {
  return { ...NOTHING, action };
}

/** What is said of a registration that was there, as a clause; `isDeleted`: by its id or barcode. */
export const whyAbsent = (isDeleted: boolean): string =>
  isDeleted
    ? 'it was sent before and has been deleted in the service since'
    : 'it was sent before, and the service lists nobody like it any more: it was deleted there, or given another name and e-mail';

/** Why nothing is done about a registration that was there. */
export const NOT_LISTED =
  'it is not listed any more: deleted in the service since it was compared, or given another barcode';

/** Why a row without a barcode, or with one that is not listed, is not sent. */
export const WHY = {
  moved: 'the list of registrations changed while it was read, so it may be in it already',
  unknownPerson:
    'it has neither barcode nor e-mail to find its person by: give it one, or --match none registers another person',
  noEmails: 'the service lists no e-mail addresses, so it cannot be told whether it is there',
  nameless: 'its registration shows no barcode, without which it cannot be updated',
  sentOtherwise:
    'it was sent before with other values, and the service shows no registration of its kind: without a barcode it cannot be updated, and would be registered once more',
};

export const whyNamedAsParent = (barcode: string | undefined): string =>
  `its registration has barcode ${barcode}, and rows of the files name it as parent by this one`;

/** That the ticket of a row is another person's, as a clause; `isOpen`: with what settles that. */
export const whyOther = (record: RegistrationRecord, slugs: readonly string[], isOpen: boolean): string =>
  `${registrationOf(record)} is another person now, changed in the service by ${slugs.join(', ')}: nothing of the row is sent to that one${isOpen ? '; --overwrite gives the ticket to the person of the file, --keep leaves it' : ''}`;

/** Why a row is not sent whose registration has another name since it was sent, as a clause. */
export const whyGiven = (record: RegistrationRecord): string =>
  `the service gave it ${registrationOf(record)}, which has another name now: it is not sent over that one; if they are one person, give the row its barcode, else an e-mail address of its own`;

/** How a registration is called. */
export const registrationOf = (record: RecordImage | undefined): string =>
  record?.id === undefined
    ? `the registration with barcode ${record?.barcode ?? 'unknown'}`
    : `registration ${record.id}`;

/** `3 registrations in the service have this barcode: reg-1, reg-2, reg-3`. */
export function severalFound(found: readonly RecordImage[], what: string): string {
  const ids = found.map(({ id }) => id ?? 'one without id').join(', ');
  return `${found.length} registrations in the service have ${what}: ${ids}`;
}

/** Why values of a row are not sent, as a clause. `barcode` is that of its registration. */
export function whyConflict(fields: readonly string[], barcode: string | undefined): string {
  const others = fields.filter((field) => field !== BARCODE.field);
  const clauses = others.length === 0 ? [] : [whyDisputed(others)];
  if (others.length < fields.length) {
    const other = barcode ?? 'another barcode';
    clauses.push(
      `its registration has barcode ${other}, which an update cannot change; write that into the file, or delete the registration and push it again`,
    );
  }
  return clauses.join('; ');
}

const whyDisputed = (fields: readonly string[]): string =>
  `the service holds other values than the file, and only you can tell which are right: ${fields.join(', ')}; --overwrite sends the file's, --keep leaves the service's`;

/** What comparing a row with the service came to. */
export const PLAN_ACTIONS = [
  /** The service does not list it. */
  'create',
  /** The service lists it with other values. */
  'update',
  /** The service lists it as the row has it: nothing is sent. */
  'unchanged',
  /** The service lists it otherwise than the row has it, and only the service has changed: nothing is sent. */
  'kept',
  /** Sending it could destroy something that only people can judge: nothing is sent. */
  'conflict',
  /** The service does not show enough to compare: it is sent. */
  'unknown',
] as const;
export type PlanAction = (typeof PLAN_ACTIONS)[number];

/** What became of a row, as the journal has it. */
interface Became {
  state: RowState;
  barcode: string | undefined;
  message: string | undefined;
  /** Why it is rejected. */
  reasons: readonly Reason[];
  /** What became of each value that the service holds otherwise, by key of the aspect. */
  verdicts: Readonly<Record<string, string>>;
  /** Where reading back found it otherwise than it was to be left. */
  differences: readonly Difference[];
  /** What else was found of it; messages are clauses. */
  findings: readonly { kind: FindingKind; message: string }[];
}

/** Fields of which a row has come to one of some verdicts. */
export const fieldsThatAre = (
  { verdicts }: Pick<Became, 'verdicts'>,
  ...wanted: readonly string[]
): string[] =>
  Object.entries(verdicts)
    .filter(([, verdict]) => wanted.includes(verdict))
    .map(([key]) => fieldOfKey(key));

/** What is wrong with a row, the worst first; nothing where it got through as a whole and is as it was sent. */
export function troublesOf(row: Became): (RowState | 'different')[] {
  const conflicts = fieldsThatAre(row, 'conflict').length > 0;
  return [
    ...(PROBLEMS.has(row.state) ? [row.state] : []),
    ...(conflicts && row.state !== 'conflict' ? ['conflict' as const] : []),
    ...(row.differences.length > 0 ? ['different' as const] : []),
  ];
}

/** The same for programs: codes of problems. */
export function codesOf(row: Became): string[] {
  const { state, reasons, findings } = row;
  const codes =
    state === 'rejected'
      ? reasons.map(({ code }) => code)
      : [...troublesOf(row), ...findings.map(({ kind }) => kind)];
  return [...new Set(codes)];
}

/** Of a row that no answer has come to. */
export const NO_NEWS = 'no further news';

/** And in words. Holds no values of persons. */
export function describeTrouble(row: Became): string {
  const { state, barcode, message, reasons, differences } = row;
  const told = message ?? (reasons.length > 0 ? describeReasons(reasons) : undefined);
  const whole = PROBLEMS.has(state) ? told : undefined;
  const fields = fieldsThatAre(row, 'conflict');
  const isSaid = fields.length === 0 || (state === 'conflict' && whole !== undefined);
  const parts = [
    ...(whole === undefined ? [] : [whole]),
    ...(isSaid ? [] : [whyConflict(fields, barcode)]),
    ...(differences.length === 0 ? [] : [nameDifferences(differences)]),
  ];
  return parts.length === 0 ? (message ?? NO_NEWS) : parts.join('; ');
}
