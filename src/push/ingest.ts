import { createHash } from 'node:crypto';
import type { MappingOptions } from '../input/header-mapping.ts';
import { type InputOptions, type InputSource, readInput } from '../input/read-input.ts';
import type { ColumnMapping } from '../registration/columns.ts';
import { canonicalRegistration } from '../registration/identity.ts';
import { type ReadRowOptions, readRow } from '../registration/read-row.ts';
import type { Reason, Reject, SourceRow } from '../registration/row.ts';
import type { Reporter } from '../report/events.ts';
import type { Journal } from './journal.ts';
import { MappingCache } from './mapping-cache.ts';
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
