import { type FieldsOf, isWrittenAlike, PARENT } from '../../registration/changes/aspect.ts';
import { changesTo, type FieldChange } from '../../registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import { type Spelling, spellingOfAll } from './spelling.ts';
import { fateOf, isMove, type UnsentFate, unsentThings } from './unsent-things.ts';

/** An update that was sent first, and what was seen of it. */
export interface TrialFacts {
  /** As it went over the wire. */
  registration: Registration;
  before: RecordImage;
  outcome: { state: RowState; remoteId?: string | undefined };
  /** What the service lists under its barcode since. */
  found: readonly RecordImage[];
  fields: FieldsOf;
  /** False when the service shows no parents at all: nothing is to be seen of them. */
  parentsShown?: boolean;
}

/** What became of what was not sent, by the name of the thing. What is not shown is not in it. */
export type UnsentFates = ReadonlyMap<string, UnsentFate>;

/**
 * What an update has shown. `look`: nothing yet, it may show later. `harmless`: it made no second
 * registration, and nothing else can be seen of it. `spelling`, `dropped`: it changed nothing, as it would if
 * the service stores what was sent its own way.
 */
export interface TrialVerdict {
  rule: UpdateRule | 'look' | 'harmless' | Spelling;
  /** Empty unless it is seen to have updated. */
  unsent: UnsentFates;
}

/** Judges what is listed after an update that the service did not refuse. */
export function judgeTrial(facts: TrialFacts): TrialVerdict {
  const { registration, before, outcome, found, fields } = facts;
  const [record, another] = found;
  if (another !== undefined) return { rule: 'double', unsent: NOTHING };
  if (record === undefined) return LOOK;
  const wanted = wantedOf(facts);
  if (wanted === undefined || wanted.length === 0 || record.fields === undefined) {
    const same = outcome.remoteId !== undefined && outcome.remoteId === before.id;
    return same ? { rule: 'harmless', unsent: NOTHING } : LOOK;
  }
  const unsent = fatesOf(facts, record);
  // What is gone that was not sent has gone by the update, whatever else of it is to be seen.
  const isLost = [...unsent.values()].includes('reset');
  if (!isLost && !hasMoved(wanted, changesTo(registration, record, fields) ?? [])) return LOOK;
  return { rule: 'update', unsent };
}

/** What the update was to change, as far as it can be seen; undefined where values are not shown. */
function wantedOf({
  registration,
  before,
  fields,
  parentsShown = true,
}: TrialFacts): FieldChange[] | undefined {
  return changesTo(registration, before, fields)?.filter(
    ({ field }) => parentsShown || field !== PARENT.field,
  );
}

const NOTHING: UnsentFates = new Map();
const LOOK: TrialVerdict = { rule: 'look', unsent: NOTHING };

/** What another persona does to a registration says nothing of updates. */
function fatesOf({ registration, before, fields }: TrialFacts, record: RecordImage): UnsentFates {
  if (isMove(registration, before)) return NOTHING;
  return new Map(
    unsentThings(registration, before, fields).flatMap((thing): [string, UnsentFate][] => {
      const fate = fateOf(thing, before, record);
      return fate === undefined ? [] : [[thing.name, fate]];
    }),
  );
}

/** Whether anything that was to change has: a value that the service writes its own way counts. */
function hasMoved(wanted: readonly FieldChange[], open: readonly FieldChange[]): boolean {
  return wanted.some(
    ({ field, before }) => !open.some((one) => one.field === field && isWrittenAlike(one.before, before)),
  );
}

/** What an update has shown by the last look, when nothing can land or be listed late any more. */
export function judgeLastLook(facts: TrialFacts): TrialVerdict {
  const verdict = judgeTrial(facts);
  if (verdict.rule !== 'look') return verdict;
  const { before, outcome, found } = facts;
  const [record] = found;
  // Without a certain answer it may just not have landed.
  if (record === undefined || outcome.state === 'uncertain') return LOOK;
  const wanted = wantedOf(facts) ?? [];
  if (record.fields === undefined || wanted.length === 0) return { rule: 'harmless', unsent: NOTHING };
  const another = outcome.remoteId !== undefined && before.id !== undefined && outcome.remoteId !== before.id;
  return { rule: another ? 'double' : (spellingOfAll(wanted) ?? 'ignore'), unsent: NOTHING };
}

/** What a service does with a registration whose barcode it has already. */
export type UpdateRule = 'update' | 'double' | 'refuse' | 'ignore';
