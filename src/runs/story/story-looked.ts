import { IN_DOUBT, THERE } from '../../registration/model/row-states.ts';
import { formatAgo } from '../../report/words/duration.ts';
import { formatCount } from '../../report/words/number.ts';
import type {
  ChapterView,
  FoundView,
  LookView,
  ValueState,
  ValueView,
} from '../../report/views/story-view.ts';
import type { Advice } from '../../sync/decide/story-advice.ts';

/** Where a registration stands and what to do, with what the service said when it was asked. */
export function adviseLooked(advice: Advice, chapter: ChapterView, look: LookView): Advice {
  if (look.kind === 'not-asked') {
    if (look.knownAt === undefined) return advice;
    const ago = formatAgo(look.at - look.knownAt);
    return { ...advice, now: `Last known, ${ago}: ${advice.now}` };
  }
  const [one, ...others] = look.found;
  if (one === undefined) return absent(advice, chapter);
  if (others.length > 0) return several(look.found);
  return there(advice, chapter, one);
}

const isDoubtful = ({ op, state }: ChapterView): boolean => op === 'send' && IN_DOUBT.has(state);

const isGone = ({ op, state }: ChapterView): boolean =>
  state === 'deleted' || (op === 'delete' && state === 'unchanged');

function absent(advice: Advice, chapter: ChapterView): Advice {
  const now = 'It is not in the service.';
  if (isDoubtful(chapter)) {
    return {
      now: `${now} The request that got no answer did not land, or is not listed yet.`,
      next: advice.next,
    };
  }
  if (isGone(chapter) || chapter.op === 'delete' || !THERE.has(chapter.state)) {
    return { now: `${now} ${advice.now}`, next: advice.next };
  }
  return {
    now: `It is NOT in the service. ${heldAt(chapter)}; nobody here has deleted it, so somebody has in the service.`,
    next: registerAgain(chapter),
  };
}

function heldAt({ checkedAt }: ChapterView): string {
  if (checkedAt === undefined) return 'It was sent';
  return `The service held it at ${new Date(checkedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Nothing brings back on its own what somebody has deleted. */
function registerAgain({ kind, files, barcode }: ChapterView): string {
  const only = barcode === undefined ? '' : ` --only ${barcode}`;
  const command =
    kind === 'push' && files.length > 0
      ? `eventreg push ${files.join(' ')}${only} --overwrite`
      : 'push its file with --overwrite';
  return `To register it again: ${command}. Else take it out of the file.`;
}

function several(found: readonly FoundView[]): Advice {
  const ids = found.map(({ id }) => id ?? 'one without id').join(', ');
  return {
    now: `There are ${formatCount(found.length)} registrations of it in the service: ${ids}.`,
    next: 'Look at them, and delete those that are too many: eventreg delete ID.',
  };
}

function there(advice: Advice, chapter: ChapterView, { values }: FoundView): Advice {
  const now = nowThere(values);
  if (isGone(chapter)) {
    return {
      now: `${now} It was deleted with eventreg, so somebody has registered it again.`,
      next: 'Look who did; eventreg delete takes it out once more.',
    };
  }
  if (isDoubtful(chapter)) return { now: `${now} The run got no answer that says so.`, next: advice.next };
  if (chapter.op === 'send' && chapter.state === 'conflict') {
    const why = chapter.message === undefined ? '' : `: ${chapter.message.replace(/\.$/, '')}`;
    return { now: `It is in the service, and is in conflict with the row${why}.`, next: advice.next };
  }
  if (!THERE.has(chapter.state)) return { now: `${now} ${advice.now}`, next: advice.next };
  if (values === undefined || namesOf(values, 'edited').length === 0) return { now, next: advice.next };
  const next =
    'Nothing, unless the edit is wrong: eventreg push with --overwrite puts back the values of the file.';
  return { now, next };
}

function nowThere(values: readonly ValueView[] | undefined): string {
  if (values === undefined) return 'It is in the service, which does not show its values.';
  const told: readonly [ValueState, string][] = [
    ['edited', 'edited since it was sent'],
    ['changed', 'with other values than before, though they were not sent'],
    ['left', 'with values that were not sent and stay as they are there'],
    ['stored', 'stored otherwise than it was sent'],
  ];
  const parts = told.flatMap(([state, words]) => {
    const names = namesOf(values, state);
    return names.length === 0 ? [] : [`${words}: ${names.join(', ')}`];
  });
  if (parts.length > 0) return `It is in the service, ${parts.join('; ')}.`;
  const isSent = namesOf(values, 'sent').some((field) => field !== 'persona' && field !== 'barcode');
  const isBefore = values.some(({ state, was }) => state === 'before' && was !== undefined);
  if (isBefore) return 'It is in the service as it was before.';
  const hidden = namesOf(values, 'hidden');
  const but = hidden.length === 0 ? '' : `, as far as the service shows it (not ${hidden.join(', ')})`;
  return isSent ? `It is in the service as it was sent${but}.` : 'It is in the service.';
}

const namesOf = (values: readonly ValueView[], state: ValueState): string[] =>
  values.filter((value) => value.state === state).map(({ field }) => field);
