import { EXAMPLE_BARCODE } from '../../registration/model/own-names.ts';
import { matchFields, RESERVED_NAMES, reservedTarget } from '../../input/columns/column-names.ts';
import { mapColumns } from '../../input/columns/header-mapping.ts';
import { exampleValue } from '../../registration/rules/example.ts';
import type { EventInfo, Field, Persona } from '../../registration/model/persona.ts';
import { visible } from '../../report/words/escape.ts';

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
export function mappingProblems(columns: readonly string[], event: EventInfo): readonly string[] {
  const mapped = mapColumns(columns, { overrides: new Map(), ignore: [], personas: event.personas });
  return 'problems' in mapped ? mapped.problems : [];
}
