import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf, holdsAll } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT, type RowState, SENT, THERE, UNANSWERED } from '../../registration/model/row-states.ts';
import type { LookView, StoryView } from '../../report/views/story-view.ts';
import { formatAgo } from '../../report/words/number.ts';
import type { ReadContext } from '../journal/send-context.ts';
import { withBarcode } from '../snapshot/read-now.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import { fillIn, namesOf, NOTHING, type Situation, type Typed } from './advice-words.ts';
import { type Chapter, compareNow, MAY_BE_AS_SENT } from './standing.ts';
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
    absent: ['It is not listed. {now}', '{next}'],
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

/** Asks the service for the registrations of some stories: by barcode, else in the list. Throws what reading throws. */
export async function lookUp(
  stories: readonly Story[],
  context: ReadContext & { now: () => number },
): Promise<LookView[]> {
  const fields = fieldsOf(context.event);
  const barcodes = new Set(stories.flatMap((story) => namesIn(story, 'barcode')));
  let reading = await readListed(context, { barcodes });
  const isLeft = (story: Story): boolean =>
    find(story, reading, fields).length === 0 && isWorthTheList(story, reading);
  if (reading.how !== 'list' && stories.some(isLeft)) reading = await readListed(context, { whole: true });
  return stories.map((story) => {
    const at = context.now();
    const found = find(story, reading, fields);
    const why = found.length === 0 ? whyNotAsked(story, reading) : undefined;
    if (why !== undefined) return { kind: 'not-asked', why, at, knownAt: knownAt(story) };
    return { kind: 'asked', at, found: found.map((record) => compareNow(story, record, fields)) };
  });
}

/** Why that nothing is found says nothing, as a clause; undefined where it does. */
function whyNotAsked(chapters: Story, reading: ListReading): string | undefined {
  const isNamed = isAnswered(chapters, reading) || namesIn(chapters, 'registrationId').length > 0;
  if (isNamed || IN_DOUBT.has(chapters[0]?.view.state ?? 'done'))
    return isNeverSeen(chapters) ? NEVER_SEEN : undefined;
  return lastSent(chapters) === undefined
    ? NO_NAME
    : `${NO_NAME}, and none that it lists is just as it was sent`;
}

const NEVER_SEEN = 'it is not listed, and never was, so that it cannot be told whether it is there';

/** The service took it, and no look has ever shown it: its list may show none of its kind. */
const isNeverSeen = (chapters: readonly Chapter[]): boolean =>
  chapters[0] !== undefined &&
  SENT.has(chapters[0].view.state) &&
  chapters.every(({ view, row }) => view.checkedAt === undefined && row.before === undefined);

const NO_NAME = 'it has neither a barcode that the service shows nor an id';

/** When what the journal says was last seen to be so. */
export function knownAt(chapters: readonly Chapter[]): number | undefined {
  const times = chapters.flatMap(({ view }) => [view.checkedAt ?? [], view.steps.map(({ at }) => at)].flat());
  return times.length === 0 ? chapters[0]?.view.startedAt : Math.max(...times);
}

const namesIn = (chapters: readonly Chapter[], name: 'barcode' | 'registrationId'): string[] => [
  ...new Set(chapters.flatMap(({ view }) => view[name] ?? [])),
];

/** It has a barcode, and the service shows those. */
const isAnswered = (chapters: readonly Chapter[], { barcodesShown }: ListReading): boolean =>
  barcodesShown && namesIn(chapters, 'barcode').length > 0;

/** What was sent last, and may be there: without a name, only all that it holds tells a registration. */
function lastSent([last]: readonly Chapter[]): Chapter['row']['sent'] {
  return last !== undefined && MAY_BE_AS_SENT.has(last.view.state) ? last.row.sent : undefined;
}

/** Of what has been deleted here, that it is not found by its barcode is what was to be. */
function isWorthTheList(chapters: Story, reading: ListReading): boolean {
  const isKnown = isAnswered(chapters, reading);
  if (isKnown && chapters[0]?.view.state === 'deleted') return false;
  return namesIn(chapters, 'registrationId').length > 0 || (!isKnown && lastSent(chapters) !== undefined);
}

/** By barcode, by id, which is nobody else's, or by the same values, which may come twice. */
function find(chapters: Story, reading: ListReading, fields: FieldsOf): readonly RegistrationRecord[] {
  const { listed, how } = reading;
  const found = namesIn(chapters, 'barcode').flatMap((barcode) => withBarcode(reading, barcode) ?? []);
  if (found.length > 0 || how !== 'list' || !isWorthTheList(chapters, reading)) return found;
  const ids = namesIn(chapters, 'registrationId');
  if (ids.length > 0) return ids.flatMap((id) => listed.byId(id));
  const row = lastSent(chapters);
  return [...listed.all()].filter((record) => row !== undefined && holdsAll(row, record, fields));
}
