import { visible } from '../words/escape.ts';
import { painter } from '../words/paint.ts';
import { serviceName } from '../words/service-name.ts';
import type {
  ChapterView,
  StepView,
  StoryView,
  FoundView,
  LookView,
  ValueState,
  ValueView,
} from '../views/story-view.ts';
import { entriesAfter, entriesBefore, stepText, type StoryEntry } from './story-entries.ts';
import { utcTime, isoTime } from '../words/time-words.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import type { OutputRecord } from '../records/record-writer.ts';
import { quoted, showUnknown } from '../words/shown-value.ts';

interface StoryTextOptions {
  /** Show values of persons instead of masking them. */
  showValues: boolean;
  color: boolean;
}

/** The widest label, `mended`, and a gap. */
const LABEL_WIDTH = 8;

/**
 * One registration's story for people: where it stands, what to do, what the service holds, then run by run,
 * what was done last first, what was planned, mended and done. Safe to print; the last line has no break.
 */
export function formatStory(story: StoryView, options: StoryTextOptions): string {
  const paint = painter(options.color);
  const [newest] = story.chapters;
  if (newest === undefined) return '';
  const lines = [
    paint('strong', headline(story)),
    entry('event', `${newest.event} at ${serviceName(newest.service)}`),
    entry('now', story.now),
    entry('next', story.next),
  ];
  const [head, ...values] = lookLines(story.look, options.showValues);
  if (head !== undefined) lines.push(pair(['service', head]), ...values.map((line) => pair(['', line])));
  for (const chapter of story.chapters) {
    lines.push(
      '',
      `  ${paint('strong', runLine(chapter))}`,
      ...chapterLines(chapter, options).map((line) => `  ${line}`),
    );
  }
  return lines.join('\n');
}

function headline(story: StoryView): string {
  const { place, persona, barcode, id, parentBarcode } = whoOf(story);
  return [
    place,
    persona,
    barcode === undefined ? undefined : `barcode ${barcode}`,
    id === undefined ? undefined : `registration ${id}`,
    parentBarcode === undefined ? undefined : `member of ${parentBarcode}`,
  ]
    .flatMap((part) => (part === undefined ? [] : visible(part)))
    .join(', ');
}

function runLine({ run, kind, runState, files, event, service }: ChapterView): string {
  const names = kind === 'push' ? ` of ${files.join(', ')}` : `, backup ${files.join(', ')}`;
  const what = files.length === 0 ? kind : `${kind}${names}`;
  return visible(`Run ${run}: ${what}, ${runState}; ${event} at ${serviceName(service)}`);
}

function chapterLines(chapter: ChapterView, { showValues }: StoryTextOptions): string[] {
  const { steps, checkedAt } = chapter;
  return [
    ...entriesBefore(chapter, { showValues }).map(pair),
    ...steps.map(stepLine),
    ...(checkedAt === undefined ? [] : [`  ${utcTime(checkedAt, 'ms')}  read back`]),
    ...entriesAfter(chapter, { showValues }).map(pair),
  ];
}

/** `2027-03-01 08:15:02.113  answered  attempt 1: 201, done (request 5f…)`, in UTC as everywhere. */
function stepLine(step: StepView): string {
  return `  ${utcTime(step.at, 'ms')}  ${step.what.padEnd(LABEL_WIDTH)}  ${stepText(step)}`.trimEnd();
}

const entry = (label: string, text: string): string => pair([label, visible(text)]);

/** The text is safe to print already. */
const pair = ([label, text]: StoryEntry): string => `  ${label.padEnd(LABEL_WIDTH)}${text}`;

/** The lines of what the service holds now, value by value, without a label; none when it was not asked. */
function lookLines(look: LookView, showValues: boolean): string[] {
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
