import { type Aspect, fieldAspect, type FieldsOf } from '../../registration/changes/aspect.ts';
import { changesTo } from '../../registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { plainValue, sameValue } from '../../registration/changes/same-value.ts';

/** What a run has left in the service of one registration. */
interface LeftBehind {
  /** What was sent. */
  sent: Registration;
  /** As it was listed since, where that is not just what was sent. */
  after: RecordImage | undefined;
  /** As it was listed before; undefined when the run created it. */
  before: RecordImage | undefined;
}

/**
 * Names of what a listed registration has otherwise than a run has left it: fields, `persona`,
 * `parent_barcode`. Values that differ only in how they are written are equal.
 */
export function editedSince(
  { sent, after, before }: LeftBehind,
  record: RecordImage,
  { fields, parentsShown }: { fields: FieldsOf; parentsShown: boolean },
): string[] {
  if (after !== undefined) return differencesOf(after, record, fields);
  const changed = (changesTo(sent, record, fields) ?? []).map(({ field }) => field);
  const own = fields(sent.persona);
  // What was not sent is as it was before, or empty in what was new; where it is empty, sending has emptied it.
  const unsent = own
    .filter(({ slug }) => !Object.hasOwn(sent.fields, slug))
    .map(({ slug }) => fieldAspect(slug, own))
    .filter((aspect) => plainValue(aspect.of(record)) !== undefined && isOther(aspect, record, before))
    .map(({ field }) => field);
  const moved =
    sent.parentBarcode === undefined &&
    record.parentBarcode !== undefined &&
    record.parentBarcode !== before?.parentBarcode;
  return [...(moved ? ['parent_barcode'] : []), ...changed, ...unsent].filter(
    (field) => field !== 'enable_comms' && (field !== 'parent_barcode' || parentsShown),
  );
}

/** Names of what two images of a registration have otherwise. */
export function differencesOf(one: RecordImage, other: RecordImage, fields: FieldsOf): string[] {
  const own = fields(one.persona ?? other.persona ?? '');
  const slugs = new Set([...Object.keys(one.fields ?? {}), ...Object.keys(other.fields ?? {})]);
  const differing = [...slugs].filter((slug) => isOther(fieldAspect(slug, own), one, other));
  const around = [
    ...(one.persona === other.persona ? [] : ['persona']),
    ...(one.parentBarcode === other.parentBarcode ? [] : ['parent_barcode']),
  ];
  return [...around, ...differing];
}

function isOther({ rules, of }: Aspect, one: RecordImage, other: RecordImage | undefined): boolean {
  return !sameValue(rules, of(one), other && of(other));
}
