import { imageOf, type RecordImage } from '../../registration/model/registration.ts';
import { isWhole } from './answers.ts';
import type { ListReading } from './read-listed.ts';

/** Registrations of which fewer are listed now than before; none where either list was not read whole. */
export function goneSince(before: ListReading | undefined, now: ListReading): RecordImage[] {
  if (before === undefined || !isWhole(before) || now.how !== 'list') return [];
  const counts = new Map<string, number>();
  for (const record of now.listed.all()) counts.set(keyOf(record), (counts.get(keyOf(record)) ?? 0) + 1);
  const isGone = (record: RecordImage): boolean => {
    const left = counts.get(keyOf(record)) ?? 0;
    counts.set(keyOf(record), left - 1);
    return left <= 0;
  };
  return [...before.listed.all()].filter(isGone).map(imageOf);
}

/** Registrations that are listed, and no more as members of whom they were; with whose they are now. */
export function orphanedSince(
  before: ListReading | undefined,
  now: ListReading,
): { record: RecordImage; parent: string | undefined }[] {
  if (before === undefined || !isWhole(before) || now.how !== 'list') return [];
  const byKey = new Map([...now.listed.all()].map((record) => [keyOf(record), record]));
  return [...before.listed.all()].flatMap((old) => {
    const found = byKey.get(keyOf(old));
    const isMember = old.parentBarcode !== undefined && found !== undefined;
    if (!isMember || found.parentBarcode === old.parentBarcode) return [];
    return [{ record: imageOf(old), parent: found.parentBarcode }];
  });
}

/** What is said of a registration that nobody has asked to change, and that is not listed any more. */
export const GONE_UNASKED = 'was listed before and is not listed any more, though nothing asked for that';

/** What is said of one that is listed as a member of somebody else now, or of nobody. */
export function whyOrphaned(before: string, now: string | undefined): string {
  const is = now === undefined ? 'a member of nothing' : `one of ${now}`;
  return `was a member of ${before} before, and is ${is} now, though nothing asked for that`;
}

/** What a registration is known by: its id, or its barcode, or all that is shown of it. */
const keyOf = (record: RecordImage): string => record.id ?? record.barcode ?? JSON.stringify(record);
