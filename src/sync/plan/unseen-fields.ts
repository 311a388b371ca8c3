import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { imageOf, type Registration } from '../../registration/model/registration.ts';
import { hasUpdated } from '../journal/earlier-runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { whatIsSentNow } from '../journal/sent-facts.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import type { PlannedRow, RowsToPlan } from './rows-to-plan.ts';

type UnseenContext = Pick<SendContext, 'journal' | 'target' | 'event' | 'clock'>;

/** Fields that no listed registration shows and that updates leave out, by name. */
export interface UnseenFields {
  /** Nobody knows whether they hold anything: an update may empty them. */
  open: readonly string[];
  /** This machine has sent them for each of the updates, and sends them along. */
  along: readonly string[];
}

export const NONE_UNSEEN: UnseenFields = { open: [], along: [] };

interface UnseenFacts {
  reading: ListReading;
  unsaid: UnsaidFields;
  rows: RowsToPlan;
  planned: readonly PlannedRow[];
}

/**
 * Where the service shows the values of its registrations, but not of all fields. Many services leave blank ones out,
 * so it is said until an update of the event was sent from here, and not each time.
 */
export function unseenFields(
  context: UnseenContext,
  { reading, unsaid, rows, planned }: UnseenFacts,
): UnseenFields {
  const { journal, target, event } = context;
  const names = unsaid.unseen(fieldsOf(event), reading.fieldsListed);
  if (names.length === 0 || hasUpdated(journal, target)) return NONE_UNSEEN;
  const open = new Set<string>();
  const along = new Set<string>();
  for (const { row, state, decision } of planned) {
    const { action, record, ask: registration = rows.registrationOf(row) } = decision;
    if (state !== 'pending' || action !== 'update') continue;
    const before = record && imageOf(record);
    const sent = {
      registration: { ...registration, barcode: record?.barcode ?? row.barcode },
      before,
      remoteId: record?.id,
    };
    const sentAlong = new Set(whatIsSentNow(context, sent).along);
    const { persona, fields } = registration;
    for (const { slug } of fieldsOf(event)(persona)) {
      const name = nameField(persona, slug);
      if (names.includes(name) && !Object.hasOwn(fields, slug))
        (sentAlong.has(slug) ? along : open).add(name);
    }
    if (names.every((name) => open.has(name))) break;
  }
  const known = names.filter((name) => along.has(name) && !open.has(name));
  return { open: names.filter((name) => !known.includes(name)), along: known };
}

/** The name of a field of a persona. */
function nameField(persona: string, slug: string): string {
  return `${encodeURIComponent(persona)}:${slug}`;
}

export function readFieldName(name: string): { persona: string; slug: string } {
  const at = name.indexOf(':');
  return { persona: decodeURIComponent(name.slice(0, at)), slug: name.slice(at + 1) };
}

interface Updates {
  count: number;
  /** How many of them give a field, by slug. */
  said: Map<string, number>;
}

/** Which fields the updates of a plan leave out. */
export class UnsaidFields {
  readonly #updates = new Map<string, Updates>();

  /** Takes what an update says. */
  see({ persona, fields }: Registration): void {
    const { count, said } = this.#updates.get(persona) ?? { count: 0, said: new Map<string, number>() };
    for (const slug of Object.keys(fields)) said.set(slug, (said.get(slug) ?? 0) + 1);
    this.#updates.set(persona, { count: count + 1, said });
  }

  /** The names of fields that no listed registration has, be it empty: nobody can see what the updates do to them. */
  unseen(fields: FieldsOf, shown: ReadonlySet<string>): string[] {
    return [...this.#updates].flatMap(([persona, { count, said }]) => {
      return fields(persona)
        .filter(({ slug }) => !shown.has(slug) && (said.get(slug) ?? 0) < count)
        .map(({ slug }) => nameField(persona, slug));
    });
  }
}
