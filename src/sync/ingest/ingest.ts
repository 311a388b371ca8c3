import { InputError } from '../../errors.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { formatPlace, type Place } from '../../registration/model/row.ts';
import { type Reporter, noteSome } from '../../report/views/events.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import { type CheckContext, type CheckOptions, checkRows, rejectDuplicates } from './check-rows.ts';
import type { MaskedRows } from './masked-rows.ts';
import type { PreparedInput } from './prepare.ts';
import { groupRows, type InputRow, type Repairs, repairsOf } from './input-row.ts';
import { readRows } from './read-rows.ts';
import { type AskSamePerson, type LeftOutRow, type SamePerson, settleSamePerson } from './same-person.ts';

export interface IngestOptions extends CheckOptions {
  prepared: PreparedInput;
  /** Persona of rows that name none. */
  persona: string | undefined;
  blank: 'omit' | 'clear';
  /** Rows that have companions and no barcode get one. */
  makesBarcodes: boolean;
  /** Which row is sent of people who stand more than once; undefined: asked, or all with a warning. */
  samePerson: SamePerson | undefined;
  /** Only rows with these barcodes; undefined: all. */
  only: readonly string[] | undefined;
  /** Rejected records may be written once more. */
  keepsCells: boolean;
}

export interface IngestContext extends CheckContext {
  event: EventInfo;
  /** What of the files is masked. */
  masks: MaskedRows;
  /** Asks which row is sent of people who stand more than once; undefined where nobody is there. */
  askSamePerson?: AskSamePerson | undefined;
}

/** The rows of the files, each judged. */
export interface Ingested {
  rows: readonly InputRow[];
  repairs: Repairs;
  /** Rows that are not among them, because another one of the same person is. */
  leftOut: readonly LeftOutRow[];
}

/** Reads the files, and says of every row whether it can be sent. Throws where nothing of them is to be sent. */
export async function ingest(options: IngestOptions, context: IngestContext): Promise<Ingested> {
  const { prepared, only, persona, blank, makesBarcodes, keepsCells, resolver } = options;
  const { event, masks, stopping, reporter, askSamePerson: ask } = context;
  const files = prepared.files.map(({ stored }) => stored.file);
  const reading = { rows: { event, persona, blank, makesBarcodes }, keepsCells, masks, stopping };
  const read = await readRows(prepared, { ...reading, keepsEmails: resolver !== undefined }, reporter);
  const { rows: all, examples, contacts } = read;
  tellExamples(examples, reporter);
  const unchecked = prepared.mappings.findings.unchecked();
  const unknown = plural(unchecked.length, 'column is', 'columns are');
  const text = `${unknown} sent as text, unchecked, because the type is not known`;
  if (unchecked.length > 0) noteSome(text, unchecked, reporter);
  if (all.length === 0) throw noRows(prepared, examples.length > 0);
  masks.refuseForeign();
  const named = only === undefined ? all : onlyThose(all, only, files);
  const leftOut = await settleSamePerson(named, { ...options, ask }, context);
  // Companions go with their row.
  const away = new Set(leftOut.map(({ row }) => (row.part === 0 ? row.place : row)));
  const rows = named.filter((row) => !away.has(row) && !away.has(row.place));
  const columns = prepared.mappings.findings.barcodeColumns();
  const byBarcode = groupRows(rows, ({ barcode }) => barcode);
  rejectDuplicates(byBarcode, columns);
  await checkRows({ rows, byBarcode }, columns, options, context);
  contacts.tell(reporter);
  return { rows, repairs: repairsOf(all), leftOut };
}

/** Only the rows with some barcodes. Throws for barcodes that the files do not have. */
function onlyThose(
  rows: readonly InputRow[],
  only: readonly string[],
  files: readonly string[],
): readonly InputRow[] {
  const known = new Set(rows.map(({ barcode }) => barcode));
  const missing = only.filter((one) => !known.has(one));
  if (missing.length > 0) {
    throw new InputError(`${files.join(', ')}: --only names barcodes that no row has.`, {
      details: missing.map((one) => {
        const meant = rows.find(({ barcode }) => barcode?.toLowerCase() === one.toLowerCase())?.barcode;
        return visible(meant === undefined ? one : `${one}: did you mean ${meant}?`);
      }),
      hint: 'Give barcodes as they stand in the file. Rows without a barcode cannot be named.',
    });
  }
  const wanted = new Set(only);
  return rows.filter(({ barcode }) => barcode !== undefined && wanted.has(barcode));
}

/** An empty list is a mistake of whoever wrote it far more often than a list of nobody. */
function noRows({ files: all }: PreparedInput, hasExample: boolean): InputError {
  const files = all.map(({ stored }) => stored.file).join(', ');
  const what = hasExample ? 'there is nobody to send but the example of the template' : 'there are no rows';
  const hint = hasExample
    ? 'Write your guests into the rows below it, and push the file again.'
    : 'Is it the right file, and was it saved with its rows?';
  return new InputError(`${files}: ${what}.`, { hint });
}

function tellExamples([first, ...more]: readonly Place[], reporter: Reporter): void {
  if (first === undefined) return;
  const of = 'of the template';
  const some = more.length === 0 ? `The example row ${of} is` : `${more.length + 1} example rows ${of} are`;
  const place = `${more.length === 0 ? '' : 'the first is '}${formatPlace(first)}`;
  reporter.report({ type: 'note', text: `${some} left out (${place}).` });
}
