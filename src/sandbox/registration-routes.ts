import { type Answer, emptyAnswer, jsonAnswer, refuse } from './answer.ts';
import type { Happening } from './deliver/announcer.ts';
import type { DemoEvent, DemoField } from './demo-event.ts';
import { checkListQuery, checkRegistration } from './validate.ts';
import { createAnswer, pageAnswer, recordBody, shownFields } from './shapes.ts';
import type { Store } from './store/store.ts';
import type { RegistrationInput, SandboxRegistration, FieldValue } from './store/stored-row.ts';
import type { Switches } from './store/switches.ts';
import { alpha2Of } from '../registration/rules/countries.ts';

/** What the operations on registrations work with. */
export interface RegistrationParts {
  event: DemoEvent;
  store: Store;
  switches: Switches;
  now: () => number;
  /** Puts down for webhooks what became of a registration. */
  announce: (happening: Happening, registration: Record<string, unknown>) => void;
}

/** POST /registration with a parsed body: what is kept, and who is to be told, together or not at all. */
export function saveRegistration(parts: RegistrationParts, body: unknown): Answer {
  return parts.store.file.transaction(() => save(parts, body));
}

function save(parts: RegistrationParts, body: unknown): Answer {
  const { event, store, switches } = parts;
  const checked = checkRegistration(body, {
    event,
    switches,
    hasBarcode: (barcode) => store.hasBarcode(barcode),
  });
  if ('errors' in checked) {
    const { errors } = checked;
    // A body in the wrong form may be a bad request.
    const isBad = switches.fieldsForm === 'entries-400' && errors.some(({ field }) => field === 'fields');
    return refuse(switches, isBad ? 400 : 422, 'The given data is invalid.', errors);
  }
  const input = tidyInput(checked.value, event, switches.storedAs);
  const saved = store.save(input, switches, parts.now());
  if (saved.action === 'refused') {
    return refuse(switches, 409, 'The barcode is already taken.');
  }
  const answered =
    switches.createBody === 'echo' ? echo(saved.registration, checked.value) : saved.registration;
  const record = recordOf(parts, answered, 'answers');
  if (saved.action !== 'ignored') parts.announce(saved.action, record);
  return createAnswer(saved.action === 'created', record, switches);
}

/** What was sent, as if it had been kept so. */
function echo(kept: SandboxRegistration, sent: RegistrationInput): SandboxRegistration {
  const fields = Object.fromEntries(Object.entries(sent.fields).filter(([, value]) => value.length > 0));
  return {
    ...kept,
    persona: sent.persona,
    barcode: sent.barcode ?? kept.barcode,
    parentBarcode: sent.parentBarcode || undefined,
    enableComms: sent.enableComms === true,
    fields,
  };
}

function recordOf(
  { event, switches }: RegistrationParts,
  registration: SandboxRegistration,
  place: 'lists' | 'answers',
): Record<string, unknown> {
  const persona =
    switches.personaListed === 'slug'
      ? registration.persona
      : (event.personas.find(({ slug }) => slug === registration.persona)?.name ?? registration.persona);
  const fields = shownFields(registration, event, switches);
  return recordBody({ ...registration, persona, fields }, switches, place);
}

export function listRegistrations(parts: RegistrationParts, url: URL): Answer {
  const { store, switches } = parts;
  const checked = checkListQuery(new Map(url.searchParams), switches);
  if ('errors' in checked) {
    return refuse(switches, 422, 'The given parameters are invalid.', checked.errors);
  }
  const { perPage, ...query } = checked.value;
  const filter = { persona: query.persona, barcode: query.barcode };
  const { total, slice } = store.listing(filter, switches, parts.now());
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const page = shownPage(query.page, lastPage, switches.pageOverflow);
  if (page === undefined) return overflowAnswer(switches);
  const isPast = query.page > lastPage && switches.pageOverflow === 'endless';
  const records = slice(perPage, (page - 1) * perPage);
  return pageAnswer(
    {
      records: records
        .map((registration) =>
          isPast ? { ...registration, updatedAt: parts.now() + query.page } : registration,
        )
        .map((registration) => recordOf(parts, registration, 'lists')),
      page,
      perPage,
      total,
      lastPage,
      urlOf: (number) => pageUrl(url, number),
    },
    switches,
  );
}

/** The page whose records are shown; undefined when the page is past the last and that is an error. */
function shownPage(
  page: number,
  lastPage: number,
  pageOverflow: Switches['pageOverflow'],
): number | undefined {
  if (page <= lastPage || pageOverflow === 'empty') return page;
  if (pageOverflow === 'repeat-first') return 1;
  return pageOverflow === 'repeat-last' || pageOverflow === 'endless' ? lastPage : undefined;
}

function overflowAnswer(switches: Switches): Answer {
  if (switches.pageOverflow === '404') return refuse(switches, 404, 'There is no such page.');
  const errors = [{ field: 'page', message: 'is past the last page.' }];
  return refuse(switches, 422, 'The given parameters are invalid.', errors);
}

function pageUrl(url: URL, page: number): string {
  const other = new URL(url);
  other.searchParams.set('page', String(page));
  return other.href;
}

/** DELETE /registration/{registratoin_id}. Where records show no identifier, the barcode stands for it. */
export function deleteRegistration(parts: RegistrationParts, id: string): Answer {
  const { store, switches } = parts;
  const result = store.file.transaction(() => {
    const deleted = store.delete(id, switches, parts.now());
    if (typeof deleted === 'string') return deleted;
    for (const one of deleted) parts.announce('deleted', recordOf(parts, one, 'answers'));
    return 'deleted';
  });
  if (result === 'deleted' && switches.deleteStatus !== '404') {
    return switches.deleteStatus === '204'
      ? emptyAnswer(204)
      : jsonAnswer(200, { message: 'The registration was deleted.' });
  }
  if (result === 'has-members') {
    return refuse(switches, 409, 'The registration has members.');
  }
  if (result === 'deleted-before' && switches.deleteAgain === '204') return emptyAnswer(204);
  return refuse(switches, 404, 'There is no such registration.');
}

/** Rewrites values as many services do before they keep them: what is listed is not quite what was sent. */
function tidyInput(
  input: RegistrationInput,
  event: DemoEvent,
  storedAs: Switches['storedAs'],
): RegistrationInput {
  const fields = event.personas.find(({ slug }) => slug === input.persona)?.fields ?? [];
  const tidy = ([slug, value]: [string, FieldValue]): [string, FieldValue] => {
    const field = fields.find((candidate) => candidate.slug === slug);
    return [slug, typeof value === 'string' && field !== undefined ? WAYS[storedAs](field, value) : value];
  };
  return { ...input, fields: Object.fromEntries(Object.entries(input.fields).map(tidy)) };
}

function dayBefore(date: string): string {
  const ms = Date.parse(date.slice(0, 10));
  return Number.isNaN(ms) ? date : new Date(ms - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

const WAYS: Readonly<Record<Switches['storedAs'], (field: DemoField, value: string) => string>> = {
  'as-sent': (_field, value) => value,
  tidied: tidyValue,
  capitals: ({ slug }, value) => (slug === 'last_name' || slug === 'company' ? value.toUpperCase() : value),
  'day-early': ({ kind }, value) => (kind === 'date' ? dayBefore(value) : value),
  tenfold: ({ kind }, value) => (kind === 'numeric' && value !== '' ? String(Number(value) * 10) : value),
  'zero-time': ({ kind }, value) => (kind === 'date' && value.length === 10 ? `${value} 00:00:00` : value),
};

function tidyValue({ kind, type }: DemoField, value: string): string {
  if (value === '') return value;
  if (kind === 'email') return value.toLowerCase();
  if (kind === 'phone') return `+${value.replace(/\D/g, '').replace(/^00/, '')}`;
  if (kind === 'country') return alpha2Of(value) ?? value;
  return type === 'Name' ? value.trim().replace(/\s+/g, ' ') : value;
}
