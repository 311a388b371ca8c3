import type { ColumnMapping, ColumnTarget } from '../../src/registration/model/columns.ts';
import type { EventInfo, Field, FieldKind, Persona } from '../../src/registration/model/persona.ts';
import type { Cell, SourceRow } from '../../src/registration/model/row.ts';

/** A field of a kind; choices by value. */
export function field(
  slug: string,
  kind: FieldKind,
  choices: readonly string[] = [],
  multiple = false,
): Field {
  return {
    id: undefined,
    slug,
    label: `Label of ${slug}`,
    type: kind,
    kind,
    choices: choices.map((value) => ({ value, label: `${value} label` })),
    multiple,
    known: true,
  };
}

/** A persona with the fields. */
export function persona(slug: string, fields: readonly Field[]): Persona {
  return { id: undefined, slug, name: `The ${slug}`, fields };
}

/** An event with the personas. */
export function event(...personas: Persona[]): EventInfo {
  const unknown = { timezone: undefined, startDate: undefined, endDate: undefined };
  return { eventId: '1', slug: 'expo', name: 'Expo', ...unknown, personas };
}

const OWN = ['persona', 'barcode', 'parent_barcode', 'enable_comms'] as const;

/** Maps each column to what it is called; `ignored` and field slugs with `#2` behind included. */
export function mappingOf(columns: readonly string[]): ColumnMapping {
  const target = (persona: Persona, column: string): ColumnTarget => {
    const own = OWN.find((kind) => kind === column);
    if (own !== undefined) return { kind: own };
    if (column === 'ignored') return { kind: 'ignored' };
    const slug = column.replace(/#2$/, '');
    if ((OWN as readonly string[]).includes(slug)) return { kind: slug as 'barcode' };
    return persona.fields.some((one) => one.slug === slug) ? { kind: 'field', slug } : { kind: 'foreign' };
  };
  return {
    columns,
    personaColumn: columns.indexOf('persona'),
    targetsFor: (persona) => columns.map((column) => target(persona, column)),
  };
}

/** Cells by the names of their columns. */
export type Cells = Readonly<Record<string, Cell>>;

/** A row of one file. */
export function rowOf(cells: Cells): SourceRow {
  const place = { file: 'people.csv', line: 2 };
  return { place, columns: Object.keys(cells), cells: Object.values(cells) };
}
