import { InputError } from '../errors.ts';
import { type MappingOptions, mapColumns } from '../input/header-mapping.ts';
import type { ColumnMapping } from '../registration/columns.ts';
import type { Persona } from '../registration/persona.ts';
import type { SourceRow } from '../registration/row.ts';
import type { IngestOptions } from './ingest.ts';
import type { BarcodeColumns } from './reject-rows.ts';

/** The mapping of each row shape, and all problems of all headers. */
export class MappingCache {
  readonly #options: MappingOptions;
  /** The persona given for the whole file, for rows that have no column for it. */
  readonly #named: readonly Persona[];
  readonly #severalFiles: boolean;
  readonly #known = new Map<readonly string[], ColumnMapping | undefined>();
  readonly #problems = new Set<string>();

  constructor({ mapping, rows: { event, persona }, sources }: IngestOptions) {
    this.#options = { ...mapping, personas: event.personas };
    this.#named = event.personas.filter((one) => one.slug === persona);
    this.#severalFiles = sources.length > 1;
  }

  /** Undefined when the header has problems; they are thrown together once everything is read. */
  mappingFor({ columns, place }: SourceRow, optionalColumns: boolean): ColumnMapping | undefined {
    if (this.#known.has(columns)) return this.#known.get(columns);
    const optional = optionalColumns || this.#severalFiles;
    const mapped = this.#map(columns, optional);
    const mapping = 'mapping' in mapped ? mapped.mapping : undefined;
    if ('problems' in mapped) {
      for (const problem of mapped.problems) this.#problems.add(`${place.file}: ${problem}`);
    }
    this.#known.set(columns, mapping);
    return mapping;
  }

  /** Against the named persona, unless rows may name others themselves. */
  #map(columns: readonly string[], optionalColumns: boolean): ReturnType<typeof mapColumns> {
    const options = { ...this.#options, optionalColumns };
    if (this.#named.length === 0) return mapColumns(columns, options);
    const named = mapColumns(columns, { ...options, personas: this.#named });
    return 'mapping' in named && named.mapping.personaColumn < 0 ? named : mapColumns(columns, options);
  }

  barcodeColumns(): BarcodeColumns {
    return { barcode: this.#columnOf('barcode'), parentBarcode: this.#columnOf('parent_barcode') };
  }

  #columnOf(kind: 'barcode' | 'parent_barcode'): string {
    const [persona] = this.#options.personas;
    for (const mapping of this.#known.values()) {
      if (mapping === undefined || persona === undefined) continue;
      const at = mapping.targetsFor(persona).findIndex((target) => target.kind === kind);
      if (at >= 0) return mapping.columns[at] ?? kind;
    }
    return kind;
  }

  /** Fields of an unknown type that columns map to. */
  unchecked(): string[] {
    const labels = new Set<string>();
    for (const mapping of this.#known.values()) {
      if (mapping === undefined) continue;
      for (const persona of this.#options.personas) {
        const targets = mapping.targetsFor(persona);
        const slugs = new Set(targets.map((target) => (target.kind === 'field' ? target.slug : undefined)));
        for (const field of persona.fields) {
          if (!field.known && slugs.has(field.slug))
            labels.add(`${field.label} (${field.type || 'no type'})`);
        }
      }
    }
    return [...labels];
  }

  throwProblems(): void {
    const problems = [...this.#problems];
    if (problems.length === 0) return;
    const what = problems.length === 1 ? 'A column cannot' : `${problems.length} columns cannot`;
    throw new InputError(`${what} be matched to the fields of the event.`, {
      details: problems,
      hint: 'See the fields with `eventreg event fields PERSONA`. Nothing was sent.',
    });
  }
}
