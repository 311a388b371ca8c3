import { matchFields, RESERVED_NAMES, reservedTarget } from '../input/column-names.ts';
import { mapColumns } from '../input/header-mapping.ts';
import { readChoices } from '../registration/choice-rule.ts';
import { exampleValue } from '../registration/example.ts';
import type { EventInfo, Field, Persona } from '../registration/persona.ts';
import type { FieldValue } from '../registration/registration.ts';
import { csvLine } from '../report/csv-text.ts';
import { visible } from '../report/escape.ts';
import { jsonText } from '../report/json-text.ts';
import { prettyJson } from './pretty-json.ts';

export const TEMPLATE_FORMATS = ['csv', 'json', 'ndjson'] as const;
export type TemplateFormat = (typeof TEMPLATE_FORMATS)[number];

export interface Template {
  /** The whole file, without a byte order mark. */
  text: string;
  /** What keeps it from being pushed as it stands, a sentence each: names that fit several fields. */
  problems: readonly string[];
}

const EXAMPLE_BARCODE = 'EXAMPLE-1';

/** A file with one example registration of the persona, such that `push` takes it without any flag. */
export function createTemplate(event: EventInfo, persona: Persona, format: TemplateFormat): Template {
  const fields = sendableFields(persona);
  if (format === 'csv') return csvTemplate(event, persona, fields);
  const record = exampleRecord(persona, fields);
  const columns = [...RESERVED_NAMES, ...fields.map(({ slug }) => slug)];
  return {
    text: format === 'json' ? prettyJson([record]) : `${jsonText(record)}\n`,
    problems: mappingProblems(columns, event),
  };
}

/** Fields that a file can fill: a slug that is also the name of a known column never reaches its field. */
function sendableFields(persona: Persona): readonly Field[] {
  const bySlug = new Map(persona.fields.map((field) => [field.slug, field]));
  return [...bySlug.values()].filter(({ slug }) => reservedTarget(slug) === undefined);
}

function csvTemplate(event: EventInfo, persona: Persona, fields: readonly Field[]): Template {
  const labels = [...RESERVED_NAMES, ...fields.map((field) => columnName(field, persona, event))];
  const slugs = [...RESERVED_NAMES, ...fields.map(({ slug }) => slug)];
  // Labels that are clear one by one may still meet in one field of another persona.
  const header = mappingProblems(labels, event).length === 0 ? labels : slugs;
  const example = [persona.slug, EXAMPLE_BARCODE, '', 'false', ...fields.map(exampleValue)];
  return { text: csvLine(header, ',') + csvLine(example, ','), problems: mappingProblems(header, event) };
}

/** The label where it means this field and nothing else, the slug otherwise. */
function columnName(field: Field, persona: Persona, event: EventInfo): string {
  const { slug, label } = field;
  const [only, another] = matchFields(label, persona);
  const isClear =
    only === slug &&
    another === undefined &&
    reservedTarget(label) === undefined &&
    visible(label) === label &&
    event.personas.every((other) => matchFields(label, other).length <= 1);
  return isClear ? label : slug;
}

/** What `push` would say about the columns when no flag names a persona. */
function mappingProblems(columns: readonly string[], event: EventInfo): readonly string[] {
  const mapped = mapColumns(columns, { overrides: new Map(), ignore: [], personas: event.personas });
  return 'problems' in mapped ? mapped.problems : [];
}

function exampleRecord(persona: Persona, fields: readonly Field[]): object {
  return {
    persona: persona.slug,
    barcode: EXAMPLE_BARCODE,
    enable_comms: false,
    fields: Object.fromEntries(fields.map((field) => [field.slug, exampleJson(field)])),
  };
}

/** A list for a field that takes several options, as the JSON Schema of the persona asks for. */
function exampleJson(field: Field): FieldValue {
  const text = exampleValue(field);
  if (!field.multiple) return text;
  const values = readChoices(text, field.choices);
  return values.ok ? values.value : [text];
}
