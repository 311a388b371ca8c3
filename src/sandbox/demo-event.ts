import type { TextKind } from './field-rules.ts';
import { readEvent } from '../service/contracts/read-event.ts';
import { isObject, unwrap } from '../service/contracts/json.ts';

/** How the values of a demo field are checked; `multiple` is a choice that takes several options. */
type DemoKind = TextKind | 'choice' | 'multiple';

/** One option of a choice field. The switch `valuesShape` decides which part is shown and accepted. */
export interface DemoOption {
  id: number;
  slug: string;
  label: string;
}

export interface DemoField {
  id: number;
  slug: string;
  label: string;
  /** Name of the type as the service shows it. */
  type: string;
  kind: DemoKind;
  options: readonly DemoOption[];
}

export interface DemoPersona {
  id: number;
  slug: string;
  name: string;
  fields: readonly DemoField[];
}

export interface DemoEvent {
  event_id: number;
  slug: string;
  name: string;
  timezone: string;
  start_date: string;
  end_date: string;
  personas: readonly DemoPersona[];
  /** How a service has shown it of which this is a copy, and its personas; undefined: as the switches say. */
  shown?: { event: unknown; personas: unknown };
}

function field(id: number, slug: string, label: string, type: string, kind: DemoKind): DemoField {
  return { id, slug, label, type, kind, options: [] };
}

/** Options get ids of their own below the field's: field 107 has 10701, 10702, … */
function choice(id: number, slug: string, label: string, type: string, labels: readonly string[]): DemoField {
  const options = labels.map((text, index) => ({
    id: id * 100 + index + 1,
    slug: text.toLowerCase().replaceAll(' ', '-'),
    label: text,
  }));
  return { id, slug, label, type, kind: type === 'Checkbox' ? 'multiple' : 'choice', options };
}

/** The fields that every persona begins with; ids start at `first`. */
function contactFields(first: number): DemoField[] {
  return [
    field(first, 'first_name', 'First name', 'Name', 'text'),
    field(first + 1, 'last_name', 'Last name', 'Name', 'text'),
    field(first + 2, 'email', 'E-mail', 'E-mail', 'email'),
    field(first + 3, 'phone', 'Mobile phone', 'Phone number', 'phone'),
    field(first + 4, 'country', 'Country', 'Country', 'country'),
    field(first + 5, 'company', 'Company', 'Text', 'text'),
  ];
}

const VISITOR: DemoPersona = {
  id: 1,
  slug: 'visitor',
  name: 'Visitor',
  fields: [
    ...contactFields(101),
    choice(107, 'ticket_type', 'Ticket type', 'Radio', ['Standard', 'Premium', 'Student', 'Press']),
    choice(108, 'meal', 'Lunch', 'Radio', ['Meat', 'Fish', 'Vegetarian']),
    choice(109, 'dietary_needs', 'Dietary needs', 'Checkbox', ['Gluten free', 'Halal', 'Kosher', 'Vegan']),
    field(110, 'birth_date', 'Date of birth', 'Date', 'date'),
    field(111, 'guests', 'Number of guests', 'Numeric', 'numeric'),
    field(112, 'website', 'Website', 'Website', 'url'),
    field(113, 'photo', 'Photo', 'Upload', 'url'),
    field(114, 'remarks', 'Remarks', 'Text area', 'text'),
  ],
};

const EXHIBITOR: DemoPersona = {
  id: 2,
  slug: 'exhibitor',
  name: 'Exhibitor',
  fields: [
    ...contactFields(201),
    choice(207, 'stand_size', 'Stand size', 'Radio', ['Small', 'Medium', 'Large']),
    field(208, 'stand_number', 'Stand number', 'Numeric', 'numeric'),
    field(209, 'website', 'Website', 'Website', 'url'),
    field(210, 'logo', 'Logo', 'Upload', 'url'),
    field(211, 'build_up_at', 'Build-up from', 'Date', 'date'),
    // A type that no client knows: real events have fields that this program has never seen.
    field(212, 'badge_colour', 'Badge colour', 'Badge colour picker', 'text'),
  ],
};

const SPEAKER: DemoPersona = {
  id: 3,
  slug: 'speaker',
  name: 'Speaker',
  fields: [
    ...contactFields(301),
    choice(307, 'session_type', 'Session type', 'Radio', ['Keynote', 'Talk', 'Workshop', 'Panel']),
    choice(308, 'equipment', 'Equipment', 'Checkbox', ['Projector', 'Microphone', 'Flip chart']),
    field(309, 'talk_at', 'Date and time of the talk', 'Date', 'date'),
    field(310, 'website', 'Website', 'Website', 'url'),
    field(311, 'slides', 'Slides', 'Upload', 'url'),
    field(312, 'biography', 'Biography', 'Text area', 'text'),
  ],
};

/** The one event of the sandbox. Its dates are fixed, so that every run sees the same. */
export const DEMO_EVENT: DemoEvent = {
  event_id: 4711,
  slug: 'harbour-trade-fair-2027',
  name: 'Harbour Trade Fair 2027',
  timezone: 'Europe/Amsterdam',
  start_date: '2027-05-11T09:00:00+02:00',
  end_date: '2027-05-13T17:30:00+02:00',
  personas: [VISITOR, EXHIBITOR, SPEAKER],
};

type Read = Extract<ReturnType<typeof readEvent>, { event: unknown }>['event'];
type ReadField = Read['personas'][number]['fields'][number];

/** The event of a service that was copied, from the body in which it was shown. Throws an Error when that is none. */
export function copiedEvent(body: unknown): DemoEvent {
  const read = readEvent(body);
  if ('problems' in read) throw new Error(`what it copies is no event: ${read.problems.join('; ')}`);
  const { event } = read;
  const shown = unwrap(body, ['data', 'event'], (object) => 'event_id' in object);
  return {
    event_id: event.eventNumber ?? Number(event.eventId),
    slug: event.slug,
    name: event.name,
    timezone: event.timezone ?? '',
    start_date: event.startDate ?? '',
    end_date: event.endDate ?? '',
    personas: event.personas.map(({ slug, name, fields }, at) => ({
      id: at,
      slug,
      name,
      fields: fields.map(toField),
    })),
    shown: { event: body, personas: isObject(shown) ? shown['personas'] : [] },
  };
}

/** An option is known by the value that is sent. */
function toField({ slug, label, type, kind, choices, multiple }: ReadField, id: number): DemoField {
  const kinds = {
    name: 'text',
    email: 'email',
    phone: 'phone',
    country: 'country',
    website: 'url',
    upload: 'url',
    date: 'date',
    numeric: 'numeric',
    choice: multiple ? 'multiple' : 'choice',
    text: 'text',
  } as const;
  const types: Partial<Record<typeof kind, string>> = { name: 'Name', upload: 'Upload' };
  return {
    id,
    slug,
    label,
    type: types[kind] ?? type,
    kind: kinds[kind],
    options: choices.map(({ value, label: name }, at) => ({ id: at, slug: value, label: name })),
  };
}
