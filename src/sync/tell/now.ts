import { fieldAspect } from '../../registration/changes/aspect.ts';
import { IN_DOUBT, THERE } from '../../registration/model/row-states.ts';
import type { FoundView, LookView, StoryView, ValueState, ValueView } from '../../report/views/story-view.ts';
import { formatAgo } from '../../report/words/duration.ts';
import { formatCount } from '../../report/words/number.ts';
import { shortTime } from './run-words.ts';
import { type Advice, fromJournal, pushOf, type Situation, type Typed, why } from './advice.ts';
import type { Chapter, Story } from './chapter.ts';
import { lastOf } from './standing.ts';

/** A story as it is told: with what the service said now, and where that leaves it. */
export function tellStory({ chapters }: Story, look: LookView, typed: Typed): StoryView {
  return { chapters: chapters.map(({ view }) => view), look, ...advise(chapters, look, typed) };
}

/** Reads both from what was done about it last, and what the service said when it was asked. */
function advise(chapters: readonly Chapter[], look: LookView, typed: Typed): Advice {
  // What another run has gone on from, without this one, is no news.
  const last =
    chapters.find(({ view }) => view.state !== 'pending' || view.runState !== 'closed') ?? chapters[0];
  if (last === undefined) return { now: '', next: '' };
  const situation = { last, chapters, typed };
  const advice = fromJournal(situation);
  if (look.kind === 'not-asked') {
    if (look.knownAt === undefined) return advice;
    return { ...advice, now: `Last known, ${formatAgo(look.at - look.knownAt)}: ${advice.now}` };
  }
  const [one, another] = look.found;
  if (one === undefined) return absent(situation, advice);
  return another === undefined ? there(situation, advice, one) : several(look.found);
}

function absent(situation: Situation, advice: Advice): Advice {
  const { op, state } = situation.last.view;
  const now = 'It is not in the service.';
  if (isDoubtful(situation)) {
    return { ...advice, now: `${now} The request that got no answer did not land, or is not listed yet.` };
  }
  if (state === 'deleted' || op === 'delete' || !THERE.has(state)) {
    return { ...advice, now: `${now} ${advice.now}` };
  }
  const { checkedAt } = situation.last.view;
  const held = checkedAt === undefined ? 'It was sent' : `The service held it at ${shortTime(checkedAt)} UTC`;
  return {
    now: `It is NOT in the service. ${held}; nobody here has deleted it, so somebody has in the service.`,
    next: registerAgain(situation),
  };
}

/** Nothing brings back on its own what somebody has deleted. */
function registerAgain(situation: Situation): string {
  const command = pushOf(situation, situation.last, '--overwrite') ?? 'push its file with --overwrite';
  return `To register it again: ${command}. Else take it out of the file.`;
}

function several(found: readonly FoundView[]): Advice {
  const ids = found.map(({ id }) => id ?? 'one without id').join(', ');
  return {
    now: `There are ${formatCount(found.length)} registrations of it in the service: ${ids}.`,
    next: 'Look at them, and delete those that are too many: eventreg delete ID.',
  };
}

function there(situation: Situation, advice: Advice, { values }: FoundView): Advice {
  const { op, state } = situation.last.view;
  const now = nowThere(values, situation.last.undoes === undefined ? 'sent' : 'put back');
  if (state === 'deleted' || (op === 'delete' && state === 'unchanged')) {
    return {
      now: `${now} It was deleted with eventreg, so somebody has registered it again.`,
      next: 'Look who did; eventreg delete takes it out once more.',
    };
  }
  if (isDoubtful(situation)) return { ...advice, now: `${now} The run got no answer that says so.` };
  if (op === 'send' && state === 'conflict') {
    return { ...advice, now: `It is in the service, and is in conflict with the row${why(situation)}.` };
  }
  if (!THERE.has(state)) return { ...advice, now: `${now} ${advice.now}` };
  const [edited] = namesOf(values ?? [], 'edited');
  return { now, next: edited === undefined ? advice.next : putBack(situation, edited) };
}

function putBack(situation: Situation, field: string): string {
  const chapter = lastOf(situation.chapters, fieldAspect(field, []));
  const command = chapter && pushOf(situation, chapter, '--overwrite');
  return command === undefined
    ? 'Nothing, unless the edit is wrong: then mend it in the service.'
    : `Nothing, unless the edit is wrong: ${command} puts back what the file says of this one.`;
}

const TOLD: readonly [ValueState, string][] = [
  ['edited', 'edited since it was sent'],
  ['changed', 'with other values than before, though they were not sent'],
  ['left', 'with values that were not sent and stay as they are there'],
  ['stored', 'stored otherwise than it was sent'],
];

function nowThere(values: readonly ValueView[] | undefined, how: string): string {
  if (values === undefined) return 'It is in the service, which does not show its values.';
  const parts = TOLD.flatMap(([state, words]) => {
    const names = namesOf(values, state);
    return names.length === 0 ? [] : [`${words}: ${names.join(', ')}`];
  });
  if (parts.length > 0) return `It is in the service, ${parts.join('; ')}.`;
  const isBefore = values.some(({ state, was }) => state === 'before' && was !== undefined);
  if (isBefore) return 'It is in the service as it was before.';
  const isSent = namesOf(values, 'sent').some((field) => field !== 'persona' && field !== 'barcode');
  const hidden = namesOf(values, 'hidden');
  const but = hidden.length === 0 ? '' : `, as far as the service shows it (not ${hidden.join(', ')})`;
  return isSent ? `It is in the service as it was ${how}${but}.` : 'It is in the service.';
}

const namesOf = (values: readonly ValueView[], state: ValueState): string[] =>
  values.filter((value) => value.state === state).map(({ field }) => field);

const isDoubtful = ({ last }: Situation): boolean => last.view.op === 'send' && IN_DOUBT.has(last.view.state);
