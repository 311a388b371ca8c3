import type { FieldValue } from '../../registration/model/registration.ts';
import { visible } from '../words/escape.ts';
import type { OutputRecord } from '../records/record-columns.ts';
import { quoted, showUnknown } from '../words/shown-value.ts';
import { isoTime, utcTime } from '../words/time-words.ts';
import type {
  ChapterView,
  FoundView,
  LookView,
  StoryView,
  ValueState,
  ValueView,
} from '../views/story-view.ts';

/** The lines of what the service holds now, value by value, without a label; none when it was not asked. */
export function lookLines(look: LookView, showValues: boolean): string[] {
  if (look.kind === 'not-asked') return look.why === undefined ? [] : [visible(`not asked: ${look.why}`)];
  const asked = `asked ${utcTime(look.at)} UTC`;
  if (look.found.length === 0) return [`${asked}: not there`];
  return look.found.flatMap(({ id, values }) => [
    visible(`${asked}: ${id === undefined ? 'there, without an id' : `registration ${id}`}`),
    ...(values ?? []).map((value) => valueLine(value, showValues)),
  ]);
}

const WORDS: Readonly<Record<ValueState, string>> = {
  sent: 'as sent',
  stored: 'stored otherwise: sent',
  hidden: 'not shown by the service; sent',
  before: 'as before',
  edited: 'edited: was',
  left: 'not sent: the row has',
  changed: 'not sent, and changed: was',
  unknown: 'not sent',
};

function valueLine({ field, now, state, was }: ValueView, showValues: boolean): string {
  const show = (value: FieldValue | undefined): string => quoted(shown(field, value, showValues));
  const isWas = state === 'edited' || state === 'changed' || state === 'stored' || state === 'left';
  if (state === 'hidden') return `${visible(field)}: ${WORDS[state]} ${show(was)}`;
  const end = isWas ? ` ${show(was)}` : state === 'before' && was !== undefined ? `; sent ${show(was)}` : '';
  return `${visible(field)}: ${show(now)}, ${WORDS[state]}${end}`;
}

/** Where a registration is found is no secret. */
const PLAIN: ReadonlySet<string> = new Set(['barcode']);

function shown(field: string, value: FieldValue | undefined, showValues: boolean): FieldValue | undefined {
  return showUnknown(field, value, showValues || PLAIN.has(field));
}

/** What the service holds now, for programs: the same keys every time. */
export function lookRecord(look: LookView, showValues: boolean): OutputRecord {
  if (look.kind === 'not-asked') {
    return {
      asked_at: null,
      not_asked: look.why ?? 'offline',
      last_known_at: isoTime(look.knownAt),
      in_service: null,
    };
  }
  return {
    asked_at: isoTime(look.at),
    not_asked: null,
    last_known_at: isoTime(look.at),
    in_service: look.found.map((found) => foundRecord(found, showValues)),
  };
}

function foundRecord({ id, values }: FoundView, showValues: boolean): OutputRecord {
  return {
    registration_id: id ?? null,
    edited:
      values === undefined ? null : values.some(({ state }) => state === 'edited' || state === 'changed'),
    values: (values ?? []).map(({ field, now, state, was }) => {
      const show = (value: FieldValue | undefined) => shown(field, value, showValues) ?? null;
      return { field, now: show(now), state, was: show(was) };
    }),
  };
}

/** Whom a story is about, in the words of all its chapters: a registration may have had none of them at first. */
export function whoOf({ chapters, look }: StoryView) {
  const known = <Key extends keyof ChapterView>(key: Key): ChapterView[Key] | undefined =>
    chapters.map((chapter) => chapter[key]).find((value) => value !== undefined);
  // The service may have given it another id since.
  const [one, ...others] = look.kind === 'asked' ? look.found : [];
  return {
    place: known('place'),
    persona: known('persona'),
    barcode: known('barcode'),
    parentBarcode: known('parentBarcode'),
    id: (others.length === 0 ? one?.id : undefined) ?? known('registrationId'),
  };
}
