import { BARCODE, differs, fieldAspect, type FieldsOf, PERSONA } from '../../registration/changes/aspect.ts';
import type { Field } from '../../registration/model/persona.ts';
import type { FieldValue, RecordImage, Registration } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { sendBack } from './what-is-sent.ts';

/** What to send to bring a registration back, or why that cannot be done, as a clause. */
export type Restoring =
  | {
      registration: Registration;
      cannot?: undefined;
      /** Fields that held what cannot be sent back exactly as it is listed. */
      left: readonly string[];
    }
  | { registration?: undefined; cannot: string; left?: undefined };

/** What is known of values that are not listed exactly as they are stored. */
export interface KnownValues {
  /** Whether a text is to the letter what the file once sent in a field of the registration. */
  sentByFile?: ((slug: string, text: string) => boolean) | undefined;
}

interface Images {
  /** As it was listed before. */
  before: RecordImage;
  /** As it is listed now, and what a run had sent of it; undefined of one that is gone. */
  now?: RecordImage;
  sent?: Registration;
}

/**
 * The registration that brings one back to what it was before: all that it showed then of one that is gone, else what is
 * otherwise now, be it emptied; an update carries the rest. What cannot be sent back is left. Messages to people are never
 * sent again.
 */
export function restoring(images: Images, fields: FieldsOf, known: KnownValues = {}): Restoring {
  const { before, now, sent } = images;
  const barcode = before.barcode ?? now?.barcode ?? sent?.barcode;
  const persona = before.persona ?? sent?.persona;
  if (persona === undefined || before.fields === undefined)
    return { cannot: 'the service did not show its persona and values before it was deleted' };
  if (now !== undefined && barcode === undefined)
    return { cannot: 'it shows no barcode, without which it cannot be changed back' };
  if (before.parentBarcode === undefined && now?.parentBarcode !== undefined)
    return { cannot: 'it was made a member, and the service has no way to take that back' };
  const own = fields(persona);
  const isOther = now === undefined || [PERSONA, BARCODE].some((aspect) => differs(aspect, before, now));
  const values = slugsOf(images, persona, own)
    .filter((slug) => isOther || differs(fieldAspect(slug, own), before, now))
    .map((slug) => ({ slug, value: valueBack(slug, before, own, known) }));
  const back = values.flatMap(({ slug, value }): [string, FieldValue][] => {
    const isToClear = now !== undefined && valueOf(now, slug) !== undefined;
    if (value === undefined || (value.length === 0 && !isToClear)) return [];
    return [[slug, value.length > 0 ? value : '']];
  });
  const left = values.flatMap(({ slug, value }) => (value === undefined ? [slug] : []));
  if (now === undefined && left.length > 0 && back.length === 0) return { cannot: notSentBack(left) };
  return {
    registration: {
      persona,
      // fromEntries defines keys, so that a field called __proto__ is a key like any other.
      fields: Object.fromEntries(back),
      barcode,
      parentBarcode: before.parentBarcode,
      enableComms: false,
    },
    left,
  };
}

/** Why some of it is left, as a clause. */
export const notSentBack = (left: readonly string[]): string =>
  `what ${left.join(', ')} held cannot be sent back exactly as it is listed`;

/** What a field held, as it can be sent; undefined where it cannot. */
function valueBack(
  slug: string,
  before: RecordImage,
  own: readonly Field[],
  { sentByFile }: KnownValues,
): FieldValue | undefined {
  const shown = valueOf(before, slug);
  const field = own.find((one) => one.slug === slug);
  const isOwn = typeof shown === 'string' && sentByFile?.(slug, shown) === true;
  return sendBack(shown, field) ?? (isOwn ? shown : undefined);
}

/** What the event names for the persona, and what the run has sent beside it: fields of another persona go with it. */
function slugsOf({ before, sent }: Images, persona: string, own: readonly Field[]): readonly string[] {
  const isOfAll = own.length === 0 || persona === sent?.persona;
  const others = sent === undefined ? (own.length === 0 ? before.fields : {}) : isOfAll ? sent.fields : {};
  return [...new Set([...own.map(({ slug }) => slug), ...Object.keys(others ?? {})])];
}

function valueOf({ fields = {} }: RecordImage, slug: string): unknown {
  const value = Object.hasOwn(fields, slug) ? fields[slug] : undefined;
  return plainValue(value) === undefined ? undefined : value;
}
