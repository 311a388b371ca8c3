import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Field } from '../../registration/model/persona.ts';
import type { FieldValue, RecordImage, Registration } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { sendBack } from './send-back.ts';

/** What to send to bring a registration back, or why that cannot be done. */
export type Restoring = { registration: Registration; cannot?: undefined } | { cannot: string };

/** What is known of values that are not listed exactly as they are stored. */
export interface KnownValues {
  /** Whether a text is to the letter what the file once sent in a field of the registration. */
  sentByFile?: ((slug: string, text: string) => boolean) | undefined;
}

/**
 * The registration that brings a listed one back to what it was before: everything that it showed then, and
 * what was empty then emptied. Messages to people are never sent again.
 */
export function restoring(
  { before, now, sent }: { before: RecordImage; now: RecordImage; sent: Registration },
  fields: FieldsOf,
  { sentByFile }: KnownValues = {},
): Restoring {
  const barcode = before.barcode ?? now.barcode ?? sent.barcode;
  if (barcode === undefined)
    return { cannot: 'it shows no barcode, without which it cannot be changed back' };
  if (before.parentBarcode === undefined && now.parentBarcode !== undefined) {
    return { cannot: 'it was made a member, and the service has no way to take that back' };
  }
  const persona = before.persona ?? sent.persona;
  const own = fields(persona);
  // The fields of another persona go with it.
  const others = persona === sent.persona || own.length === 0 ? Object.keys(sent.fields) : [];
  const slugs = [...own.map(({ slug }) => slug), ...others];
  const values = collect([...new Set(slugs)], before, own, {
    clear: (slug) => valueOf(now, slug) !== undefined,
    sentByFile,
  });
  if (values.cannot !== undefined) return values;
  return {
    registration: {
      persona,
      fields: values.fields,
      barcode,
      parentBarcode: before.parentBarcode,
      enableComms: false,
    },
  };
}

/** The registration that creates a deleted one again, with all that it showed. */
export function recreating(
  before: RecordImage,
  fields: FieldsOf,
  { sentByFile }: KnownValues = {},
): Restoring {
  const { persona, barcode, parentBarcode } = before;
  if (persona === undefined || before.fields === undefined) {
    return { cannot: 'the service did not show its persona and values before it was deleted' };
  }
  const own = fields(persona);
  const slugs = own.length === 0 ? Object.keys(before.fields) : own.map(({ slug }) => slug);
  const values = collect(slugs, before, own, { sentByFile });
  if (values.cannot !== undefined) return values;
  return { registration: { persona, fields: values.fields, barcode, parentBarcode, enableComms: false } };
}

type Values = { fields: Record<string, FieldValue>; cannot?: undefined } | { cannot: string };

/** The values of some fields as a row would have them; those that were empty are emptied where `clear` says so. */
function collect(
  slugs: readonly string[],
  before: RecordImage,
  own: readonly Field[],
  { clear, sentByFile }: KnownValues & { clear?: (slug: string) => boolean },
): Values {
  const entries: [string, FieldValue][] = [];
  for (const slug of slugs) {
    const shown = valueOf(before, slug);
    const field = own.find((one) => one.slug === slug);
    const isOwn = typeof shown === 'string' && sentByFile?.(slug, shown) === true;
    const value = sendBack(shown, field) ?? (isOwn ? shown : undefined);
    if (value === undefined) {
      return { cannot: `what its field ${slug} held cannot be sent back exactly as it is listed` };
    }
    if (value.length > 0) entries.push([slug, value]);
    else if (clear?.(slug) === true) entries.push([slug, '']);
  }
  // fromEntries defines keys, so that a field called __proto__ is a key like any other.
  return { fields: Object.fromEntries(entries) };
}

function valueOf({ fields = {} }: RecordImage, slug: string): unknown {
  const value = Object.hasOwn(fields, slug) ? fields[slug] : undefined;
  return plainValue(value) === undefined ? undefined : value;
}
