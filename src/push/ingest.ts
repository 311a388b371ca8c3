import { createHash } from 'node:crypto';
import { InputError } from '../errors.ts';
import { type MappingOptions, mapColumns } from '../input/header-mapping.ts';
import { type InputOptions, type InputSource, readInput } from '../input/read-input.ts';
import type { ColumnMapping } from '../registration/columns.ts';
import type { Persona } from '../registration/persona.ts';
import { canonicalRegistration } from '../registration/identity.ts';
import { type ReadRowOptions, readRow } from '../registration/read-row.ts';
import type { Reason, Reject, SourceRow } from '../registration/row.ts';
import type { Reporter } from '../report/events.ts';
import type { Journal } from './journal.ts';
import type { BarcodeColumns } from './reject-rows.ts';

export interface IngestOptions {
  sources: readonly InputSource[];
  input: InputOptions;
  mapping: Pick<MappingOptions, 'overrides' | 'ignore'>;
  rows: ReadRowOptions;
  /** Keep the cells of every row, for the rejects file. */
  keepCells: boolean;
  /** Keep the e-mail domains, for the DNS check. */
  keepDomains: boolean;
  /** Ends the reading when it aborts. */
  stopping: AbortSignal;
}

/** What reading told beside the rows themselves. */
export interface IngestResult {
  rows: number;
  /** Format and delimiter of the first source: the rejects file is written in the same. */
  format: 'csv' | 'json' | 'ndjson';
  delimiter: string;
  /** What the barcode columns are called in the first file that has them. */
  columns: BarcodeColumns;
  /** Labels of the fields in use whose type is unknown: their values are not checked. */
  unchecked: string[];
}

/** Streams the files into the journal in constant memory: every row is read and judged before any is sent. */
export async function ingest(
  journal: Journal,
  run: string,
  options: IngestOptions,
  reporter: Reporter,
): Promise<IngestResult> {
  const mappings = new MappingCache(options);
  let seq = 0;
  let first: Pick<IngestResult, 'format' | 'delimiter'> | undefined;
  for (const source of options.sources) {
    reporter.report({ type: 'reading', file: source.file, rows: seq });
    const opened = await readInput(source, options.input);
    first ??= { format: opened.format, delimiter: opened.delimiter ?? ',' };
    for await (const batch of opened.batches) {
      options.stopping.throwIfAborted();
      journal.transaction(() => {
        for (const row of batch.rows) {
          const mapping = mappings.mappingFor(row, opened.format !== 'csv');
          if (mapping !== undefined) storeRow(journal, run, seq++, row, mapping, options);
        }
        for (const reject of batch.rejects) storeReject(journal, run, seq++, reject, null);
      });
      reporter.report({ type: 'reading', file: source.file, rows: seq });
    }
  }
  mappings.throwProblems();
  return {
    rows: seq,
    ...(first ?? { format: 'csv', delimiter: ',' }),
    columns: mappings.barcodeColumns(),
    unchecked: mappings.unchecked(),
  };
}

/** The mapping of each row shape, and all problems of all headers. */
class MappingCache {
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

function storeRow(
  journal: Journal,
  run: string,
  seq: number,
  row: SourceRow,
  mapping: ColumnMapping,
  options: IngestOptions,
): void {
  const result = readRow(row, mapping, options.rows);
  const raw = options.keepCells ? JSON.stringify({ columns: row.columns, cells: row.cells }) : null;
  if (!result.ok) {
    storeReject(journal, run, seq, { place: row.place, reasons: result.reasons }, raw);
    storeFamily(journal, run, seq, row, mapping, options.rows, result.reasons);
    return;
  }
  const { registration, emails } = result.read;
  const canonical = canonicalRegistration(registration);
  journal.run(
    `INSERT INTO row (run, seq, file, line, state, hash, persona, barcode, parent_barcode, enable_comms, payload, raw)
     VALUES ($run, $seq, $file, $line, 'pending', $hash, $persona, $barcode, $parent, $comms, $payload, $raw)`,
    {
      $run: run,
      $seq: seq,
      $file: row.place.file,
      $line: row.place.line,
      $hash: createHash('sha256').update(canonical).digest('base64url'),
      $persona: registration.persona,
      $barcode: registration.barcode ?? null,
      $parent: registration.parentBarcode ?? null,
      $comms: registration.enableComms ? 1 : 0,
      $payload: JSON.stringify(registration),
      $raw: raw,
    },
  );
  if (!options.keepDomains) return;
  for (const { domain, column, field, value } of emails) {
    journal.run(
      `INSERT INTO email (run, seq, domain, column_name, field, value) VALUES ($run, $seq, $domain, $column, $field, $value)`,
      { $run: run, $seq: seq, $domain: domain, $column: column, $field: field, $value: value },
    );
  }
}

/**
 * The barcodes of a rejected row, where nothing is wrong with them: its members are told that it is
 * rejected, not that it is missing.
 */
function storeFamily(
  journal: Journal,
  run: string,
  seq: number,
  row: SourceRow,
  mapping: ColumnMapping,
  { event }: ReadRowOptions,
  reasons: readonly Reason[],
): void {
  const [persona] = event.personas;
  if (persona === undefined) return;
  const targets = mapping.targetsFor(persona);
  const textOf = (kind: 'barcode' | 'parent_barcode'): string | null => {
    const index = targets.findIndex((target) => target.kind === kind);
    const cell = row.cells[index];
    const wrong = reasons.some((reason) => reason.column === mapping.columns[index]);
    const text = typeof cell === 'string' || typeof cell === 'number' ? String(cell).trim() : '';
    return wrong || text === '' ? null : text;
  };
  journal.run('UPDATE row SET barcode = $barcode, parent_barcode = $parent WHERE run = $run AND seq = $seq', {
    $run: run,
    $seq: seq,
    $barcode: textOf('barcode'),
    $parent: textOf('parent_barcode'),
  });
}

function storeReject(
  journal: Journal,
  run: string,
  seq: number,
  { place, reasons }: Reject,
  raw: string | null,
): void {
  journal.run(
    `INSERT INTO row (run, seq, file, line, state, reasons, raw) VALUES ($run, $seq, $file, $line, 'rejected', $reasons, $raw)`,
    {
      $run: run,
      $seq: seq,
      $file: place.file,
      $line: place.line,
      $reasons: JSON.stringify(reasons satisfies readonly Reason[]),
      $raw: raw,
    },
  );
}
