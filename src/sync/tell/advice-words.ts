import { BARCODE, fieldAspect } from '../../registration/changes/aspect.ts';
import type { FoundView, LookView, ValueState } from '../../report/views/story-view.ts';
import { nameDifferences } from '../../report/words/difference-text.ts';
import { formatCount } from '../../report/words/number.ts';
import { fieldsLeft } from './problems.ts';
import { utcMinute } from '../../report/words/time-words.ts';
import { type Chapter, lastOf } from './standing.ts';

/** A command as a person types it, with the flags that lead to the service of the story. */
export type Typed = (words: readonly string[]) => string;

/** What sentences are made from. */
export interface Situation {
  /** The newest chapter of which there is something to say. */
  last: Chapter;
  chapters: readonly Chapter[];
  look: LookView;
  typed: Typed;
}

/** Fills in what stands in braces. */
export const fillIn = (text: string, situation: Situation): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => FILLED[name]?.(situation) ?? '');

export const NOTHING = 'There is nothing to do.';

const FILLED: Readonly<Record<string, (situation: Situation) => string>> = {
  run: ({ last }) => last.view.run,
  place: ({ last }) => last.view.place ?? 'the row',
  why,
  look,
  again: ({ last, typed }) => {
    const files = filesOf(last);
    if (files === undefined) return 'Run the same command again';
    const [when, flags] =
      last.view.op === 'send' ? ['', []] : [' once all its rows get through', ['--prune']];
    return `Run the same command again${when} (${typed(['push', ...files, ...flags])})`;
  },
  but: ({ last }) => {
    const fields = fieldsLeft(last.row);
    return fields.length === 0 ? '' : `, but for what stays as it is there (${fields.join(', ')})`;
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
  heldBefore: ({ last: { view } }) =>
    view.checkedAt === undefined ? 'It was sent' : `The service held it at ${utcMinute(view.checkedAt)} UTC`,
  /** Nothing brings back on its own what somebody has deleted. */
  register: ({ chapters, typed }) =>
    pushOf(typed, lastPush(chapters), '--overwrite') ?? 'push its row alone with --overwrite',
  found: ({ last, look: seen }) => nowThere(seen, last.run.undoes === undefined ? 'sent' : 'put back'),
  putBack,
  several: ({ look: seen }) => {
    const ids = foundIn(seen).map(({ id }) => id ?? 'one without id');
    return `${formatCount(ids.length)} registrations (${ids.join(', ')})`;
  },
};

const foundIn = (seen: LookView): readonly FoundView[] => (seen.kind === 'asked' ? seen.found : []);

/** Fields that the service holds now in some way. */
export const namesOf = (seen: LookView, ...states: readonly ValueState[]): string[] =>
  foundIn(seen)
    .flatMap(({ values }) => values ?? [])
    .flatMap(({ field, state }) => (states.includes(state) ? [field] : []));

/** `: no such country`, where the row says why; a service may end its words with a full stop. */
function why({ last }: Situation): string {
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
  const { checkedAt, message, differences, findings } = situation.last.view;
  const found = [...(differences.length > 0 ? [nameDifferences(differences)] : []), ...findings];
  if (found.length > 0) return `The service holds it; ${found.join('; ')}.`;
  if (checkedAt !== undefined) return `The service holds it as sent (read back ${utcMinute(checkedAt)} UTC).`;
  return message === undefined ? 'The service took it.' : `The service holds it${why(situation)}.`;
}

/** What is still to be done once the service has taken it, or held it already. */
function whatIsLeft(situation: Situation): string {
  const { changes, differences, findings } = situation.last.view;
  if (changes.some(({ verdict }) => verdict === 'conflict')) return choose(situation);
  if (differences.length + findings.length > 0) {
    return `${look(situation)}, and put right the service or the file.`;
  }
  const list = undoneBy(situation);
  if (list === undefined) return NOTHING;
  const fields = changes.map(({ field }) => field).join(', ');
  return `Mend ${list}: as it is, its next push sends again what was taken back (${fields}).`;
}

/** Which side is right, somebody has to say: of values, or of a row as a whole where its message names the flags. */
function choose(situation: Situation): string {
  const { last, typed } = situation;
  const { message = '' } = last.view;
  const isOpen =
    message.includes('--overwrite') ||
    last.view.changes.some(({ field, verdict }) => verdict === 'conflict' && field !== BARCODE.field);
  const [file, service] = ['--overwrite', '--keep'].map((flag) => pushOf(typed, last, flag));
  if (!isOpen || file === undefined || service === undefined) {
    const how = message.includes('--') ? 'with the flag that fits, or ' : '';
    return `${look(situation)}. Push again ${how}once the service or the file is put right.`;
  }
  return `${look(situation)}. To send what the file says: ${file}; to leave what the service has: ${service}.`;
}

/** The file of a push that prunes has it no more; others still do. */
function afterDeletion(situation: Situation): string {
  const { chapters, last } = situation;
  const list = undoneBy(situation) ?? lastPush(chapters)?.view.files.join(', ');
  if (list === undefined || last.view.kind === 'push') return NOTHING;
  return `Take it out of ${list}: as it is, its next push registers it again.`;
}

/** The newest push that had it in its file. */
const lastPush = (chapters: readonly Chapter[]): Chapter | undefined =>
  chapters.find(({ view }) => view.op === 'send' && view.kind === 'push');

/** The files of the push that was taken back: they still say what they said. */
function undoneBy({ last, chapters }: Situation): string | undefined {
  const undone = chapters.find(({ view }) => view.run === last.run.undoes && view.kind === 'push');
  return undone?.view.files.join(', ');
}

function putBack({ chapters, look: seen, typed }: Situation): string {
  const [edited = ''] = namesOf(seen, 'edited');
  const chapter = lastOf(chapters, fieldAspect(edited, []));
  const command = pushOf(typed, chapter, '--overwrite');
  return command === undefined
    ? 'Nothing, unless the edit is wrong: then mend it in the service.'
    : `Nothing, unless the edit is wrong: ${command} puts back what the file says of this one.`;
}

/** The push of this one alone: with `--overwrite`, the whole file would put back every edit. */
function pushOf(typed: Typed, chapter: Chapter | undefined, flag: string): string | undefined {
  const files = chapter && filesOf(chapter);
  const barcode = chapter?.row.payload?.barcode;
  if (files === undefined || barcode === undefined) return undefined;
  return typed(['push', ...files, '--only', barcode, flag]);
}

/** Of a push that can be typed again. */
const filesOf = ({ view: { kind, files } }: Chapter): readonly string[] | undefined =>
  kind === 'push' && files.length > 0 && !files.includes('-') ? files : undefined;

const TOLD: readonly [ValueState, string][] = [
  ['edited', 'edited since it was sent'],
  ['changed', 'with other values than before, though they were not sent'],
  ['left', 'with values that were not sent and stay as they are there'],
  ['stored', 'stored otherwise than it was sent'],
];

function nowThere(seen: LookView, how: string): string {
  const [{ values } = { values: undefined }] = foundIn(seen);
  if (values === undefined) return 'It is in the service, which does not show its values.';
  const parts = TOLD.flatMap(([state, words]) => {
    const names = namesOf(seen, state);
    return names.length === 0 ? [] : [`${words}: ${names.join(', ')}`];
  });
  if (parts.length > 0) return `It is in the service, ${parts.join('; ')}.`;
  const isBefore = values.some(({ state, was }) => state === 'before' && was !== undefined);
  if (isBefore) return 'It is in the service as it was before.';
  const isSent = namesOf(seen, 'sent').some((field) => field !== 'persona' && field !== 'barcode');
  const hidden = namesOf(seen, 'hidden');
  const but = hidden.length === 0 ? '' : `, as far as the service shows it (not ${hidden.join(', ')})`;
  return isSent ? `It is in the service as it was ${how}${but}.` : 'It is in the service.';
}
