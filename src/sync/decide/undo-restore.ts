import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Field } from '../../registration/model/persona.ts';
import type { FieldValue, RecordImage, Registration } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { sendBack } from './send-back.ts';

/** What to send to bring a registration back, or why that cannot be done, as a clause. */
export type Restoring =
  | { registration: Registration; cannot?: undefined }
  | { registration?: undefined; cannot: string };

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
 * The registration that brings one back to what it was before: everything that it showed then, and what was empty then
 * and is not now emptied. Messages to people are never sent again.
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
  const values: [string, FieldValue][] = [];
  for (const slug of slugsOf(images, persona, own)) {
    const shown = valueOf(before, slug);
    const isOwn = typeof shown === 'string' && known.sentByFile?.(slug, shown) === true;
    const value =
      sendBack(
        shown,
        own.find((field) => field.slug === slug),
      ) ?? (isOwn ? shown : undefined);
    if (value !== undefined) {
      const isToClear = now !== undefined && valueOf(now, slug) !== undefined;
      if (value.length > 0 || isToClear) values.push([slug, value.length > 0 ? value : '']);
    } else {
      return { cannot: `what its field ${slug} held cannot be sent back exactly as it is listed` };
    }
  }
  // fromEntries defines keys, so that a field called __proto__ is a key like any other.
  const restored = Object.fromEntries(values);
  const { parentBarcode } = before;
  return { registration: { persona, fields: restored, barcode, parentBarcode, enableComms: false } };
}

/** What the event names for the persona, and what the run has sent beside it: fields of another persona go with it. */
function slugsOf({ before, sent }: Images, persona: string, own: readonly Field[]): ReadonlySet<string> {
  const isOfAll = own.length === 0 || persona === sent?.persona;
  const others = sent === undefined ? (own.length === 0 ? before.fields : {}) : isOfAll ? sent.fields : {};
  return new Set([...own.map(({ slug }) => slug), ...Object.keys(others ?? {})]);
}

function valueOf({ fields = {} }: RecordImage, slug: string): unknown {
  const value = Object.hasOwn(fields, slug) ? fields[slug] : undefined;
  return plainValue(value) === undefined ? undefined : value;
}
