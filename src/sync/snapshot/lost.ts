import { imageOf, type RecordImage, type RegistrationRecord } from '../../registration/model/registration.ts';
import { isWhole } from './answers.ts';
import type { ListReading } from './read-listed.ts';

/** A registration that was listed before a run, and is not listed any more, or not as a member of whom it was. */
export interface Lost {
  kind: 'gone' | 'orphaned';
  /** As it was before. */
  record: RecordImage;
  /** What is said of it where nobody has asked for that, as a clause. */
  message: string;
}

/**
 * What is lost since the list was read whole, told apart by ids where both lists show them, else by barcodes: of several
 * that share one, as many as there are fewer. Undefined where the lists cannot tell. `isNew`: whether what is listed now
 * was registered since, be it with a name that was used before.
 */
export function lostSince(
  before: ListReading | undefined,
  now: ListReading,
  isNew: (record: RegistrationRecord) => boolean = () => false,
): Lost[] | undefined {
  const name = before && sharedName(before, now);
  if (before === undefined || name === undefined || !isWhole(before) || now.how !== 'list') return undefined;
  const left = new Map<string, RegistrationRecord[]>();
  for (const record of now.listed.all()) {
    const own = record[name];
    if (own === undefined) continue;
    const found = left.get(own);
    if (found === undefined) left.set(own, [record]);
    else found.push(record);
  }
  return [...before.listed.all()].flatMap((record): Lost[] => {
    const own = record[name];
    if (own === undefined) return [];
    const found = left.get(own)?.shift();
    const isSame = found !== undefined && (found.barcode === record.barcode || !isNew(found));
    if (!isSame) return [{ kind: 'gone', record: imageOf(record), message: GONE }];
    const { parentBarcode: parent } = record;
    if (parent === undefined || parent === found.parentBarcode) return [];
    return [{ kind: 'orphaned', record: imageOf(record), message: whyOrphaned(parent, found.parentBarcode) }];
  });
}

function sharedName(one: ListReading, other: ListReading): 'id' | 'barcode' | undefined {
  if (one.idsShown && other.idsShown) return 'id';
  return one.barcodesShown && other.barcodesShown ? 'barcode' : undefined;
}

const GONE = 'was listed before and is not listed any more, though nothing asked for that';

function whyOrphaned(before: string, now: string | undefined): string {
  const is = now === undefined ? 'a member of nothing' : `one of ${now}`;
  return `was a member of ${before} before, and is ${is} now, though nothing asked for that`;
}
