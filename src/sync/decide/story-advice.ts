import { type RowState, UNANSWERED } from '../../registration/model/row-states.ts';
import type { ChapterView } from '../../report/views/story-view.ts';

/** Where a registration stands, and what to do about it. */
export interface Advice {
  now: string;
  next: string;
}

/** Reads both from what was done about it last. `held`: somebody works on that run at this moment. */
export function adviseOn(chapter: ChapterView, listed: boolean): Advice {
  const { op, state } = chapter;
  if (listed && UNANSWERED.has(state)) return underWay(chapter);
  return op === 'send' ? ON_SENDING[state](chapter) : (ON_DELETING[state] ?? ON_DELETING.uncertain)(chapter);
}

type Adviser = (chapter: ChapterView) => Advice;

const NOTHING = 'There is nothing to do.';
const AGAIN = 'Run the same command again';
const DOUBT = 'The service may or may not hold it';

function underWay({ run, state }: ChapterView): Advice {
  const now = state === 'pending' ? 'Its turn has not come yet.' : 'Its request is under way at this moment.';
  return { now, next: `Wait for run ${run} to end.` };
}

/** `: no such country`, where the row says why; a service may end its words with a full stop. */
const why = ({ message }: ChapterView): string =>
  message === undefined ? '' : `: ${message.replace(/\.$/, '')}`;

const ON_SENDING: Readonly<Record<RowState, Adviser>> = {
  rejected: ({ place }) => ({
    now: 'It was not sent, because the row was rejected.',
    next: `Mend ${place ?? 'the row'} and push the file again.`,
  }),
  pending: (chapter) => ({
    now: `It has not been sent${why(chapter)}.`,
    next: `${again(chapter)}: it sends what is left.`,
  }),
  sending: (chapter) => ({
    now: `The run was ended before an answer came. ${DOUBT}.`,
    next: settleDoubt(chapter),
  }),
  uncertain: (chapter) => ({ now: `${DOUBT}${why(chapter)}.`, next: settleDoubt(chapter) }),
  unchanged: () => ({ now: 'The service held it as the row has it, so it was not sent.', next: NOTHING }),
  done: (chapter) => ({ now: whatIsHeld(chapter), next: whatToDo(chapter) }),
  accepted: (chapter) => ({
    now: 'The service took it, without showing a registration.',
    next: `${again(chapter)}: it reads back what the service made of it.`,
  }),
  failed: (chapter) => ({
    now: `The service refused it${why(chapter)}.`,
    next: `Mend what it names. ${again(chapter)} then: it sends what was refused once more.`,
  }),
  conflict: (chapter) => ({
    now: `It is in conflict with what the service holds${why(chapter)}.`,
    next: `Look at it${lookUp(chapter)}, put right the service or the file, and push again; --overwrite sends the file's values.`,
  }),
  blocked: (chapter) => ({ now: `It was not sent${why(chapter)}.`, next: askParent(chapter) }),
  postponed: (chapter) => ({
    now: `It was held back${why(chapter)}.`,
    next: `Mend what those need that went first. ${again(chapter)} then.`,
  }),
  deleted: () => ({
    now: 'It has been deleted with eventreg since it was sent.',
    next: 'Push the file again to send it once more; take it out of the file otherwise.',
  }),
};

const ON_DELETING: Readonly<Partial<Record<RowState, Adviser>>> & { uncertain: Adviser } = {
  deleted: () => ({ now: 'It has been deleted.', next: NOTHING }),
  unchanged: () => ({ now: 'It was to be deleted, and was not there any more.', next: NOTHING }),
  pending: (chapter) => ({
    now: 'It is still to be deleted.',
    next: `${again(chapter)}: it goes on from there.`,
  }),
  conflict: (chapter) => ({
    now: `It was not deleted${why(chapter)}.`,
    next: `Look at it${lookUp(chapter)}. ${again(chapter)} if it is to go all the same.`,
  }),
  failed: (chapter) => ({
    now: `It was not deleted${why(chapter)}.`,
    next: `Mend what the service names. ${again(chapter)} then.`,
  }),
  uncertain: (chapter) => ({
    now: `It may or may not have been deleted${why(chapter)}.`,
    next: `${again(chapter)}: it looks what is left.`,
  }),
};

/** What the service does not hold as it was left needs somebody's eyes. */
function whatToDo(chapter: ChapterView): string {
  if (chapter.differences.length + chapter.findings.length === 0) return NOTHING;
  return `Look at it${lookUp(chapter)}, and put right the service or the file; --overwrite sends the file's values.`;
}

function whatIsHeld(chapter: ChapterView): string {
  const { checkedAt, message, differences, findings } = chapter;
  const storedOtherwise = chapter.storedOtherwise.filter(
    ({ field, before }) => before !== undefined || differences.some((one) => one.field === field),
  );
  const changed = differences.filter(({ kind }) => kind === 'changed').map(({ field }) => field);
  if (differences.length === 0 && findings.length > 0) return `The service holds it; ${findings.join('; ')}.`;
  if (storedOtherwise.length === 0 && changed.length > 0) {
    return `The service holds it as sent; not sent, and not as before: ${changed.join(', ')}.`;
  }
  if (storedOtherwise.length > 0) {
    const fields = storedOtherwise.map(({ field }) => field).join(', ');
    return `The service holds it, with other values than were sent in: ${fields}.`;
  }
  if (checkedAt !== undefined) return `The service holds it as sent (read back ${minuteOf(checkedAt)} UTC).`;
  return message === undefined ? 'The service took it.' : `The service holds it${why(chapter)}.`;
}

const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/** Without a barcode nothing but a person can tell it from others. */
function settleDoubt(chapter: ChapterView): string {
  if (chapter.barcode !== undefined) {
    return `${again(chapter)}: it looks whether it is there.`;
  }
  const row = chapter.place ?? 'PLACE';
  return `Look in the service, then say what you found: eventreg runs decide ${chapter.run} ${row} sent, or not-sent.`;
}

function askParent(chapter: ChapterView): string {
  const { parentBarcode } = chapter;
  if (parentBarcode === undefined) return `${again(chapter)} when its parent is there.`;
  return `See what its parent needs: eventreg runs why ${parentBarcode}.`;
}

const lookUp = ({ barcode }: ChapterView): string =>
  barcode === undefined ? '' : ` (eventreg list --barcode ${barcode})`;

function again({ kind, files }: ChapterView): string {
  return kind === 'push' && files.length > 0 ? `${AGAIN} (eventreg push ${files.join(' ')})` : AGAIN;
}
