import { IN_DOUBT, type RowState, THERE } from '../../registration/model/row-states.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { FieldValue, RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { plainValue, sameValue, type ValueRules } from '../../registration/changes/same-value.ts';
import type { FoundView, ValueView } from '../../report/views/story-view.ts';
import { spellingOf } from '../../sync/decide/spelling.ts';
import type { Chapter, KnownImages } from './story-chapter.ts';

/** States in which the service holds what was sent, or may. */
export const MAY_BE_AS_SENT: ReadonlySet<RowState> = new Set([...THERE, ...IN_DOUBT, 'deleted']);

/** The chapter that says what the service should hold: the last that sent it, else the last that saw it. */
function standing(chapters: readonly Chapter[]): Chapter | undefined {
  return (
    chapters.find(({ view, known }) => known.sent !== undefined && MAY_BE_AS_SENT.has(view.state)) ??
    chapters.find(({ known }) => known.before !== undefined)
  );
}

/** Holds a registration, value by value, against what the journal knows of it. */
export function compareNow(
  chapters: readonly Chapter[],
  record: RegistrationRecord,
  fields: FieldsOf,
): FoundView {
  if (record.fields === undefined) return { id: record.id, values: undefined };
  const chapter = standing(chapters);
  const known: KnownImages = {
    sent: chapter !== undefined && MAY_BE_AS_SENT.has(chapter.view.state) ? chapter.known.sent : undefined,
    row: chapter?.known.row,
    left: chapter?.known.left ?? new Set(),
    flawed: chapter?.known.flawed ?? new Set(),
    before: chapter?.known.before,
    after: chapter?.known.after,
  };
  const own = fields(record.persona ?? known.sent?.persona ?? '');
  const slugs = [known.sent, known.before, known.after, record].flatMap((one) =>
    Object.keys(one?.fields ?? {}),
  );
  const values = [
    ...AROUND.flatMap(({ field, of }) => judge({ field, of, rules: TEXT }, known, record)),
    ...[...new Set(slugs)].flatMap((slug) => {
      const rules = own.find((field) => field.slug === slug) ?? TEXT;
      return judge({ field: slug, of: (one) => valueOf(one, slug), rules }, known, record);
    }),
  ];
  return { id: record.id, values };
}

interface Part {
  field: string;
  of: (image: RecordImage) => unknown;
  rules: ValueRules;
}

const TEXT: ValueRules = { kind: 'text', choices: [], multiple: false };

const AROUND: readonly Pick<Part, 'field' | 'of'>[] = [
  { field: 'persona', of: ({ persona }) => persona },
  { field: 'barcode', of: ({ barcode }) => barcode },
  { field: 'parent_barcode', of: ({ parentBarcode }) => parentBarcode },
];

const valueOf = ({ fields }: RecordImage, slug: string): unknown =>
  fields !== undefined && Object.hasOwn(fields, slug) ? fields[slug] : undefined;

/** Nothing where nothing is listed and nothing was known. */
function judge(
  part: Part,
  { sent, row, left, flawed, before, after }: KnownImages,
  record: RecordImage,
): ValueView[] {
  const { field, of, rules } = part;
  const now = plainValue(of(record));
  const isSame = (other: FieldValue | undefined): boolean =>
    sameValue(rules, other, now) || spellingOf({ field, before: now, after: other }) === 'spelling';
  const view = (state: ValueView['state'], was?: FieldValue): ValueView[] =>
    now === undefined && was === undefined ? [] : [{ field, now, state, was }];

  const asked = sent === undefined ? undefined : plainValue(of(sent));
  const listed = after ?? before;
  const last = listed === undefined ? undefined : plainValue(of(listed));
  if (sent !== undefined && left.has(field) && listed !== undefined) {
    const wanted = row === undefined ? undefined : plainValue(of(row));
    return isSame(last) ? view('left', wanted ?? '') : view('changed', last ?? '');
  }
  // What the file does not have at all was not asked for; what it empties was.
  if (sent !== undefined && (asked !== undefined || Object.hasOwn(sent.fields, field))) {
    if (isSame(asked)) return view('sent');
    if (after !== undefined && now === undefined && last === undefined && !flawed.has(field)) {
      return view('hidden', asked);
    }
    if (after !== undefined) return isSame(last) ? view('stored', asked) : view('edited', last);
    return listed !== undefined && isSame(last) ? view('before', asked) : view('edited', asked ?? '');
  }
  if (listed === undefined) return view('unknown');
  return isSame(last) ? view('before') : view('changed', last ?? '');
}
