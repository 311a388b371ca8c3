import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { FieldValue, Registration } from '../../registration/model/registration.ts';
import type { Masker } from './masker.ts';

/** A registration as it was sent, masked: as that of the masked list is. */
export function maskRegistration(
  masker: Masker,
  fieldsOf: FieldsOf,
  registration: Registration,
): Registration {
  const own = fieldsOf(registration.persona);
  const fields = Object.entries(registration.fields).map(([slug, value]): [string, FieldValue] => {
    const field = own.find((one) => one.slug === slug);
    // What empties a field is empty still.
    const masked = field === undefined || value.length === 0 ? undefined : masker.listed(field, value);
    return [slug, masked ?? ''];
  });
  const { barcode, parentBarcode } = registration;
  return {
    ...registration,
    barcode: barcode && masker.barcode(barcode),
    parentBarcode: parentBarcode && masker.barcode(parentBarcode),
    fields: Object.fromEntries(fields),
  };
}
