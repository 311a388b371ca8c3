import { BARCODE } from '../../registration/changes/aspect.ts';
import { type RowState, UNANSWERED } from '../../registration/model/row-states.ts';
import type { Chapter } from './chapter.ts';
import { shortTime } from './run-words.ts';

/** A command as a person types it, with the flags that lead to the service of the story. */
export type Typed = (words: readonly string[]) => string;

/** What sentences are made from. */
export interface Situation {
  /** What was done last, of what did something. */
  last: Chapter;
  chapters: readonly Chapter[];
  typed: Typed;
}

/** Where a registration stands, and what to do about it. */
export interface Advice {
  now: string;
  next: string;
}

/** Reads both from what was done about it last. */
export function fromJournal(situation: Situation): Advice {
  const [now, next] = saidOf(situation).map((text) =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => FILLED[name]?.(situation) ?? ''),
  );
  return { now: now ?? '', next: next ?? '' };
}

type Said = readonly [now: string, next: string];

function saidOf({ last: { view, isUnderWay } }: Situation): Said {
  const { op, state, runState } = view;
  if (isUnderWay && UNANSWERED.has(state)) return state === 'pending' ? ITS_TURN : UNDER_WAY;
  if (op === 'delete') return ON_DELETING[state] ?? MAYBE_DELETED;
  return state === 'pending' && runState === 'closed' ? LEFT_BEHIND : ON_SENDING[state];
}

const NOTHING = 'There is nothing to do.';

const ITS_TURN: Said = ['Its turn has not come yet.', 'Wait for run {run} to end.'];
const UNDER_WAY: Said = ['Its request is under way at this moment.', 'Wait for run {run} to end.'];
const LEFT_BEHIND: Said = [
  'It has not been sent, and the push that went on from this one did not have it.',
  NOTHING,
];

/** By the state of its row; what stands in braces is filled in. */
const ON_SENDING: Readonly<Record<RowState, Said>> = {
  rejected: ['It was not sent, because the row was rejected.', 'Mend {place} and push the file again.'],
  pending: ['It has not been sent{why}.', '{again}: it sends what is left.'],
  sending: ['The run was ended before an answer came. The service may or may not hold it.', '{settle}'],
  uncertain: ['The service may or may not hold it{why}.', '{settle}'],
  unchanged: ['The service held it as the row has it, so it was not sent.', '{rest}'],
  done: ['{held}', '{rest}'],
  accepted: [
    'The service took it, without showing a registration.',
    '{again}: it reads back what the service made of it.',
  ],
  failed: [
    'The service refused it{why}.',
    'Mend what it names. {again} then: it sends what was refused once more.',
  ],
  conflict: ['It is in conflict with what the service holds{why}.', '{choose}'],
  blocked: ['It was not sent{why}.', '{parent}'],
  postponed: ['It was held back{why}.', 'Mend what those need that went first. {again} then.'],
  deleted: [
    'It has been deleted with eventreg since it was sent.',
    'Push the file again to send it once more; take it out of the file otherwise.',
  ],
};

const MAYBE_DELETED: Said = ['It may or may not have been deleted{why}.', '{again}: it looks what is left.'];

const ON_DELETING: Readonly<Partial<Record<RowState, Said>>> = {
  deleted: ['It has been deleted.', '{afterDeletion}'],
  unchanged: ['It was to be deleted, and was not there any more.', NOTHING],
  pending: ['It is still to be deleted.', '{again}: it goes on from there.'],
  conflict: ['It was not deleted{why}.', '{look}. {again} if it is to go all the same.'],
  failed: ['It was not deleted{why}.', 'Mend what the service names. {again} then.'],
};

const FILLED: Readonly<Record<string, (situation: Situation) => string>> = {
  run: ({ last }) => last.view.run,
  place: ({ last }) => last.view.place ?? 'the row',
  why,
  look,
  again: ({ last, typed }) => {
    const files = filesOf(last);
    const push = files === undefined ? '' : ` (${typed(['push', ...files])})`;
    return `Run the same command again${push}`;
  },
  parent: ({ last: { view }, typed }) =>
    view.parentBarcode === undefined
      ? 'Push it again when its parent is there.'
      : `See what its parent needs: ${typed(['runs', 'why', view.parentBarcode])}.`,
  settle: settleDoubt,
  held: whatIsHeld,
  rest: whatIsLeft,
  choose,
  afterDeletion,
};

/** `: no such country`, where the row says why; a service may end its words with a full stop. */
export function why({ last }: Situation): string {
  const { message } = last.view;
  return message === undefined ? '' : `: ${message.replace(/\.$/, '')}`;
}

function look({ last, typed }: Situation): string {
  const { barcode } = last.view;
  return barcode === undefined ? 'Look at it' : `Look at it (${typed(['list', '--barcode', barcode])})`;
}

/** Without a barcode nothing but a person can tell it from others. */
function settleDoubt(situation: Situation): string {
  const { barcode, place = 'PLACE', run } = situation.last.view;
  if (barcode !== undefined) return `${FILLED['again']?.(situation)}: it looks whether it is there.`;
  const decide = situation.typed(['runs', 'decide', run, place, 'sent']);
  return `Look in the service, then say what you found: ${decide}, or not-sent.`;
}

function whatIsHeld(situation: Situation): string {
  const { checkedAt, message, differences, findings, storedOtherwise } = situation.last.view;
  const stored = storedOtherwise.filter(
    ({ field, before }) => before !== undefined || differences.some((one) => one.field === field),
  );
  const changed = differences.filter(({ kind }) => kind === 'changed');
  const list = (of: readonly { field: string }[]): string => of.map(({ field }) => field).join(', ');
  if (differences.length === 0 && findings.length > 0) return `The service holds it; ${findings.join('; ')}.`;
  if (stored.length > 0) return `The service holds it, with other values than were sent in: ${list(stored)}.`;
  if (changed.length > 0) {
    return `The service holds it as sent; not sent, and not as before: ${list(changed)}.`;
  }
  if (checkedAt !== undefined) return `The service holds it as sent (read back ${shortTime(checkedAt)} UTC).`;
  return message === undefined ? 'The service took it.' : `The service holds it${why(situation)}.`;
}

/** What is still to be done once the service has taken it, or held it already. */
function whatIsLeft(situation: Situation): string {
  const { changes, differences, findings } = situation.last.view;
  if (changes.some(({ verdict }) => verdict === 'conflict')) return choose(situation);
  const isFlawed = differences.length + findings.length > 0;
  if (isFlawed) return `${look(situation)}, and put right the service or the file.`;
  const list = undoneBy(situation);
  if (list === undefined) return NOTHING;
  const fields = changes.map(({ field }) => field).join(', ');
  return `Mend ${list}: as it is, its next push sends again what was taken back (${fields}).`;
}

/** Which side is right, somebody has to say. */
function choose(situation: Situation): string {
  const { changes } = situation.last.view;
  const isOpen = changes.some(({ field, verdict }) => verdict === 'conflict' && field !== BARCODE.field);
  const [file, service] = ['--overwrite', '--keep'].map((flag) => pushOf(situation, situation.last, flag));
  if (!isOpen || file === undefined || service === undefined) {
    return `${look(situation)}, put right the service or the file, and push again.`;
  }
  return `${look(situation)}. To send the file's values: ${file}; to leave those of the service: ${service}.`;
}

/** The file of a push that prunes has it no more; others still do. */
function afterDeletion(situation: Situation): string {
  const { chapters, last } = situation;
  const sent = chapters.find(({ view }) => view.op === 'send' && view.kind === 'push');
  const list = undoneBy(situation) ?? sent?.view.files.join(', ');
  if (list === undefined || last.view.kind === 'push') return NOTHING;
  return `Take it out of ${list}: as it is, its next push registers it again.`;
}

/** The files of the push that was taken back: they still say what they said. */
function undoneBy({ last, chapters }: Situation): string | undefined {
  const undone = chapters.find(({ view }) => view.run === last.undoes && view.kind === 'push');
  return undone?.view.files.join(', ');
}

/** The push of this one alone: with `--overwrite`, the whole file would put back every edit. */
export function pushOf({ typed }: Situation, chapter: Chapter, flag: string): string | undefined {
  const files = filesOf(chapter);
  const barcode = chapter.row.payload?.barcode;
  if (files === undefined || barcode === undefined) return undefined;
  return typed(['push', ...files, '--only', barcode, flag]);
}

/** Of a push that can be typed again. */
function filesOf({ view: { kind, files } }: Chapter): readonly string[] | undefined {
  return kind === 'push' && files.length > 0 && !files.includes('-') ? files : undefined;
}
