import type { FieldValue, RegistrationInput, SandboxRegistration } from './stored-row.ts';
import type { Switches } from './switches.ts';

type Fields = Readonly<Record<string, FieldValue>>;

/** What an update makes of a registration. `newBarcode` makes one up. */
export function updated(
  known: SandboxRegistration,
  input: RegistrationInput,
  switches: Switches,
  newBarcode: () => string,
): SandboxRegistration {
  const { parentOnUpdate, commsOnUpdate } = switches;
  const unsentParent = parentOnUpdate === 'merge' ? known.parentBarcode : undefined;
  const unsentComms = commsOnUpdate === 'merge' && known.enableComms;
  return {
    ...known,
    ...barcodeOf(known, input, switches, newBarcode),
    persona: input.persona,
    parentBarcode: input.parentBarcode === undefined ? unsentParent : input.parentBarcode || undefined,
    enableComms: input.enableComms ?? unsentComms,
    fields: keptFields(
      { ...unsentFields(known.fields, input.persona, switches), ...input.fields },
      switches.misstored,
      false,
    ),
  };
}

/** Fields as they are kept: without those that are empty, and wrong where the switch says so. */
export function keptFields(fields: Fields, misstored: Switches['misstored'], isNew: boolean): Fields {
  const kept = Object.entries(fields).filter(([, value]) => value.length > 0);
  if (misstored === 'nothing' || misstored === (isNew ? 'emptied' : 'once')) return Object.fromEntries(kept);
  return Object.fromEntries(
    kept.flatMap(([slug, value]): [string, FieldValue][] => {
      if (slug !== 'company') return [[slug, value]];
      return misstored === 'dropped' || misstored === 'emptied' ? [] : [[slug, value.slice(0, 3)]];
    }),
  );
}

const LOST_BY_FIELD: readonly string[] = ['phone', 'company', 'remarks'];

/** What stays of the fields that an update does not name. */
function unsentFields(
  fields: Fields,
  persona: string,
  { fieldsOnUpdate }: Pick<Switches, 'fieldsOnUpdate'>,
): Fields {
  const stays = (slug: string): boolean => {
    if (fieldsOnUpdate === 'by-field') return !LOST_BY_FIELD.includes(slug);
    return fieldsOnUpdate === 'merge' || (fieldsOnUpdate === 'by-persona' && persona !== 'exhibitor');
  };
  return Object.fromEntries(Object.entries(fields).filter(([slug]) => stays(slug)));
}

function barcodeOf(
  known: SandboxRegistration,
  input: RegistrationInput,
  { recognise, ownBarcodes }: Switches,
  newBarcode: () => string,
): Pick<SandboxRegistration, 'barcode' | 'barcodeGenerated'> {
  if (known.barcodeGenerated && ownBarcodes === 'reissued') {
    return { barcode: newBarcode(), barcodeGenerated: true };
  }
  // Known by its barcode, it keeps the spelling that it has.
  const byBarcode = recognise === 'barcode' || recognise === 'barcode-any-case';
  if (byBarcode || input.barcode === undefined || input.barcode === known.barcode) return known;
  return { barcode: input.barcode, barcodeGenerated: false };
}
