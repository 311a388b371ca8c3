import type { FieldValue } from '../../registration/model/registration.ts';
import { formatChange, formatReason } from '../words/row-remarks.ts';
import { IN_DOUBT } from '../../registration/model/row-states.ts';
import { type ChangeView, type RowView, SENT_AGAIN, type StepView } from '../views/story-view.ts';
import { formatDifference } from '../words/difference-text.ts';
import { visible } from '../words/escape.ts';
import { plural } from '../words/number.ts';
import { isAround, quoted, showUnknown } from '../words/shown-value.ts';
import { utcTime } from '../words/time-words.ts';

/** How values are shown: those of persons, and how long they may be. */
export interface Showing {
  showValues: boolean;
  /** In characters; as at a terminal unless given. */
  longest?: number;
}

/** One thing that is told of a row: what kind of thing, and what. All text in it is safe to print. */
export type StoryEntry = readonly [label: string, text: string];

/** One row of a run: where it stands, why, what was planned, mended and wrong with it. */
export function entriesBefore(row: RowView & { because: readonly string[] }, showing: Showing): StoryEntry[] {
  const { showValues } = showing;
  const { place, attempts, message, notes, reasons } = row;
  const tried = attempts > 1 ? ` after ${plural(attempts, 'attempt', 'attempts')}` : '';
  const head = `${place ?? 'no row of a file'}, ${stateThen(row)}${tried}${message === undefined ? '' : `: ${message}`}`;
  return [
    ['row', visible(head)],
    ...row.because.map((reason) => ['because', visible(reason)] as const),
    ...planEntries(row, showing),
    ...messageEntries(row),
    ...notes.map((note) => {
      const column = `column "${visible(note.column)}" (${visible(note.field)})`;
      // As what was changed of the same field is shown.
      const change = formatChange({ ...note, personal: !isAround(note.field) }, showValues);
      return ['mended', `${column}: ${change}, ${visible(note.repair)}`] as const;
    }),
    ...reasons.map((reason) => ['wrong', formatReason(reason, showValues)] as const),
  ];
}

/** What the run itself came to: that its registration was deleted since is said beside it. */
function stateThen({ op, state, plan }: RowView): string {
  if (op === 'delete' || state !== 'deleted') return state;
  return plan === 'unchanged' || plan === 'kept' ? 'unchanged' : 'done';
}

/** What reading it back has shown. */
export function entriesAfter(
  { differences, storedOtherwise, findings }: RowView,
  showing: Showing,
): StoryEntry[] {
  const spelling = storedOtherwise.filter(({ field }) => differences.every((one) => one.field !== field));
  return [
    ...differences.map(
      (one): StoryEntry => [
        one.kind === 'changed' ? 'changed' : 'stored',
        formatDifference(one, showing.showValues),
      ],
    ),
    ...spelling.map(({ field, before, after }): StoryEntry => {
      if (before === undefined) return ['stored', `${visible(field)}: not shown by the service`];
      const values = `sent ${formatValue(field, after, showing)}, listed ${formatValue(field, before, showing)}`;
      return ['stored', `${visible(field)}: ${values}`];
    }),
    ...findings.map((finding): StoryEntry => ['found', visible(finding)]),
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

/** Whether it wrote, only the service knows. */
function messageEntries({ askedToWriteAt, state }: RowView): StoryEntry[] {
  if (askedToWriteAt === undefined) return [];
  const asked = IN_DOUBT.has(state) ? 'may have asked the service' : 'asked the service';
  return [['asked', `${asked} to write to this person (enable_comms), ${utcTime(askedToWriteAt)} UTC`]];
}

function planEntries({ plan, changes, barcode, steps }: RowView, showing: Showing): StoryEntry[] {
  if (plan === undefined) return [];
  const shown = plan === 'create' ? [] : changes;
  const isAgain = steps.some(({ what, detail }) => what === 'planned' && detail === SENT_AGAIN);
  if (plan === 'update' && isAgain) return [['plan', 'update: sent again as it is (--again)']];
  const text =
    plan === 'create' && barcode === undefined ? 'create: nothing was known to be there' : PLANS[plan];
  return [
    ['plan', visible(text ?? plan)],
    ...shown.map((change): StoryEntry => ['', formatFieldChange(change, showing)]),
  ];
}

function formatFieldChange({ field, before, after, verdict }: ChangeView, showing: Showing): string {
  const change = `${formatValue(field, before, showing)} → ${formatValue(field, after, showing)}`;
  const isLeft = verdict === 'kept' || verdict === 'conflict';
  return `${visible(field)}: ${change}${isLeft ? ` (not sent: ${verdict})` : ''}`;
}

/** A value as the service lists it or the row has it; `nothing` when there is none. */
export function formatValue(
  field: string,
  value: FieldValue | undefined,
  { showValues, longest }: Showing,
): string {
  return quoted(showUnknown(field, value, showValues), longest);
}

/** What a step was, without its time: `attempt 1: 201, done (request 5f…)`. */
export function stepText({ what, attempt, status, requestId, detail }: StepView): string {
  const facts = [
    ...(what === 'sent' && attempt !== undefined ? [`attempt ${attempt}`] : []),
    ...(status === undefined ? [] : [String(status)]),
    ...(detail === undefined ? [] : [detail]),
  ].join(', ');
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  return visible(facts + request);
}
