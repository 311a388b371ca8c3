import {
  type Aspect,
  BARCODE,
  fieldAspect,
  type FieldsOf,
  PARENT,
  PERSONA,
} from '../../registration/changes/aspect.ts';
import { plainValue, sameValue, type ValueRules } from '../../registration/changes/same-value.ts';
import type { FieldValue, RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT, type RowState, THERE } from '../../registration/model/row-states.ts';
import type { ChapterView, FoundView, ValueState, ValueView } from '../../report/views/story-view.ts';
import { decideValue, isSpelling, type ValueDecision } from '../decide/decide.ts';
import type { Run } from '../journal/run.ts';
import type { ToldRow } from '../journal/told-rows.ts';
import { fieldsLeft } from './problems.ts';

/** What one run did about a registration. */
export interface Chapter {
  view: ChapterView;
  run: Pick<Run, 'event' | 'undoes'>;
  row: ToldRow;
  /** Somebody works on the run at this moment. */
  isUnderWay: boolean;
}

/** States in which the service holds what was sent, or may. */
export const MAY_BE_AS_SENT: ReadonlySet<RowState> = new Set([...THERE, ...IN_DOUBT, 'deleted']);

/** Holds a registration, value by value, against what was last wanted of it and what was last seen. */
export function compareNow(
  chapters: readonly Chapter[],
  record: RegistrationRecord,
  fields: FieldsOf,
): FoundView {
  if (record.fields === undefined) return { id: record.id, values: undefined };
  const own = ofThisOne(chapters);
  const persona = record.persona ?? own.find(({ row }) => row.persona !== undefined)?.row.persona ?? '';
  const slugs = [...own.flatMap(({ row }) => [row.sent, row.before, row.after]), record].flatMap((image) =>
    Object.keys(image?.fields ?? {}),
  );
  const named = [...new Set(slugs)].map((slug) => fieldAspect(slug, fields(persona)));
  const aspects = [PERSONA, BARCODE, PARENT, ...named];
  return { id: record.id, values: aspects.flatMap((aspect) => valueNow(aspect, own, record)) };
}

/** What was done before a deletion was about another registration; a deletion that came last is no end of this one. */
function ofThisOne(chapters: readonly Chapter[]): readonly Chapter[] {
  const sent = chapters.findIndex(({ view }) => view.op === 'send');
  return sent === -1 ? chapters : untilDeletion(chapters.slice(sent));
}

export function untilDeletion(chapters: readonly Chapter[]): readonly Chapter[] {
  const gone = chapters.findIndex(({ view }) => view.op === 'delete' && view.state === 'deleted');
  return gone === -1 ? chapters : chapters.slice(0, gone);
}

/** The last that said something of a value, sent or left as it was there; others say nothing of it. */
export const lastOf = (chapters: readonly Chapter[], { field, of }: Aspect): Chapter | undefined =>
  chapters.find(
    ({ view, row }) =>
      row.sent !== undefined &&
      MAY_BE_AS_SENT.has(view.state) &&
      // What it empties was asked for as well.
      (of(row.sent) !== undefined || Object.hasOwn(row.sent.fields, field) || isLeft(row, field)),
  );

const isLeft = (row: ToldRow, field: string): boolean => fieldsLeft(row).includes(field);

/** What a chapter has left of a value in the service, as far as it is known. */
export function leftIn({ row }: Chapter, { field, of }: Aspect): FieldValue | undefined {
  const image = isLeft(row, field) ? row.before : (row.after ?? row.sent);
  return image === undefined ? undefined : plainValue(of(image));
}

/** Nothing where nothing is listed and nothing was known. */
function valueNow(aspect: Aspect, chapters: readonly Chapter[], record: RecordImage): ValueView[] {
  const { field, of } = aspect;
  const chapter = lastOf(chapters, aspect);
  const { state, was } =
    chapter === undefined || isLeft(chapter.row, field)
      ? ofUnsent(aspect, chapter?.row, chapters, record)
      : ofSent(aspect, chapter.row, record);
  const now = plainValue(of(record));
  return now === undefined && was === undefined ? [] : [{ field, now, state, was }];
}

type Standing = Pick<ValueView, 'state' | 'was'>;

/** `row`: that which has another value, and left this one. */
function ofUnsent(
  { rules, of }: Aspect,
  row: ToldRow | undefined,
  chapters: readonly Chapter[],
  record: RecordImage,
): Standing {
  const seen = row === undefined ? chapters.map((one) => seenBy(one.row)).find(Boolean) : seenBy(row);
  if (seen === undefined) return { state: 'unknown', was: undefined };
  const last = plainValue(of(seen));
  if (!isAlike(rules, last, plainValue(of(record)))) return { state: 'changed', was: last ?? '' };
  if (row?.payload === undefined) return { state: 'before', was: undefined };
  return { state: 'left', was: plainValue(of(row.payload)) ?? '' };
}

/** What was wanted last, what is there now, and what was there when that was wanted. */
function ofSent(aspect: Aspect, row: ToldRow, record: RecordImage): Standing {
  const { field, rules, of, mayBeHidden } = aspect;
  const [want, seen, now] = [row.sent ?? {}, seenBy(row), plainValue(of(record))];
  const asked = plainValue(of(want));
  if (isAlike(rules, asked, now)) return { state: 'sent', was: undefined };
  const last = seen && plainValue(of(seen));
  const known = {
    isSaid: () => true,
    isSeen: () => seen !== undefined && isAlike(rules, last, now),
    wasSeen: row.after !== undefined,
    isRefused: false,
  };
  const decision = decideValue(aspect, { want, have: record, known, parentsShown: true });
  const isFlawed = row.differences.some((one) => one.field === field);
  if (now === undefined && (mayBeHidden || (decision === 'settled' && !isFlawed))) {
    return { state: 'hidden', was: asked };
  }
  return { state: STATES[decision], was: decision === 'kept' ? (last ?? '') : (asked ?? '') };
}

const seenBy = ({ after, before }: ToldRow): RecordImage | undefined => after ?? before;

/** Whether it was seen since it was sent, and has moved since that. */
const STATES: Readonly<Record<ValueDecision, ValueState>> = {
  same: 'sent',
  settled: 'stored',
  refused: 'stored',
  kept: 'edited',
  conflict: 'edited',
  send: 'before',
  unbased: 'unknown',
};

export const isAlike = (
  rules: ValueRules,
  one: FieldValue | undefined,
  other: FieldValue | undefined,
): boolean => sameValue(rules, one, other) || isSpelling(one, other);
