import { visible } from '../words/escape.ts';
import { painter } from '../words/paint.ts';
import { serviceName } from '../words/service-name.ts';
import type { ChapterView, StepView, StoryView } from '../views/story-view.ts';
import { entriesAfter, entriesBefore, stepText, type StoryEntry } from './story-entries.ts';
import { lookLines, whoOf } from './story-now.ts';
import { utcTime } from '../words/time-words.ts';

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
