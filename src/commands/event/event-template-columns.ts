import { EXAMPLE_BARCODE } from '../../registration/model/own-names.ts';
import { RESERVED_NAMES, reservedTarget } from '../../input/columns/column-names.ts';
import { FieldNames } from '../../input/columns/field-names.ts';
import { mapColumns } from '../../input/columns/header-mapping.ts';
import { exampleValue } from '../../registration/rules/example.ts';
import type { EventInfo, Field, Persona, FieldKind } from '../../registration/model/persona.ts';
import { visible } from '../../report/words/escape.ts';
import { valuesOf } from '../../registration/rules/choice-rule.ts';
import { COUNTRY_CODES } from '../../registration/rules/countries.ts';

export type ReservedName = (typeof RESERVED_NAMES)[number];

/** A column of a template with one header line. */
export interface TemplateColumn {
  header: string;
  /** What the column becomes: a field, or what every registration has. */
  target: Field | ReservedName;
  /** As it is typed into the cell; empty for none. */
  example: string;
}

interface TemplateColumns {
  columns: readonly TemplateColumn[];
  /** What keeps it from being pushed as it stands, a sentence each: names that fit several fields. */
  problems: readonly string[];
}

/** Columns named by labels where these are clear, by slugs otherwise. */
export function templateColumns(event: EventInfo, persona: Persona): TemplateColumns {
  const fields = sendableFields(persona);
  const labels = [...RESERVED_NAMES, ...fields.map((field) => columnName(field, persona, event))];
  const slugs = [...RESERVED_NAMES, ...fields.map(({ slug }) => slug)];
  // Labels that are clear one by one may still meet in one field of another persona.
  const headers = mappingProblems(labels, event).length === 0 ? labels : slugs;
  const targets = [...RESERVED_NAMES, ...fields];
  const columns = targets.map((target, at) => ({
    header: headers[at] ?? '',
    target,
    example: typeof target === 'string' ? reservedExample(target, persona) : exampleValue(target),
  }));
  return { columns, problems: mappingProblems(headers, event) };
}

/** A value of a column that every registration has. */
export function reservedExample(name: ReservedName, persona: Persona): string {
  const examples = {
    persona: persona.slug,
    barcode: EXAMPLE_BARCODE,
    parent_barcode: '',
    enable_comms: 'false',
  };
  return examples[name];
}

/** Fields that a file can fill: a slug that is also the name of a known column never reaches its field. */
export function sendableFields(persona: Persona): readonly Field[] {
  const bySlug = new Map(persona.fields.map((field) => [field.slug, field]));
  return [...bySlug.values()].filter(({ slug }) => reservedTarget(slug) === undefined);
}

/** The label where it means this field and nothing else, the slug otherwise. */
function columnName(field: Field, persona: Persona, event: EventInfo): string {
  const { slug, label } = field;
  const [only, another] = new FieldNames(persona).own(label);
  const isClear =
    only === slug &&
    another === undefined &&
    reservedTarget(label) === undefined &&
    visible(label) === label &&
    event.personas.every((other) => new FieldNames(other).own(label).length <= 1);
  return isClear ? label : slug;
}

/** What `push` would say about the columns when no flag names a persona. */
export function mappingProblems(columns: readonly string[], event: EventInfo): readonly string[] {
  const mapped = mapColumns(columns, { overrides: new Map(), ignore: [], personas: event.personas });
  return 'problems' in mapped ? mapped.problems : [];
}

const KIND_RULES: Readonly<Record<FieldKind, string>> = {
  name: 'A name, as text.',
  email: 'One e-mail address, as name@example.com.',
  phone: 'With + or 00 and the country code, or digits only; at least 5 characters.',
  country: 'The code of a country, of two or three letters.',
  website: 'An address that begins with http:// or https://.',
  upload: 'Where the file can be fetched: an address that begins with http:// or https://.',
  date: 'A day as yyyy-mm-dd; with a time as yyyy-mm-dd hh:mm:ss.',
  numeric: 'Digits only.',
  choice: 'One of the allowed values.',
  text: 'Any text.',
};

const RESERVED_RULES: Readonly<Record<ReservedName, string>> = {
  persona: 'What kind of registrant the row is.',
  barcode: 'At most 255 characters, and another one in each row. With it a registration is recognised again.',
  parent_barcode: 'The barcode of the registration that this one belongs to; empty for none.',
  enable_comms: 'Whether the service may write to this person: true or false. Empty means false.',
};

/** What a column takes, in plain words. */
export function ruleText(target: Field | ReservedName): string {
  if (typeof target === 'string') return RESERVED_RULES[target];
  if (!target.known) return `${KIND_RULES.text} Nothing is checked.`;
  return target.kind === 'choice' && target.multiple
    ? 'One or more of the allowed values, with ; between them.'
    : KIND_RULES[target.kind];
}

/** The values that a column takes and nothing else; undefined when there is no end to them. */
export function allowedValues(target: Field | ReservedName, event: EventInfo): readonly string[] | undefined {
  if (target === 'persona') return [...new Set(event.personas.map(({ slug }) => slug))];
  if (target === 'enable_comms') return ['true', 'false'];
  if (typeof target === 'string') return undefined;
  if (target.kind === 'country') return COUNTRY_CODES.map(([alpha2]) => alpha2);
  return target.kind === 'choice' ? valuesOf(target.choices) : undefined;
}

/** A list of values for drop-downs, once for all columns that share it. */
export interface DropDown {
  name: string;
  values: readonly string[];
}

/** The lists of all columns whose cells are chosen from one, by column. */
export function dropDowns(
  columns: readonly TemplateColumn[],
  event: EventInfo,
): ReadonlyMap<TemplateColumn, DropDown> {
  const lists = new Map<TemplateColumn, DropDown>();
  const known = new Map<string, DropDown>();
  for (const column of columns) {
    const { target } = column;
    const takesOne = typeof target === 'string' || !target.multiple;
    const values = takesOne ? allowedValues(target, event) : undefined;
    if (values === undefined || values.length === 0) continue;
    const key = JSON.stringify(values);
    const list = known.get(key) ?? { name: column.header, values };
    known.set(key, list);
    lists.set(column, list);
  }
  return lists;
}
