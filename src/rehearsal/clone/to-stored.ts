import type { EventInfo, Field } from '../../registration/model/persona.ts';
import type { RawRecord, RecordImage } from '../../registration/model/registration.ts';
import type { SandboxRegistration } from '../../sandbox/store/stored-row.ts';
import type { Masker } from '../mask/masker.ts';

/** A listed registration as a clone keeps it, masked. `number` stands for what the service does not show of it. */
export function toStored(
  record: RawRecord,
  { event, masker, number, now }: { event: EventInfo; masker: Masker; number: number; now: number },
): SandboxRegistration {
  const { raw, barcode, parentBarcode } = record;
  const persona = record.persona ?? event.personas[0]?.slug ?? '';
  const own = event.personas.find(({ slug }) => slug === persona)?.fields ?? [];
  const fields = Object.entries(record.fields ?? {}).flatMap(([slug, value]) => {
    const masked = masker.listed(own.find((field) => field.slug === slug) ?? textField(slug), value);
    return masked === undefined ? [] : [[slug, masked] as const];
  });
  return {
    id: record.id ?? `clone-${number}`,
    persona,
    barcode: barcode === undefined ? `hidden-${number}` : masker.barcode(barcode),
    barcodeGenerated: false,
    parentBarcode: parentBarcode === undefined ? undefined : masker.barcode(parentBarcode),
    enableComms: record.enableComms ?? false,
    fields: Object.fromEntries(fields),
    createdAt: timeOf(raw['created_at']) ?? now,
    updatedAt: timeOf(raw['updated_at']) ?? now,
  };
}

/** What the event does not speak of may hold anything. */
const textField = (slug: string): Field => ({
  id: undefined,
  slug,
  label: slug,
  type: '',
  kind: 'text',
  choices: [],
  multiple: false,
  known: false,
});

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** As the clone lists it: what the service does not show, it does not either. */
export function imageOfStored(stored: SandboxRegistration, record: RawRecord): RecordImage {
  return {
    id: record.id,
    persona: record.persona,
    barcode: record.barcode && stored.barcode,
    parentBarcode: stored.parentBarcode,
    enableComms: record.enableComms,
    fields: record.fields && stored.fields,
  };
}
