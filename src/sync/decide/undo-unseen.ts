import type { FieldValue, RecordImage, Registration } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';

/** Of one registration, what a run has sent, and what was listed of it. */
export interface SentRow {
  /** Undefined for a deletion. */
  sent: Registration | undefined;
  /** As it was listed before; undefined when the run created it. */
  before: RecordImage | undefined;
  /** As it was listed since, where that is not just what was sent. */
  after: RecordImage | undefined;
  /** It was seen as it was sent, or as `after` has it. */
  isReadBack: boolean;
}

/** What a list may not show of a registration that a run has sent. */
interface UnseenFacts {
  row: SentRow;
  parentsShown: boolean;
  /** What had been sent of the registration before, newest first. */
  earlier?: (() => readonly Registration[]) | undefined;
}

/**
 * What a run has sent of a registration that was there, and the service does not list, as a clause: whether that is
 * as it was before cannot be told, nor can it be taken back. Undefined where there is nothing of the kind.
 */
export function describeUnseen(facts: UnseenFacts, now: RecordImage): string | undefined {
  const parent = unseenParent(facts);
  const fields = unseenFields(facts, now);
  const parts = [
    ...(parent === undefined
      ? []
      : [`it may still be a member of ${parent} (parent_barcode), which the service does not list`]),
    ...(mayAskForMessages(facts, now)
      ? ['it may ask for messages since (enable_comms), which the service does not list']
      : []),
    ...(fields.length === 0
      ? []
      : [
          `whether ${fields.join(', ')} is as it was before cannot be told: the service does not list what was sent`,
        ]),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** The parent that the run has given it, unless it had that one from an earlier run. */
function unseenParent({ row: { sent }, parentsShown, earlier }: UnseenFacts): string | undefined {
  if (parentsShown || sent?.parentBarcode === undefined) return undefined;
  const last = earlier?.().find(({ parentBarcode, leavesGroup }) => parentBarcode ?? leavesGroup);
  return last?.parentBarcode === sent.parentBarcode ? undefined : sent.parentBarcode;
}

/** Whether the run has asked for messages to the person, and no earlier one had, where that is never listed. */
function mayAskForMessages({ row: { sent, before }, earlier }: UnseenFacts, now: RecordImage): boolean {
  if (sent?.enableComms !== true || before === undefined) return false;
  if ([before, now].some(({ enableComms }) => enableComms !== undefined)) return false;
  return earlier?.()[0]?.enableComms !== true;
}

/** Of the fields that were never listed, those in which no earlier run had sent the same. */
function unseenFields({ row, earlier }: UnseenFacts, now: RecordImage): string[] {
  const slugs = neverListed(row, now);
  if (slugs.length === 0) return [];
  const sends = earlier?.() ?? [];
  return slugs.filter((slug) => !isSame(lastSent(sends, slug), row.sent?.fields[slug]));
}

/** Fields in which a run has sent something, and no list has shown anything: not before, not since, not now. */
export function neverListed({ sent, before, after, isReadBack }: SentRow, now: RecordImage): string[] {
  const wasSeen = isReadBack && after === undefined;
  if (sent === undefined || before === undefined || wasSeen) return [];
  const isListed = (slug: string): boolean =>
    [before, after, now].some((image) => plainValue(fieldOf(image, slug)) !== undefined);
  return Object.entries(sent.fields)
    .filter(([slug, value]) => value.length > 0 && !isListed(slug))
    .map(([slug]) => slug);
}

const lastSent = (sends: readonly Registration[], slug: string): FieldValue | undefined =>
  sends.find(({ fields }) => Object.hasOwn(fields, slug))?.fields[slug];

const isSame = (one: FieldValue | undefined, other: FieldValue | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const fieldOf = (image: RecordImage | undefined, slug: string): unknown =>
  image?.fields !== undefined && Object.hasOwn(image.fields, slug) ? image.fields[slug] : undefined;
