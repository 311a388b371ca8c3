import { isDeepStrictEqual } from 'node:util';
import {
  conflict,
  NOTHING,
  type PlanAction,
  type PlanDecision,
  severalFound,
  uncompared,
  whyAbsent,
  whyConflict,
  type Winner,
} from './plan-decision.ts';
import {
  type Aspect,
  aspectsOf,
  BARCODE,
  differs,
  type FieldsOf,
  MESSAGES,
  PARENT,
  PERSONA,
  unsaidAspects,
} from '../../registration/changes/aspect.ts';
import { toChange } from '../../registration/changes/field-change.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { addUnsaid, type Base, knownByPair, type Pair, pairOf, type Sight, UNSAID } from './base.ts';
import { decideValue, isSpelt, type ValueDecision, type ValueVerdict } from './decide.ts';
import { foldBarcode, givesAway } from './judge-person.ts';

interface PlanFacts {
  registration: Registration;
  /** The registrations that the service lists for the row. */
  found: readonly RegistrationRecord[];
  /** Undefined when this machine has never dealt with the registration. */
  base: Base | undefined;
  /** What these files said of values that other files have changed since, and what the service then held, by key of the aspect. */
  saidBefore?: ReadonlyMap<string, Pair>;
  winner: Winner;
  fields: FieldsOf;
  /** False when the service shows no parents at all. */
  parentsShown?: boolean;
  digest: (text: string) => string;
  /** Fields that any registration shows; undefined where nobody has looked at all of them. */
  fieldsListed?: ReadonlySet<string> | undefined;
  sight?: Sight | undefined;
  /** An update without a parent is seen to take a member out of its group. */
  leavingGroups?: boolean;
}

type Found = PlanFacts & { record: RegistrationRecord };

/** What becomes of one row, from what the service lists now and what is known of it from before. */
export function planRow(facts: PlanFacts): PlanDecision {
  const [record, another] = facts.found;
  if (another !== undefined) return conflict(severalFound(facts.found, 'this barcode'), record);
  if (record === undefined) return uncompared('create');
  if (record.fields === undefined) return { ...NOTHING, action: 'unknown', record };
  return planFound({ ...facts, record });
}

/** What becomes of a row whose registration was there before, and is not listed any more. */
export function planAbsent({ gone }: Pick<Base, 'gone'>, winner: Winner, isDeleted: boolean): PlanDecision {
  if (winner === 'file') return uncompared('create');
  const why = whyAbsent(isDeleted);
  if (gone || winner === 'service') return { ...NOTHING, action: 'kept', why };
  return conflict(`${why}; --overwrite creates it again, --keep leaves it deleted`);
}

interface Judged {
  aspect: Aspect;
  judgement: ValueDecision;
  /** Somebody has said that the service is right, so that the difference is none any more. */
  isSettled: boolean;
  /** What the service holds was changed for the person before. */
  isOfAnother?: boolean;
}

function planFound(facts: Found): PlanDecision {
  const { registration, record, base } = facts;
  const known = { ...facts, base: baseOfFiles(facts) };
  // Nothing of another person is mixed into the one that the file now has.
  const toAnother = known.base === undefined ? 0 : givesAway({ ...known, base: known.base });
  const judged = [...movedAlong(judgeAll(known, toAnother > 0)), ...judgeBarcode(facts)];
  const sends = judged.filter(isSent);
  const others = judged.filter(({ judgement }) => judgement === 'kept' || judgement === 'conflict');
  const conflicts = others.filter(({ judgement }) => judgement === 'conflict');
  const disputed = conflicts.map(({ aspect }) => aspect.field);
  // Only counted: it is as it was left.
  const refused = judged.filter(({ judgement }) => judgement === 'refused');
  const changed = [...sends, ...others];
  const after = baseAfter(facts, judged);
  return {
    action: actionOf(sends.length, conflicts.length, others.length),
    record,
    changes: changed.map(({ aspect }) => toChange(aspect, registration, record)),
    verdicts: new Map(
      [...changed, ...refused].map(({ aspect, judgement }) => [aspect.key, judgement as ValueVerdict]),
    ),
    ask: others.length === 0 ? undefined : without(registration, record, others),
    base: base?.gone === after.gone && isDeepStrictEqual(base.pairs, after.pairs) ? undefined : after,
    why: conflicts.length === 0 ? undefined : whyNot(facts, disputed),
    sentElsewhere: judged.some(
      ({ aspect, judgement }) =>
        judgement === 'same' && hasMovedAlike(base?.pairs.get(aspect.key), after.pairs.get(aspect.key)),
    ),
    toAnother: [undefined, registration.barcode].includes(record.barcode) ? toAnother : 0,
  };
}

/** What is known as the files of the row know it: what other files have changed since is an edit like any other. */
function baseOfFiles({ base, saidBefore }: Found): Base | undefined {
  if (base === undefined || saidBefore === undefined) return base;
  return { ...base, pairs: new Map([...base.pairs, ...saidBefore]) };
}

const isSent = ({ judgement }: Judged): boolean => isToSend(judgement);
const isToSend = (judgement: ValueDecision): boolean => judgement === 'send' || judgement === 'unbased';

function actionOf(sends: number, conflicts: number, others: number): PlanAction {
  if (sends > 0) return 'update';
  if (conflicts > 0) return 'conflict';
  return others > 0 ? 'kept' : 'unchanged';
}

function judgeAll(facts: Found, isOther: boolean): Judged[] {
  const { registration, record, base, winner, fields, digest, parentsShown = true } = facts;
  return aspectsOf(registration, fields).map((aspect) => {
    const pair = base?.pairs.get(aspect.key);
    const known = knownByPair(aspect, pair, digest);
    const judged = decideValue(aspect, { want: registration, have: record, known, parentsShown });
    const wasSaid = pair?.said !== UNSAID && known?.isSaid(undefined) === false;
    const open = judged === 'send' && wasSaid && isUnseen(facts, aspect) ? 'unbased' : judged;
    const plain = open === 'settled' && isOtherwise(aspect, facts, pair) ? 'kept' : open;
    // Only another way of writing is no other value of another person.
    const isAnothers = isOther && plain === 'kept' && judged !== 'settled';
    const isOfAnother = isAnothers && !isSpelt(aspect, registration, record);
    const judgement = isOfAnother ? 'conflict' : plain;
    const isWon = winner === 'file' && differs(aspect, registration, record);
    const wished = isWon ? 'send' : judgement;
    const cannot = aspect === PARENT && isToSend(wished) && cannotLeave(facts);
    const ended = cannot ? 'conflict' : wished;
    const isSettled = winner === 'service' && (ended === 'conflict' || ended === 'unbased');
    return { aspect, judgement: isSettled ? 'kept' : ended, isSettled, isOfAnother: isOfAnother && !isWon };
  });
}

/** A value that was sent may be another by now: no registration shows one. What was blank may be left out by the list. */
const isUnseen = ({ registration: { fields }, fieldsListed }: Found, { field }: Aspect): boolean =>
  fieldsListed?.has(field) === false && Object.hasOwn(fields, field);

/** Whether a difference that was settled is told still: another value is, not another way to write it, or a part of it. */
function isOtherwise(aspect: Aspect, { registration, record, sight }: Found, pair?: Pair): boolean {
  // That messages are wanted need not be kept.
  if (aspect === MESSAGES || plainValue(aspect.of(record)) === undefined) return false;
  const isPart = pair?.rewritten === true && sight?.mayBe(aspect, record, registration) === true;
  return !isPart && !isSpelt(aspect, registration, record);
}

/** A row that found its registration otherwise than by its barcode. */
function judgeBarcode({ registration, record, base, winner, digest }: Found): Judged[] {
  const [wanted, listed] = [registration.barcode, record.barcode];
  if (wanted === undefined || listed === undefined || foldBarcode(wanted) === foldBarcode(listed)) return [];
  const known = knownByPair(BARCODE, base?.pairs.get(BARCODE.key), digest);
  const isSettled = winner === 'service';
  const isKept = isSettled || (known?.isSaid(wanted) === true && known.isSeen(listed));
  return [{ aspect: BARCODE, judgement: isKept ? 'kept' : 'conflict', isSettled }];
}

/** The interface has no way to end a membership but to leave the parent out, where that does it. */
const cannotLeave = ({ registration, leavingGroups = false }: Found): boolean =>
  registration.leavesGroup === true && !leavingGroups;

function whyNot(facts: Found, fields: readonly string[]): string {
  const { barcode } = facts.record;
  if (!cannotLeave(facts) || !fields.includes(PARENT.field)) return whyConflict(fields, barcode);
  const others = fields.filter((field) => field !== PARENT.field);
  const cannot =
    'the service is not known to take a member out of its group (parent_barcode); delete it and push it again';
  return others.length === 0 ? cannot : `${cannot}; ${whyConflict(others, barcode)}`;
}

/** Where somebody has moved the registration to another persona, its fields mean something else: people have to judge. */
function movedAlong(judged: readonly Judged[]): readonly Judged[] {
  const persona = judged.find(({ aspect }) => aspect === PERSONA)?.judgement;
  if ((persona !== 'kept' && persona !== 'conflict') || !judged.some(isSent)) return judged;
  return judged.map((one) =>
    one.aspect === PERSONA || isSent(one) ? { ...one, judgement: 'conflict', isSettled: false } : one,
  );
}

/** The row without some of its values. A persona has to be sent: where it is kept, the listed one. */
function without(registration: Registration, record: RecordImage, left: readonly Judged[]): Registration {
  const keys = new Set(left.map(({ aspect }) => aspect.key));
  const { persona, fields, barcode, parentBarcode, leavesGroup, enableComms } = registration;
  return {
    persona: keys.has(PERSONA.key) ? (record.persona ?? persona) : persona,
    // fromEntries defines keys, so that a field called __proto__ is a key like any other.
    fields: Object.fromEntries(Object.entries(fields).filter(([slug]) => !keys.has(slug))),
    barcode,
    parentBarcode: keys.has(PARENT.key) ? undefined : parentBarcode,
    ...(leavesGroup === true && !keys.has(PARENT.key) ? { leavesGroup } : {}),
    enableComms: enableComms && !keys.has(MESSAGES.key),
  };
}

/**
 * What is known now: of values that are as the file says, or that were settled, both sides; of those that no file has
 * spoken of, what was listed when they were first seen. What is sent, kept or in conflict moves nothing.
 */
function baseAfter({ registration, record, base, fields, digest }: Found, judged: readonly Judged[]): Base {
  const pairs = new Map(base?.pairs);
  for (const { aspect, judgement, isSettled, isOfAnother } of judged) {
    const known = pairs.get(aspect.key);
    // Of this person it was never seen: a conflict until somebody settles it.
    if (isOfAnother === true && known !== undefined)
      pairs.set(aspect.key, { said: known.said, seen: undefined });
    if (judgement === 'same' || isSettled) {
      pairs.set(aspect.key, pairOf(aspect, { registration, record, digest }, known));
    }
  }
  const said = new Set(judged.map(({ aspect }) => aspect.key));
  const aspects = unsaidAspects(record.persona ?? registration.persona, fields);
  const unsaid = aspects.filter(({ key }) => !said.has(key));
  addUnsaid(pairs, unsaid, { record, digest });
  return { pairs, gone: false };
}

/** Whether file and service have both changed a value that was known of both, to the same. */
function hasMovedAlike(known: Pair | undefined, now: Pair | undefined): boolean {
  if (known === undefined || known.said === UNSAID || known.seen === undefined) return false;
  return known.said !== now?.said && known.seen !== now?.seen;
}
