import { type Answer, emptyAnswer, jsonAnswer } from './answer.ts';
import type { DemoEvent, DemoField, DemoOption, DemoPersona } from './demo-event.ts';
import type { SandboxRegistration, FieldValue } from './store/stored-row.ts';
import type { Switches } from './store/switches.ts';
import { randomUUID } from 'node:crypto';

type Json = Record<string, unknown>;

type EventShapes = Pick<Switches, 'labels' | 'valuesShape'>;

// ── Event ───────────────────────────────────────────────────────────────────────────────────────

/** The event as GET /event shows it. */
export function eventBody(event: DemoEvent, shapes: EventShapes): Json {
  return { ...event, personas: event.personas.map((persona) => personaBody(persona, shapes)) };
}

/** A persona with its fields; `values` is there only where a field has options. */
export function personaBody(persona: DemoPersona, shapes: EventShapes): Json {
  return {
    ...persona,
    name: LABELS[shapes.labels](persona.name),
    fields: persona.fields.map((field) => fieldBody(field, shapes)),
  };
}

function fieldBody(
  { id, slug, label, type, options }: DemoField,
  { labels, valuesShape }: EventShapes,
): Json {
  return {
    id,
    slug,
    label: LABELS[labels](label),
    type,
    ...(options.length === 0 ? {} : { values: VALUES[valuesShape](options) }),
  };
}

/** The demo has no translations: what is shown for another language only has to differ. */
const byLanguage = (label: string): Json => ({ nl: `${label} (nl)`, en: label });

const LABELS: Readonly<Record<Switches['labels'], (label: string) => unknown>> = {
  text: (label) => label,
  languages: byLanguage,
};

const VALUES: Readonly<Record<Switches['valuesShape'], (options: readonly DemoOption[]) => unknown>> = {
  strings: (options) => options.map((option) => option.label),
  numbers: (options) => options.map((option) => option.id),
  'objects-label-value': (options) => options.map(({ label, slug }) => ({ label, value: slug })),
  'objects-id-name': (options) => options.map(({ id, label }) => ({ id, name: label })),
  'objects-slug-label': (options) => options.map(({ slug, label }) => ({ slug, label })),
  map: (options) => Object.fromEntries(options.map(({ slug, label }) => [slug, label])),
  'one-key-maps': (options) => options.map(({ slug, label }) => ({ [slug]: label })),
  groups: (options) => [
    { label: 'Usual', options: options.slice(0, 2).map(({ slug, label }) => ({ value: slug, label })) },
    { label: 'Others', options: options.slice(2).map(({ slug, label }) => ({ value: slug, label })) },
  ],
  languages: (options) => options.map(({ slug, label }) => ({ value: slug, label: byLanguage(label) })),
};

const OPTION_KEYS: Readonly<Record<Switches['valuesShape'], keyof DemoOption>> = {
  strings: 'label',
  numbers: 'id',
  'objects-label-value': 'slug',
  'objects-id-name': 'id',
  'objects-slug-label': 'slug',
  map: 'slug',
  'one-key-maps': 'slug',
  groups: 'slug',
  languages: 'slug',
};

/** What a registration must say to choose the option, given how the event shows it. */
export function optionValue(option: DemoOption, shape: Switches['valuesShape']): string {
  return String(option[OPTION_KEYS[shape]]);
}

// ── Registrations ───────────────────────────────────────────────────────────────────────────────

/** A registration as a list shows it, or as an answer to a create and a delivery do. */
export function recordBody(
  registration: SandboxRegistration,
  switches: Switches,
  place: 'lists' | 'answers',
): Json {
  const { idKey, idShown, recordShape, recordBarcode, recordParent, recordComms } = switches;
  const showsId = idKey !== 'none' && (idShown === 'everywhere' || idShown === place);
  const showsBarcode = recordBarcode === 'shown';
  return {
    ...(showsId ? { [idKey]: shownId(registration.id, switches.idForm) } : {}),
    persona: registration.persona,
    ...(showsBarcode ? { barcode: registration.barcode } : {}),
    ...(showsBarcode && recordParent === 'shown'
      ? { parent_barcode: registration.parentBarcode ?? null }
      : {}),
    ...(recordComms === 'shown' ? { enable_comms: registration.enableComms } : {}),
    ...FIELDS[recordShape](registration.fields),
    created_at: new Date(registration.createdAt).toISOString(),
    updated_at: new Date(registration.updatedAt).toISOString(),
  };
}

function shownId(id: string, idForm: Switches['idForm']): string | number {
  return idForm === 'number' || idForm === 'reused' ? Number(id) : id;
}

const FIELDS: Readonly<Record<Switches['recordShape'], (fields: SandboxRegistration['fields']) => Json>> = {
  nested: (fields) => ({ fields }),
  flat: (fields) => ({ ...fields }),
  entries: (fields) => ({ fields: Object.entries(fields).map(([slug, value]) => ({ slug, value })) }),
  labels: (fields) => ({ fields }),
  'no-fields': () => ({}),
  'no-values': () => ({ fields: {} }),
  'no-phone': ({ phone: _phone, ...fields }) => ({ fields }),
};

export function createAnswer(created: boolean, record: Json, switches: Switches): Answer {
  const { createStatus, createBody } = switches;
  const [ofNew, ofKnown = ofNew] = createStatus.split('-');
  const status = Number(created ? ofNew : ofKnown);
  if (status === 204 || createBody === 'empty') return emptyAnswer(status);
  if (createBody === 'text') {
    return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'OK' };
  }
  return jsonAnswer(status, createBody === 'wrapped' ? { data: record } : record);
}

/** One page of records, and where it stands among the others. */
interface Page {
  records: Json[];
  page: number;
  perPage: number;
  total: number;
  lastPage: number;
  /** Address of another page of the same list. */
  urlOf(page: number): string;
}

export function pageAnswer(
  page: Page,
  { pageShape, listTotal }: Pick<Switches, 'pageShape' | 'listTotal'>,
): Answer {
  const { total, lastPage: pages } = page;
  // JSON leaves out what is undefined.
  return PAGES[pageShape](page, listTotal === 'shown' ? { total, pages } : {});
}

/** What a list says of its length. */
interface Length {
  total?: number;
  pages?: number;
}

const PAGES: Readonly<Record<Switches['pageShape'], (page: Page, length: Length) => Answer>> = {
  array: ({ records }) => jsonAnswer(200, records),
  'data-meta': ({ records, page, perPage }, { total, pages }) =>
    jsonAnswer(200, {
      data: records,
      meta: { current_page: page, per_page: perPage, total, last_page: pages },
    }),
  'registrations-pagination': ({ records, page, perPage }, { total, pages }) =>
    jsonAnswer(200, {
      registrations: records,
      pagination: { page, per_page: perPage, total, total_pages: pages },
    }),
  'items-flat': ({ records, page, perPage }, { total, pages }) =>
    jsonAnswer(200, { items: records, page, per_page: perPage, total, pages }),
  'results-links': (page) =>
    jsonAnswer(200, { results: page.records, links: { prev: previousUrl(page), next: nextUrl(page) } }),
  laravel: (page, length) => jsonAnswer(200, laravelBody(page, length)),
  'header-total': ({ records }, { total }) =>
    jsonAnswer(200, records, total === undefined ? {} : { 'x-total-count': String(total) }),
  'link-header': (page) => jsonAnswer(200, page.records, linkHeader(page)),
};

function laravelBody(page: Page, { total, pages }: Length): Json {
  return {
    current_page: page.page,
    data: page.records,
    last_page: pages,
    next_page_url: nextUrl(page),
    per_page: page.perPage,
    prev_page_url: previousUrl(page),
    total,
  };
}

const nextUrl = (page: Page) => (page.page < page.lastPage ? page.urlOf(page.page + 1) : null);
const previousUrl = (page: Page) => (page.page > 1 ? page.urlOf(page.page - 1) : null);

/** RFC 8288; no header when there is neither a page before nor after. */
function linkHeader(page: Page): Record<string, string> {
  const links = [
    { rel: 'prev', url: previousUrl(page) },
    { rel: 'next', url: nextUrl(page) },
  ].flatMap(({ rel, url }) => (url === null ? [] : [`<${url}>; rel="${rel}"`]));
  return links.length === 0 ? {} : { link: links.join(', ') };
}

const SIGNATURE = 'signature';

/** The fields as a reader gets them: keyed by their labels, links with a signature of their own, options by their labels. */
export function shownFields(
  { persona, fields }: SandboxRegistration,
  event: DemoEvent,
  switches: Pick<Switches, 'uploads' | 'choicesListed' | 'valuesShape' | 'recordShape'>,
): SandboxRegistration['fields'] {
  const isLabelled = switches.recordShape === 'labels';
  if (switches.uploads === 'as-sent' && switches.choicesListed === 'values' && !isLabelled) return fields;
  const known = event.personas.find(({ slug }) => slug === persona)?.fields ?? [];
  const shown = ([slug, value]: [string, FieldValue]): [string, FieldValue] => {
    const field = known.find((candidate) => candidate.slug === slug);
    if (field === undefined) return [slug, value];
    return [isLabelled ? field.label : slug, shownValue(field, value, switches)];
  };
  return Object.fromEntries(Object.entries(fields).map(shown));
}

/** Whether the text is a link as `shownFields` shows it. */
export function isSigned({ type }: DemoField, text: string): boolean {
  return type === 'Upload' && text.includes(`${SIGNATURE}=`);
}

function shownValue(
  field: DemoField,
  value: FieldValue,
  { uploads, choicesListed, valuesShape }: Pick<Switches, 'uploads' | 'choicesListed' | 'valuesShape'>,
): FieldValue {
  if (uploads !== 'as-sent' && field.type === 'Upload' && typeof value === 'string')
    return `${value}${value.includes('?') ? '&' : '?'}${SIGNATURE}=${randomUUID()}`;
  if (choicesListed === 'values' || field.options.length === 0) return value;
  const label = (one: string): string =>
    field.options.find((option) => optionValue(option, valuesShape) === one)?.label ?? one;
  return typeof value === 'string' ? label(value) : value.map(label);
}
