import { extname } from 'node:path';
import { EXIT, type ExitCode, InputError, UsageError } from '../../errors.ts';
import { columnKnower } from '../../input/columns/heading-reader.ts';
import { REST } from '../../input/columns/column-wishes.ts';
import { mapColumns } from '../../input/columns/header-mapping.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';
import { type OpenedInput, openInput } from '../../input/read-input.ts';
import { type StoredInput, storeInput } from '../../input/source/stored-input.ts';
import { cellSource } from '../../registration/repairs/cell-text.ts';
import { MaskedValues } from '../../sync/journal/learned.ts';
import { Journal } from '../../sync/journal/journal.ts';
import { Masker } from '../../rehearsal/mask/masker.ts';
import { loadCountryOfPhone } from '../../rehearsal/mask/mask-phone.ts';
import { maskCell, maskedAs, type MaskedAs } from '../../rehearsal/mask/mask-row.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { SourceRow } from '../../registration/model/row.ts';
import { type DateOrder, shownOrder } from '../../registration/rules/date-forms.ts';
import { replaceFile } from '../../report/records/replace-file.ts';
import { plural } from '../../report/words/number.ts';
import type { Runtime } from '../../runtime.ts';
import { readEvent } from '../../service/contracts/read-event.ts';
import { readKept } from '../../settings/mappings.ts';
import { readMaskKey } from '../connect/clone-files.ts';
import { writtenFormat } from '../options/written-file.ts';
import { recallColumns } from '../push/push-mappings.ts';
import { recallSheet } from '../push/remembered.ts';
import { typedCommand } from '../options/help.ts';
import { toSource } from '../terminal/file-source.ts';
import { settleOutputFile } from '../terminal/output-file.ts';
import { say, tellPrograms, type Call } from '../terminal/terminal.ts';
import { type CloneRecord, theClone } from './run-clones.ts';
import type { MaskOptions } from './rehearse-options.ts';
import { type CsvStyle, csvStyleOf, type MaskedRow, writeMasked } from './write-masked.ts';
import { toInputOptions } from '../options/reading-options.ts';

/** Masks a list with the key of a clone, so that its people are those of the clone. */
export async function runMask(call: Call<MaskOptions>): Promise<ExitCode> {
  const { options, runtime } = call;
  const { file } = options;
  const clone = theClone(runtime, options.sandbox);
  const masker = await openMasker(clone, runtime);
  const to = options.to ?? maskedName(file);
  const path = await settleOutputFile(
    { flag: '--to', file: to, inputs: [file], content: 'with the masked list' },
    call,
  );
  const input = await storeInput(toSource(file, runtime));
  const journal = new Journal(runtime.paths.state);
  try {
    const list = await openList(input, clone, runtime);
    const noted = new MaskedValues(journal);
    const at = { mark: masker.mark ?? '', now: runtime.clock.now() };
    const note = (text: string, masked: string): void => noted.add(text, masked, at);
    const rows = await replaceFile(path, async (handle) => {
      const style = { format: writtenFormat(to) ?? 'csv', csv: list.csv, columns: list.columns };
      const count = await writeMasked(handle, style, maskRows(masker, list, note));
      // Before the list is there: what is written is known again.
      noted.write(at);
      return count;
    });
    await input.checkUnchanged();
    const next = typedCommand(['push', to, '--dry-run'], { sandbox: clone.name });
    say(call, `${plural(rows, 'row', 'rows')} masked into ${to}. Next: ${next}`);
    await tellPrograms(call, 'sandbox-mask@1', { file: path, rows, clone: clone.name });
    return EXIT.done;
  } finally {
    journal.close();
    await input.close();
  }
}

async function openMasker({ name, about }: CloneRecord, runtime: Runtime): Promise<Masker> {
  const key = readMaskKey(runtime.paths.state, name);
  if (key === undefined) {
    throw new UsageError(
      `The clone ${name} has its people as they are: there is no key to mask a list with.`,
      { hint: `Push the list as it is, with --sandbox=${name}.` },
    );
  }
  return new Masker({ key, countryOf: await loadCountryOfPhone(), barcodes: about.maskBarcodes });
}

/** `guests.masked.csv`, of the same kind where that can be written. */
function maskedName(file: string): string {
  if (file === '-')
    throw new UsageError('A list from standard input needs --to, which names the masked one.');
  const extension = extname(file);
  const stem = extension === '' ? file : file.slice(0, -extension.length);
  return `${stem}.masked${writtenFormat(file) === undefined ? '.csv' : extension}`;
}

/** A list, and what is known of its columns. */
interface List {
  csv: CsvStyle;
  /** All that its rows have. */
  columns: readonly string[];
  rows: () => AsyncGenerator<SourceRow>;
  asOf: (columns: readonly string[]) => readonly MaskedAs[];
  /** Of columns of dates whose order shows, or was said. */
  orders: ReadonlyMap<string, DateOrder>;
}

/** Reads the list once, for what only all rows can tell. Throws an InputError when columns are not known. */
async function openList(input: StoredInput, clone: CloneRecord, { paths }: Runtime): Promise<List> {
  const read = readEvent(clone.event);
  if ('problems' in read) throw new InputError(`The clone ${clone.name} has no event that can be read.`);
  const { event } = read;
  const kept = readKept(paths.config, { service: clone.service, event: event.eventId });
  const opened = await openInput(input, {
    ...toInputOptions({ accept: [] }),
    knows: columnKnower(event.personas),
    recallSheet: (names) => recallSheet(kept, names),
  });
  const known = new Map<readonly string[], readonly MaskedAs[]>();
  const asOf = (columns: readonly string[]): readonly MaskedAs[] => {
    let kinds = known.get(columns);
    if (kinds === undefined) known.set(columns, (kinds = kindsOf(columns, event, kept, input.file)));
    return kinds;
  };
  const rows = (): AsyncGenerator<SourceRow> => rowsOf(opened, input.file);
  const orders = new Map<string, DateOrder>();
  for await (const { columns, cells } of rows()) {
    const kinds = asOf(columns);
    for (const [at, column] of columns.entries()) {
      const cell = cells[at];
      if (kinds[at] !== 'date' || typeof cell !== 'string') continue;
      const order = shownOrder(cell.trim());
      if (order === 'dmy' || order === 'mdy') orders.set(normaliseName(column), order);
    }
  }
  const columns = [...new Set([...known.keys()].flat())];
  return { csv: await csvStyleOf(opened, input), columns, rows, asOf, orders };
}

async function* rowsOf(opened: OpenedInput, file: string): AsyncGenerator<SourceRow> {
  for await (const { rows, rejects } of opened.batches()) {
    const [reject] = rejects;
    if (reject !== undefined) {
      throw new InputError(
        `${file}:${reject.place.line} cannot be read: ${reject.reasons[0]?.problem ?? ''}.`,
        {
          hint: 'Mend it first: a list is masked whole or not at all.',
        },
      );
    }
    yield* rows;
  }
}

/** What is of no field is masked as a text. */
function kindsOf(
  columns: readonly string[],
  event: EventInfo,
  kept: ReturnType<typeof readKept>,
  file: string,
): readonly MaskedAs[] {
  const personas = [undefined, ...event.personas.map(({ slug }) => slug)];
  const saved = personas
    .map((persona) => recallColumns(kept, persona)(columns))
    .find((one) => one !== undefined);
  const mapped = mapColumns(columns, {
    overrides: saved?.map ?? new Map(),
    ignore: [...(saved?.ignore ?? []), REST],
    personas: event.personas,
    optionalColumns: true,
  });
  if (!('mapping' in mapped)) {
    throw new InputError(`${file}: ${mapped.problems[0] ?? 'the columns are not known.'}`, {
      details: mapped.problems.slice(1),
      hint: 'Push it with --dry-run first: what columns are is remembered, and the next clone knows it.',
    });
  }
  const { mapping } = mapped;
  return columns.map((_, at) =>
    maskedAs(
      event.personas.map((persona) => mapping.targetsFor(persona)[at]),
      event,
    ),
  );
}

async function* maskRows(
  masker: Masker,
  { rows, asOf, orders }: List,
  note: (text: string, masked: string) => void,
): AsyncGenerator<MaskedRow> {
  for await (const { columns, cells, escaped } of rows()) {
    const kinds = asOf(columns);
    const masked = columns.map((column, at) =>
      maskCell(masker, cells[at], kinds[at] ?? 'text', orders.get(normaliseName(column))),
    );
    for (const [at, cell] of masked.entries()) {
      if (typeof cell === 'string') note(cellSource(cells[at]), cell);
    }
    yield { columns, cells: masked, isEscaped: (at) => escaped?.has(at) === true };
  }
}
