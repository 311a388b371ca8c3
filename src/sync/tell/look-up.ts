import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { changesButMessages, fieldsOf } from '../../registration/changes/field-change.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT, SENT } from '../../registration/model/row-states.ts';
import type { LookView } from '../../report/views/story-view.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import type { RegistrationsClient } from '../../service/client.ts';
import type { SendContext } from '../journal/send-context.ts';
import { type Chapter, compareNow, MAY_BE_AS_SENT } from './standing.ts';
import type { Story } from './story.ts';

/** By what a registration may be found, and what is. */
interface Sought {
  chapters: readonly Chapter[];
  barcodes: readonly string[];
  ids: readonly string[];
  /** What was sent: without either, only all that it holds tells it. */
  row: Registration | undefined;
  found: readonly RegistrationRecord[];
  /** It has a barcode, and the service shows those. */
  isAnswered: boolean;
}

/**
 * Asks the service for the registrations of some stories: by barcode, and by reading the list for those that
 * are not found so. Throws what reading throws.
 */
export async function lookUp(
  stories: readonly Story[],
  { registrations, event, now }: Pick<SendContext, 'registrations' | 'event'> & { now: () => number },
): Promise<LookView[]> {
  const fields = fieldsOf(event);
  const barcodes = [...new Set(stories.flatMap(({ chapters }) => namesIn(chapters, 'barcode')))];
  const listed = await findByBarcode(registrations, barcodes);
  const all = stories.map((story) => seek(story, listed));
  const missing = all.filter((one) => one.found.length === 0 && isWorthTheList(one));
  if (missing.length > 0) await readList(registrations, missing, fields);
  return all.map(({ chapters, ids, row, found, isAnswered }) => {
    const at = now();
    const isKnowable = isAnswered || ids.length > 0 || IN_DOUBT.has(chapters[0]?.view.state ?? 'done');
    const unnamed = row === undefined ? NO_NAME : `${NO_NAME}, and none that it lists is just as it was sent`;
    const why = isKnowable ? (isNeverSeen(chapters) ? NEVER_SEEN : undefined) : unnamed;
    if (found.length === 0 && why !== undefined)
      return { kind: 'not-asked', why, at, knownAt: knownAt(chapters) };
    return { kind: 'asked', at, found: found.map((record) => compareNow(chapters, record, fields)) };
  });
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

type ByBarcode = ReadonlyMap<string, readonly RegistrationRecord[]>;

function seek({ chapters }: Story, listed: ByBarcode | undefined): Sought {
  const [last] = chapters;
  const barcodes = namesIn(chapters, 'barcode');
  return {
    chapters,
    barcodes,
    ids: namesIn(chapters, 'registrationId'),
    row: last !== undefined && MAY_BE_AS_SENT.has(last.view.state) ? last.row.sent : undefined,
    found: barcodes.flatMap((barcode) => listed?.get(barcode) ?? []),
    isAnswered: barcodes.length > 0 && listed !== undefined,
  };
}

/** Of what has been deleted here, that it is not found by its barcode is what was to be. */
function isWorthTheList({ chapters, ids, row, isAnswered }: Sought): boolean {
  if (isAnswered && chapters[0]?.view.state === 'deleted') return false;
  return ids.length > 0 || (row !== undefined && !isAnswered);
}

/** Undefined when the service shows no barcodes. */
async function findByBarcode(
  registrations: RegistrationsClient,
  barcodes: readonly string[],
): Promise<ByBarcode | undefined> {
  try {
    return await registrations.findByBarcode(barcodes);
  } catch (error) {
    if (error instanceof BarcodesHiddenError) return undefined;
    throw error;
  }
}

/** An id is nobody else's; what holds the same values may come twice. */
async function readList(
  registrations: RegistrationsClient,
  missing: readonly Sought[],
  fields: FieldsOf,
): Promise<void> {
  await registrations.readAll(
    {},
    ({ records, restart }) => {
      for (const one of missing) {
        const found = records.filter((record) => isIt(one, record, fields));
        one.found = [...(restart ? [] : one.found), ...found];
      }
    },
    { goOn: () => missing.some(({ ids, found }) => ids.length === 0 || found.length === 0) },
  );
}

function isIt({ ids, row }: Sought, record: RegistrationRecord, fields: FieldsOf): boolean {
  if (ids.length > 0) return record.id !== undefined && ids.includes(record.id);
  return row !== undefined && changesButMessages(row, record, fields)?.length === 0;
}
