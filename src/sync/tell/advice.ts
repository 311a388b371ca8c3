import { BARCODE } from '../../registration/changes/aspect.ts';
import { type RowState, UNANSWERED } from '../../registration/model/row-states.ts';
import { shortTime } from './run-words.ts';
import { again, look, pushOf, type Situation, why } from './to-type.ts';
import type { Chapter } from './chapter.ts';

/** Where a registration stands, and what to do about it. */
export interface Advice {
  now: string;
  next: string;
}

const NOTHING = 'There is nothing to do.';
const DOUBT = 'The service may or may not hold it';

/** Reads both from what was done about it last. */
export function fromJournal(situation: Situation): Advice {
  const { op, state, run } = situation.last.view;
  if (situation.last.isUnderWay && UNANSWERED.has(state)) {
    const now =
      state === 'pending' ? 'Its turn has not come yet.' : 'Its request is under way at this moment.';
    return { now, next: `Wait for run ${run} to end.` };
  }
  return op === 'send'
    ? ON_SENDING[state](situation)
    : (ON_DELETING[state] ?? ON_DELETING.uncertain)(situation);
}

type Adviser = (situation: Situation) => Advice;

const ON_SENDING: Readonly<Record<RowState, Adviser>> = {
  rejected: ({ last }) => ({
    now: 'It was not sent, because the row was rejected.',
    next: `Mend ${last.view.place ?? 'the row'} and push the file again.`,
  }),
  pending: (one) =>
    one.last.view.runState === 'closed'
      ? {
          now: 'It has not been sent, and the push that went on from this one did not have it.',
          next: NOTHING,
        }
      : { now: `It has not been sent${why(one)}.`, next: `${again(one)}: it sends what is left.` },
  sending: (one) => ({
    now: `The run was ended before an answer came. ${DOUBT}.`,
    next: settleDoubt(one),
  }),
  uncertain: (one) => ({ now: `${DOUBT}${why(one)}.`, next: settleDoubt(one) }),
  unchanged: (one) => ({
    now: 'The service held it as the row has it, so it was not sent.',
    next: whatToDo(one),
  }),
  done: (one) => ({ now: whatIsHeld(one), next: whatToDo(one) }),
  accepted: (one) => ({
    now: 'The service took it, without showing a registration.',
    next: `${again(one)}: it reads back what the service made of it.`,
  }),
  failed: (one) => ({
    now: `The service refused it${why(one)}.`,
    next: `Mend what it names. ${again(one)} then: it sends what was refused once more.`,
  }),
  conflict: (one) => ({
    now: `It is in conflict with what the service holds${why(one)}.`,
    next: choose(one),
  }),
  blocked: (one) => ({ now: `It was not sent${why(one)}.`, next: askParent(one) }),
  postponed: (one) => ({
    now: `It was held back${why(one)}.`,
    next: `Mend what those need that went first. ${again(one)} then.`,
  }),
  deleted: () => ({
    now: 'It has been deleted with eventreg since it was sent.',
    next: 'Push the file again to send it once more; take it out of the file otherwise.',
  }),
};

const ON_DELETING: Readonly<Partial<Record<RowState, Adviser>>> & { uncertain: Adviser } = {
  deleted: (one) => ({ now: 'It has been deleted.', next: afterDeletion(one) }),
  unchanged: () => ({ now: 'It was to be deleted, and was not there any more.', next: NOTHING }),
  pending: (one) => ({ now: 'It is still to be deleted.', next: `${again(one)}: it goes on from there.` }),
  conflict: (one) => ({
    now: `It was not deleted${why(one)}.`,
    next: `${look(one)}. ${again(one)} if it is to go all the same.`,
  }),
  failed: (one) => ({
    now: `It was not deleted${why(one)}.`,
    next: `Mend what the service names. ${again(one)} then.`,
  }),
  uncertain: (one) => ({
    now: `It may or may not have been deleted${why(one)}.`,
    next: `${again(one)}: it looks what is left.`,
  }),
};

/** What is still open of it once the service has taken it, or held it already. */
function whatToDo(situation: Situation): string {
  const { changes, differences, findings } = situation.last.view;
  if (changes.some(({ verdict }) => verdict === 'conflict')) return choose(situation);
  if (differences.length + findings.length > 0) {
    return `${look(situation)}, and put right the service or the file.`;
  }
  return situation.last.undoes === undefined ? NOTHING : afterUndo(situation);
}

/** Which side is right, somebody has to say. */
function choose(situation: Situation): string {
  const { last } = situation;
  const isOpen = last.view.changes.some(
    ({ field, verdict }) => verdict === 'conflict' && field !== BARCODE.field,
  );
  const [file, service] = ['--overwrite', '--keep'].map((flag) => pushOf(situation, last, flag));
  if (!isOpen || file === undefined || service === undefined) {
    return `${look(situation)}, put right the service or the file, and push again.`;
  }
  return `${look(situation)}. To send the file's values: ${file}; to leave those of the service: ${service}.`;
}

/** The file that an undo takes back still says what it said. */
function afterUndo(situation: Situation): string {
  const undone = undoneBy(situation);
  const files = undone?.view.files.join(', ');
  if (files === undefined) return NOTHING;
  const fields = situation.last.view.changes.map(({ field }) => field).join(', ');
  return `Mend ${files}: as it is, its next push sends again what was taken back (${fields}).`;
}

function afterDeletion(situation: Situation): string {
  const { chapters, last } = situation;
  const list = undoneBy(situation) ?? chapters.find(({ view }) => view.op === 'send' && view.kind === 'push');
  // The file of a push that prunes has it no more.
  if (list === undefined || last.view.kind === 'push') return NOTHING;
  return `Take it out of ${list.view.files.join(', ')}: as it is, its next push registers it again.`;
}

const undoneBy = ({ last, chapters }: Situation): Chapter | undefined =>
  last.undoes === undefined
    ? undefined
    : chapters.find(({ view }) => view.run === last.undoes && view.kind === 'push');

function whatIsHeld(situation: Situation): string {
  const { checkedAt, message, differences, findings, storedOtherwise } = situation.last.view;
  const stored = storedOtherwise.filter(
    ({ field, before }) => before !== undefined || differences.some((one) => one.field === field),
  );
  const changed = differences.filter(({ kind }) => kind === 'changed').map(({ field }) => field);
  if (differences.length === 0 && findings.length > 0) return `The service holds it; ${findings.join('; ')}.`;
  if (stored.length > 0) {
    const fields = stored.map(({ field }) => field).join(', ');
    return `The service holds it, with other values than were sent in: ${fields}.`;
  }
  if (changed.length > 0) {
    return `The service holds it as sent; not sent, and not as before: ${changed.join(', ')}.`;
  }
  if (checkedAt !== undefined) return `The service holds it as sent (read back ${shortTime(checkedAt)} UTC).`;
  return message === undefined ? 'The service took it.' : `The service holds it${why(situation)}.`;
}

/** Without a barcode nothing but a person can tell it from others. */
function settleDoubt(situation: Situation): string {
  const { barcode, place = 'PLACE', run } = situation.last.view;
  if (barcode !== undefined) return `${again(situation)}: it looks whether it is there.`;
  const decide = situation.typed(['runs', 'decide', run, place, 'sent']);
  return `Look in the service, then say what you found: ${decide}, or not-sent.`;
}

function askParent(situation: Situation): string {
  const { parentBarcode } = situation.last.view;
  if (parentBarcode === undefined) return `${again(situation)} when its parent is there.`;
  return `See what its parent needs: ${situation.typed(['runs', 'why', parentBarcode])}.`;
}
