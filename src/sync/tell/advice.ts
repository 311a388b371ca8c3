import { IN_DOUBT, type RowState, THERE, UNANSWERED } from '../../registration/model/row-states.ts';
import type { LookView, StoryView } from '../../report/views/story-view.ts';
import { formatAgo } from '../../report/words/number.ts';
import { fillIn, namesOf, NOTHING, type Situation, type Typed } from './advice-words.ts';
import type { Story } from './story.ts';

/** A story as it is told: with what the service said now, where that leaves it, and what to do about it. */
export function tellStory(chapters: Story, look: LookView, typed: Typed): StoryView {
  // What another run has gone on from, without this one, is no news.
  const last =
    chapters.find(({ view }) => view.state !== 'pending' || view.runState !== 'closed') ?? chapters[0];
  if (last === undefined) return { chapters: [], look, now: '', next: '' };
  const situation: Situation = { last, chapters, look, typed };
  const [now, next] = saidWith(situation);
  const views = chapters.map(({ view }) => view);
  return { chapters: views, look, now: fillIn(now, situation), next: fillIn(next, situation) };
}

/** Where it stands, and what to do about it; what stands in braces is filled in. */
type Said = readonly [now: string, next: string];

/** What is said of a row by its state. */
const ON_SENDING: Readonly<Record<RowState, Said>> = {
  rejected: ['Its row was rejected, and not sent.', 'Mend {place} and push the file again.'],
  pending: ['Its row has not been sent{why}.', '{again}: it sends what is left.'],
  sending: ['The run was ended before an answer came. The service may or may not hold it.', '{settle}'],
  uncertain: ['The service may or may not hold it{why}.', '{settle}'],
  unchanged: ['The service held it as the row has it{but}, so it was not sent.', '{rest}'],
  done: ['{held}', '{rest}'],
  accepted: [
    'The service took it, without showing a registration.',
    '{again}: it reads back what the service made of it.',
  ],
  failed: [
    'The service refused what was sent{why}.',
    'Mend what it names. {again} then: it sends what was refused once more.',
  ],
  conflict: ['Its row is in conflict with the service{why}.', '{choose}'],
  blocked: ['Its row was not sent{why}.', '{parent}'],
  postponed: ['Its row was held back{why}.', 'Settle what went first. {again} then.'],
  deleted: [
    'It has been deleted with eventreg since it was sent.',
    'Push the file again to send it once more; take it out of the file otherwise.',
  ],
};

const MAYBE_DELETED: Said = ['It may or may not have been deleted{why}.', '{again}: it looks what is left.'];

const ON_DELETING: Readonly<Partial<Record<RowState, Said>>> = {
  deleted: ['Run {run} has deleted it.', '{afterDeletion}'],
  unchanged: ['It was to be deleted, and was not there any more.', NOTHING],
  pending: ['It is still to be deleted.', '{again}: it deletes what is left.'],
  conflict: ['It was not deleted{why}.', '{look}. {again} if it is to go all the same.'],
  failed: ['It was not deleted{why}.', 'Mend what the service names. {again} then.'],
};

function saidOf({ last: { view, isUnderWay } }: Situation): Said {
  const { op, state, runState } = view;
  if (isUnderWay && UNANSWERED.has(state)) {
    const now =
      state === 'pending' ? 'Its turn has not come yet.' : 'Its request is under way at this moment.';
    return [now, 'Wait for run {run} to end.'];
  }
  if (op === 'delete') return ON_DELETING[state] ?? MAYBE_DELETED;
  if (state !== 'pending' || runState !== 'closed') return ON_SENDING[state];
  return ['Its row has not been sent, and the push that went on from this one did not have it.', NOTHING];
}

const ABSENT = 'It is not in the service.';

/** What is said of a row where the service was asked: by how it should stand, and whether it is there. */
const WHEN_ASKED: Readonly<Record<Standing, { absent: Said; there: Said }>> = {
  doubtful: {
    absent: [`${ABSENT} The request that got no answer did not land, or is not listed yet.`, '{next}'],
    there: ['{found} The run got no answer that says so.', '{next}'],
  },
  deleted: {
    absent: [`${ABSENT} {now}`, '{next}'],
    there: [
      '{found} It was deleted with eventreg, so somebody has registered it again.',
      'Look who did; eventreg delete takes it out once more.',
    ],
  },
  conflict: {
    absent: [`${ABSENT} {now}`, '{next}'],
    there: ['It is in the service, and is in conflict with the row{why}.', '{next}'],
  },
  held: {
    absent: [
      'It is NOT in the service. {heldBefore}; nobody here has deleted it, so somebody has in the service.',
      'To register it again: {register}. Else take it out of the file.',
    ],
    there: ['{found}', '{next}'],
  },
  other: { absent: [`${ABSENT} {now}`, '{next}'], there: ['{found} {now}', '{next}'] },
};

type Standing = 'doubtful' | 'deleted' | 'conflict' | 'held' | 'other';

function standingOf({ last: { view } }: Situation): Standing {
  const { op, state } = view;
  if (state === 'deleted' || (op === 'delete' && state === 'unchanged')) return 'deleted';
  if (op === 'delete') return 'other';
  if (IN_DOUBT.has(state)) return 'doubtful';
  return state === 'conflict' ? 'conflict' : THERE.has(state) ? 'held' : 'other';
}

function saidWith(situation: Situation): Said {
  const { look } = situation;
  const [now, next] = saidOf(situation);
  if (look.kind === 'not-asked') {
    const ago = look.knownAt === undefined ? '' : `Last known, ${formatAgo(look.at - look.knownAt)}: `;
    return [`${ago}${now}`, next];
  }
  if (look.found.length > 1) {
    return [
      'There are {several} of it in the service.',
      'Look at them, and delete those that are too many: eventreg delete ID.',
    ];
  }
  const standing = standingOf(situation);
  const [asked, then] = WHEN_ASKED[standing][look.found.length === 0 ? 'absent' : 'there'];
  const isEdited = standing === 'held' && namesOf(look, 'edited').length > 0;
  return [asked.replace('{now}', now), isEdited ? '{putBack}' : then.replace('{next}', next)];
}
