import { RESERVED_NAMES } from '../../input/columns/column-names.ts';
import { readChoices } from '../../registration/rules/choice-rule.ts';
import { exampleValue } from '../../registration/rules/example.ts';
import type { EventInfo, Field, Persona } from '../../registration/model/persona.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import type { DocumentBody } from '../../documents/documents.ts';
import type { WrittenFormat } from '../options/written-file.ts';
import { csvLine } from '../../report/words/csv-text.ts';
import { jsonText, prettyJson } from '../../report/words/json-text.ts';
import {
  mappingProblems,
  reservedExample,
  sendableFields,
  templateColumns,
} from './event-template-columns.ts';

type TemplateRecord = NonNullable<DocumentBody<'event-template@1'>['registrations']>[number];

interface Template {
  /** The whole file, without a byte order mark. */
  text: string;
  /** What keeps it from being pushed as it stands, a sentence each: names that fit several fields. */
  problems: readonly string[];
}

/** A text file with one example registration of the persona, such that `push` takes it without any flag. */
export function createTemplate(
  event: EventInfo,
  persona: Persona,
  format: Exclude<WrittenFormat, 'xlsx'>,
): Template {
  if (format === 'csv') return csvTemplate(event, persona);
  const { record, problems } = exampleOf(event, persona);
  return { text: format === 'json' ? prettyJson([record]) : `${jsonText(record)}\n`, problems };
}

/** The example registration as an object, and what keeps it from being pushed. */
export function exampleOf(
  event: EventInfo,
  persona: Persona,
): Pick<Template, 'problems'> & { record: TemplateRecord } {
  const fields = sendableFields(persona);
  const columns = [...RESERVED_NAMES, ...fields.map(({ slug }) => slug)];
  const record = {
    persona: persona.slug,
    barcode: reservedExample('barcode', persona),
    enable_comms: false,
    fields: Object.fromEntries(fields.map((field) => [field.slug, exampleJson(field)])),
  };
  return { record, problems: mappingProblems(columns, event) };
}

function csvTemplate(event: EventInfo, persona: Persona): Template {
  const { columns, problems } = templateColumns(event, persona);
  const lines = [columns.map(({ header }) => header), columns.map(({ example }) => example)];
  return { text: lines.map((values) => csvLine(values, ',', '"')).join(''), problems };
}

/** A list for a field that takes several options, as the JSON Schema of the persona asks for. */
function exampleJson(field: Field): FieldValue {
  const text = exampleValue(field);
  if (!field.multiple) return text;
  const values = readChoices(text, field.choices);
  return values.ok ? values.value : [text];
}
