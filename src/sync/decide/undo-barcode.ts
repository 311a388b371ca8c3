import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { type PersonKey, sharedKey } from './near.ts';

/** What has to be known to give a registration its barcode back. */
export interface BarcodeFacts {
  fields: FieldsOf;
  /** By what else than a barcode the service is known to know people. */
  recognition?: Recognition | undefined;
  /** Whether a registration with a barcode is listed. */
  isTaken?: ((barcode: string) => boolean) | undefined;
}

/** Whether a registration is listed under another barcode than it is to have, or had. */
export function hasOtherBarcode({ barcode }: Pick<RecordImage, 'barcode'>, now: RecordImage): boolean {
  return barcode !== undefined && now.barcode !== undefined && barcode !== now.barcode;
}

/**
 * Why sending a registration does not give the listed one its barcode, as a clause. Undefined where it has that, or
 * gets it: nobody else has it, and the service knows the person by what both have in common.
 */
export function whyOtherBarcode(
  sent: Registration,
  now: RecordImage,
  { fields, recognition, isTaken }: BarcodeFacts,
): string | undefined {
  const { barcode } = sent;
  if (barcode === undefined || !hasOtherBarcode(sent, now)) return undefined;
  const key = sharedKey(sent, now, fields);
  const isKnown = key !== undefined && recognition?.[key] === 'yes';
  if (isKnown && isTaken?.(barcode) !== true) return undefined;
  return `its barcode is ${now.barcode} now, and was ${barcode}, which cannot be brought back`;
}

/** Whether a service takes a row for a registration that it shares a key with; undefined: nobody has seen. */
export type Recognition = Readonly<Record<PersonKey, 'yes' | 'no' | undefined>>;
