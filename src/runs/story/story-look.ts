import { IN_DOUBT } from '../../registration/model/row-states.ts';
import { changesButMessages, fieldsOf } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import type { RegistrationsClient } from '../../service/registrations.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import type { LookView } from '../../report/views/story-view.ts';
import type { Chapter } from './story-chapter.ts';
import { compareNow, MAY_BE_AS_SENT } from './story-compare.ts';
import type { Story } from './story.ts';

/**
 * Asks the service for the registrations of some stories: by barcode, and by reading the list for those that
 * are not found so. Throws what reading throws.
 */
export async function lookUp(
  stories: readonly Story[],
  { registrations, event, now }: Pick<SendContext, 'registrations' | 'event'> & { now: () => number },
): Promise<LookView[]> {
  const fields = fieldsOf(event);
  const wanted = stories.map((story) => wish(story));
  const byBarcode = await findByBarcode(registrations, [...new Set(wanted.flatMap((one) => one.barcodes))]);
  const found = wanted.map(({ barcodes }) => barcodes.flatMap((barcode) => byBarcode?.get(barcode) ?? []));
  const missing = wanted.flatMap((one, at) =>
    found[at]?.length === 0 && isWorthTheList(one, byBarcode !== undefined) ? [{ ...one, at }] : [],
  );
  if (missing.length > 0) {
    await readList(
      registrations,
      missing,
      fields,
      (at, record) => found[at]?.push(record),
      () => {
        for (const { at } of missing) found[at] = [];
      },
    );
  }
  return stories.map(({ chapters }, index) => {
    const at = now();
    const [one, records] = [wanted[index], found[index] ?? []];
    if (records.length === 0 && one !== undefined && !isKnowable(one, byBarcode !== undefined)) {
      const why =
        'it has neither a barcode that the service shows nor an id, and none that it lists is just as it was sent';
      return { kind: 'not-asked', why, at, knownAt: knownAt(chapters) };
    }
    return { kind: 'asked', at, found: records.map((record) => compareNow(chapters, record, fields)) };
  });
}

/** When what the journal says was last seen to be so. */
export function knownAt(chapters: readonly Chapter[]): number | undefined {
  const times = chapters.flatMap(({ view }) => [
    ...(view.checkedAt === undefined ? [] : [view.checkedAt]),
    ...view.steps.map(({ at }) => at),
  ]);
  return times.length === 0 ? chapters[0]?.view.startedAt : Math.max(...times);
}

/** By what a registration may be found. */
interface Wish {
  barcodes: readonly string[];
  ids: readonly string[];
  /** What was sent: without either, only all that it holds tells it. */
  row: Registration | undefined;
  /** That nothing is found by that says that it is not there. */
  doubtful: boolean;
  /** It has been deleted here: that it is not found by its barcode is what was to be. */
  deleted: boolean;
}

function wish({ chapters }: Story): Wish {
  const [last] = chapters;
  const known = (pick: (chapter: Chapter) => string | undefined): string[] => [
    ...new Set(chapters.flatMap((chapter) => pick(chapter) ?? [])),
  ];
  const doubtful = last !== undefined && IN_DOUBT.has(last.view.state);
  return {
    barcodes: known(({ view }) => view.barcode),
    ids: known(({ view }) => view.registrationId),
    row: last !== undefined && MAY_BE_AS_SENT.has(last.view.state) ? last.known.sent : undefined,
    doubtful,
    deleted: last?.view.state === 'deleted',
  };
}

const isWorthTheList = ({ barcodes, ids, row, deleted }: Wish, barcodesShown: boolean): boolean => {
  const isAnswered = barcodes.length > 0 && barcodesShown;
  return !(isAnswered && deleted) && (ids.length > 0 || (row !== undefined && !isAnswered));
};

const isKnowable = (one: Wish, barcodesShown: boolean): boolean =>
  (one.barcodes.length > 0 && barcodesShown) || one.ids.length > 0 || one.doubtful;

/** Undefined when the service shows no barcodes. */
async function findByBarcode(
  registrations: RegistrationsClient,
  barcodes: readonly string[],
): Promise<ReadonlyMap<string, RegistrationRecord[]> | undefined> {
  try {
    return await registrations.findByBarcode(barcodes);
  } catch (error) {
    if (error instanceof BarcodesHiddenError) return undefined;
    throw error;
  }
}

type Missing = Wish & { at: number };

async function readList(
  registrations: RegistrationsClient,
  missing: readonly Missing[],
  fields: FieldsOf,
  take: (at: number, record: RegistrationRecord) => unknown,
  restartAll: () => void,
): Promise<void> {
  const open = new Set(missing);
  await registrations.readAll(
    {},
    ({ records, restart }) => {
      if (restart) {
        restartAll();
        for (const one of missing) open.add(one);
      }
      for (const record of records) {
        for (const one of missing) {
          if (!isIt(one, record, fields)) continue;
          take(one.at, record);
          // An id is nobody else's; what holds the same values may come twice.
          if (one.ids.length > 0) open.delete(one);
        }
      }
    },
    { goOn: () => open.size > 0 },
  );
}

function isIt({ ids, row }: Wish, record: RegistrationRecord, fields: FieldsOf): boolean {
  if (record.id !== undefined && ids.includes(record.id)) return true;
  if (ids.length > 0 || row === undefined) return false;
  return changesButMessages(row, record, fields)?.length === 0;
}
