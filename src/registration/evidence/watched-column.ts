import { type Options, personaOptions, SWITCH_OPTIONS } from './choice-evidence.ts';
import type { ColumnMapping, ColumnTarget } from '../model/columns.ts';
import { isBirthDate } from '../rules/date-rule.ts';
import type { EventInfo, FieldKind, Persona } from '../model/persona.ts';

/** What is looked at in a column: dates, digits of barcodes, phones, options, or texts that may be decoded wrongly; words for nothing in all. */
export interface WatchedColumn {
  index: number;
  column: string;
  watch: 'date' | 'barcode' | 'phone' | 'choice' | 'numeric' | 'text';
  /** Of the field. */
  kind?: FieldKind;
  /** Reserved name of a column, slug otherwise. */
  name: string;
  /** Whether it holds dates of birth. */
  isBirth?: boolean;
  /** Whose it is, where that is one who comes along. */
  companion?: number;
  /** Of a choice, for each persona that has it. */
  options: readonly Options[];
}

type Watched = Omit<WatchedColumn, 'index' | 'column'>;

/**
 * The columns that are looked at. What dates of a column show holds for all personas, so that any of them counts;
 * options are those of the persona that all rows are of, where it is known.
 */
export function watchedColumns(
  mapping: ColumnMapping,
  event: EventInfo,
  persona: string | undefined,
): WatchedColumn[] {
  const named = mapping.personaColumn < 0 ? event.personas.filter(({ slug }) => slug === persona) : [];
  const personas = named.length > 0 ? named : event.personas;
  const kinds: Watched = { watch: 'choice', name: 'persona', options: [personaOptions(event.personas)] };
  return mapping.columns.flatMap((column, index) => {
    const isOfKinds = index === mapping.personaColumn;
    const watched = isOfKinds ? kinds : watch(index, mapping, personas);
    return watched === undefined ? [] : [{ index, column, ...watched }];
  });
}

function watch(index: number, mapping: ColumnMapping, personas: readonly Persona[]): Watched | undefined {
  const watched = personas.flatMap((persona) => {
    const target = mapping.targetsFor(persona)[index];
    return target === undefined ? [] : watchTarget(target, persona);
  });
  const found = watched.find((one) => one.watch !== 'text' && one.watch !== 'choice');
  if (found !== undefined) return found;
  const text = watched.find((one) => one.watch === 'text');
  const [first] = watched;
  return text ?? (first && { ...first, options: watched.flatMap(({ options }) => options) });
}

function watchTarget(target: ColumnTarget, persona: Persona): Watched[] {
  switch (target.kind) {
    case 'companion':
      return watchTarget(target.target, persona).map((one) => ({ ...one, companion: target.number }));
    case 'barcode':
    case 'parent_barcode':
      return [{ watch: 'barcode', name: target.kind, options: [] }];
    case 'enable_comms':
      return [{ watch: 'choice', name: target.kind, options: [SWITCH_OPTIONS] }];
    case 'field': {
      const field = persona.fields.find(({ slug }) => slug === target.slug);
      if (field === undefined || target.beside === 'time of') return [];
      const { kind, slug: name } = field;
      if (kind === 'choice') return [{ watch: kind, kind, name, options: [field] }];
      if (kind === 'date') return [{ watch: kind, kind, name, isBirth: isBirthDate(field), options: [] }];
      return [{ watch: kind === 'phone' || kind === 'numeric' ? kind : 'text', kind, name, options: [] }];
    }
    default:
      return [];
  }
}
