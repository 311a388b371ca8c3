import type { FieldValue } from '../../registration/model/registration.ts';
import { visible } from '../words/escape.ts';
import { formatChange } from '../words/format-note.ts';
import { formatDifference } from '../words/difference-text.ts';
import { formatReason } from '../progress/format-reject.ts';
import { plural } from '../words/number.ts';
import { serviceName } from '../words/service-name.ts';
import { quoted, showUnknown } from '../words/shown-value.ts';
import { idNow, lookLines } from './story-now.ts';
import type { ChangeView, ChapterView, StepView, StoryView } from '../views/story-view.ts';

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
  const bold = (text: string): string => (options.color ? `\u001B[1m${text}\u001B[22m` : text);
  const [newest] = story.chapters;
  if (newest === undefined) return '';
  const lines = [bold(headline(story)), entry('now', story.now), entry('next', story.next)];
  const [head, ...values] = lookLines(story.look, options.showValues);
  if (head !== undefined) lines.push(pair('service', head), ...values.map((line) => pair('', line)));
  for (const chapter of story.chapters) {
    lines.push(
      '',
      `  ${bold(runLine(chapter))}`,
      ...chapterLines(chapter, options).map((line) => `  ${line}`),
    );
  }
  return lines.join('\n');
}

/** The words of every chapter, each once: a registration may have had none of them at first. */
function headline({ chapters, look }: StoryView): string {
  const known = (pick: (chapter: ChapterView) => string | undefined): string | undefined =>
    chapters.map(pick).find((value) => value !== undefined);
  const barcode = known((chapter) => chapter.barcode);
  const id = idNow(look) ?? known((chapter) => chapter.registrationId);
  const parent = known((chapter) => chapter.parentBarcode);
  return [
    known((chapter) => chapter.place),
    known((chapter) => chapter.persona),
    barcode === undefined ? undefined : `barcode ${barcode}`,
    id === undefined ? undefined : `registration ${id}`,
    parent === undefined ? undefined : `member of ${parent}`,
  ]
    .flatMap((part) => (part === undefined ? [] : visible(part)))
    .join(', ');
}

function runLine({ run, kind, runState, files, event, service }: ChapterView): string {
  const what = files.length === 0 ? kind : `${kind} of ${files.join(', ')}`;
  return visible(`Run ${run}: ${what}, ${runState}; ${event} at ${serviceName(service)}`);
}

function chapterLines(chapter: ChapterView, { showValues }: StoryTextOptions): string[] {
  const {
    place,
    state,
    attempts,
    message,
    notes,
    reasons,
    storedOtherwise,
    checkedAt,
    differences,
    findings,
  } = chapter;
  const spelling = storedOtherwise.filter(({ field }) => differences.every((one) => one.field !== field));
  const tried = attempts > 1 ? ` after ${plural(attempts, 'attempt', 'attempts')}` : '';
  const row = `${place ?? 'no row of a file'}, ${state}${tried}${message === undefined ? '' : `: ${message}`}`;
  return [
    entry('row', row),
    ...chapter.because.map((reason) => entry('because', reason)),
    ...planLines(chapter, showValues),
    ...notes.map((note) => {
      const column = `column "${visible(note.column)}" (${visible(note.field)})`;
      return pair('mended', `${column}: ${formatChange(note, showValues)}, ${visible(note.repair)}`);
    }),
    ...reasons.map((reason) => pair('wrong', formatReason(reason, showValues))),
    ...chapter.steps.map(stepLine),
    ...(checkedAt === undefined ? [] : [`  ${timeOf(checkedAt)}  read back`]),
    ...differences.map((one) =>
      pair(one.kind === 'changed' ? 'changed' : 'stored', formatDifference(one, showValues)),
    ),
    ...spelling.map(({ field, before, after }) => {
      const values = `sent ${formatValue(field, after, showValues)}, listed ${formatValue(field, before, showValues)}`;
      return pair('stored', `${visible(field)}: ${values}`);
    }),
    ...findings.map((finding) => entry('found', finding)),
  ];
}

const PLANS: Readonly<Record<string, string>> = {
  create: 'create: the service did not list it',
  update: 'update: the service listed it with other values',
  unchanged: 'unchanged: the service listed it with the same values',
  conflict: 'conflict: nothing is sent',
  kept: 'nothing to send: only the service has changed it since',
  unknown: 'send: the service did not show enough to compare',
  delete: 'delete',
};

function planLines({ plan, changes, barcode }: ChapterView, showValues: boolean): string[] {
  if (plan === undefined) return [];
  const shown = plan === 'create' ? [] : changes;
  const text =
    plan === 'create' && barcode === undefined ? 'create: nothing was known to be there' : PLANS[plan];
  return [
    entry('plan', text ?? plan),
    ...shown.map((change) => pair('', formatFieldChange(change, showValues))),
  ];
}

function formatFieldChange({ field, before, after, verdict }: ChangeView, showValues: boolean): string {
  const change = `${formatValue(field, before, showValues)} → ${formatValue(field, after, showValues)}`;
  const isLeft = verdict === 'kept' || verdict === 'conflict';
  return `${visible(field)}: ${change}${isLeft ? ` (not sent: ${verdict})` : ''}`;
}

function formatValue(field: string, value: FieldValue | undefined, showValues: boolean): string {
  return quoted(showUnknown(field, value, showValues));
}

/** `2027-03-01 08:15:02.113  answered  attempt 1: 201, done (request 5f…)`, in UTC as everywhere. */
function stepLine({ at, what, attempt, status, requestId, detail }: StepView): string {
  const facts = [
    ...(what === 'sent' && attempt !== undefined ? [`attempt ${attempt}`] : []),
    ...(status === undefined ? [] : [String(status)]),
    ...(detail === undefined ? [] : [detail]),
  ].join(', ');
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  return `  ${timeOf(at)}  ${what.padEnd(LABEL_WIDTH)}  ${visible(facts + request)}`.trimEnd();
}

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');

const entry = (label: string, text: string): string => pair(label, visible(text));

/** The text is safe to print already. */
const pair = (label: string, text: string): string => `  ${label.padEnd(LABEL_WIDTH)}${text}`;
