import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf, holdsAll } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT, SENT } from '../../registration/model/row-states.ts';
import type { LookView } from '../../report/views/story-view.ts';
import type { ReadContext } from '../journal/send-context.ts';
import { withBarcode } from '../snapshot/answers.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import { type Chapter, compareNow, MAY_BE_AS_SENT } from './standing.ts';
import type { Story } from './story.ts';

/**
 * Asks the service for the registrations of some stories: by barcode, and by reading the list for those that
 * are not found so. Throws what reading throws.
 */
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
