import { foldLetters, nameWords } from '../../registration/rules/fold-letters.ts';
import type { FieldValue, Registration } from '../../registration/model/registration.ts';
import type { Reason } from '../../registration/model/row.ts';
import { columns } from './row-tables.ts';
import type { Journal } from './journal.ts';
import { rowCodec, type RowOf } from '../../sqlite/row-codec.ts';

/** A row of the journal. */
export interface RowRef {
  run: string;
  seq: number;
}

/** Where rows are looked for: everywhere unless said otherwise. */
interface Within {
  run?: string | undefined;
  /** Services whose runs count. */
  services?: readonly string[] | undefined;
}

/**
 * The rows that a person means, newest run first, in the order of its files: by barcode, by id of the registration, by
 * place (`guests.csv:17`, `guests.xlsx:Sheet1:17`, or a line alone; `17/2` is the second companion on it), by e-mail
 * address, by barcode whatever its case, or by parts of a name. The first of these that finds anything counts.
 */
export function findRows(journal: Journal, text: string, within: Within = {}): readonly RowRef[] {
  const searches = [
    () => rowsWhere(journal, within, 'row.barcode = $text', { text }),
    () => rowsWhere(journal, within, 'row.barcode = $text', { text: text.trim() }),
    () => rowsWhere(journal, within, 'row.remote_id = $text', { text: text.trim() }),
    () => byPlace(journal, within, text.trim()),
    () => bySaid(journal, within, text.trim()),
  ];
  for (const search of searches) {
    const rows = search();
    if (rows.length > 0) return rows;
  }
  return [];
}

/** The rows with a barcode, letter for letter, in the runs at a service. */
export const rowsOfBarcode = (journal: Journal, service: string, barcode: string): readonly RowRef[] =>
  rowsWhere(journal, { services: [service] }, 'row.barcode = $text', { text: barcode });

/** In the order in which runs began, whatever the clock said. */
const ROWS = `FROM run CROSS JOIN row ON row.run = run.id
  WHERE ($run IS NULL OR run.id = $run) AND run.state <> 'reading'
    AND ($services IS NULL OR run.service IN (SELECT value FROM json_each($services)))`;
const NEWEST_FIRST = 'ORDER BY run.rowid DESC, row.seq';

const valuesOfWithin = ({ run, services }: Within) => ({
  run,
  services: services && JSON.stringify(services),
});

const rowsWhere = (
  journal: Journal,
  within: Within,
  condition: string,
  values: Readonly<Record<string, string | number | undefined>>,
): RowRef[] =>
  journal.all<RowRef>(`SELECT row.run, row.seq ${ROWS} AND (${condition}) ${NEWEST_FIRST}`, {
    ...valuesOfWithin(within),
    ...values,
  });

/** What comes before the line may be the name of the file, its path, or either with the sheet. */
const PLACE = /^(?:(?<name>.+):)?(?<line>\d{1,9})(?:\/(?<part>\d{1,4}))?$/s;

/** In the newest run that has it: lines move between runs. */
function byPlace(journal: Journal, within: Within, text: string): RowRef[] {
  const { name, line, part } = PLACE.exec(text)?.groups ?? {};
  if (line === undefined) return [];
  const rows = rowsWhere(
    journal,
    within,
    `row.line = $line AND ($part IS NULL OR row.part = $part) AND ($name IS NULL
       OR $name IN (row.file, row.file || ':' || row.sheet)
       OR substr(row.file, -length($name) - 1) IN ('/' || $name, '\\' || $name)
       OR substr(row.file || ':' || row.sheet, -length($name) - 1) IN ('/' || $name, '\\' || $name))`,
    { line: Number(line), part: part === undefined ? undefined : Number(part), name },
  );
  return rows.filter((row) => row.run === rows[0]?.run);
}

type Written = RowRef & Record<'barcode' | 'payload' | 'reasons' | 'hash', string | null>;

/** Rows of whose values, sent or refused, one is the text, whatever its case, or else which are so named. Reads every row. */
function bySaid(journal: Journal, within: Within, text: string): RowRef[] {
  const { run = null, services = null } = valuesOfWithin(within);
  const rows = journal.iterate<Written>(
    `SELECT row.run, row.seq, row.barcode, row.reasons, row.hash, CASE op WHEN 'send' THEN row.payload END AS payload
     ${ROWS} ${NEWEST_FIRST}`,
    { $run: run, $services: services },
  );
  const words = isName(text) ? nameWords(text) : [];
  const found = { email: new Array<RowRef>(), barcode: new Array<RowRef>(), name: new Array<RowRef>() };
  // Most rows of a run are those of the run before.
  const others = new Set<string>();
  for (const row of rows) {
    const by = others.has(row.hash ?? '') ? undefined : saidBy(row, text.toLowerCase(), words);
    if (by !== undefined) found[by].push({ run: row.run, seq: row.seq });
    else if (row.hash !== null) others.add(row.hash);
  }
  return [found.email, found.barcode, found.name].find(({ length }) => length > 0) ?? [];
}

function saidBy(
  { barcode, payload, reasons }: Written,
  wanted: string,
  words: readonly string[],
): 'email' | 'barcode' | 'name' | undefined {
  if (barcode?.toLowerCase() === wanted) return 'barcode';
  const values = valuesOf(payload, reasons);
  if (wanted.includes('@')) return values.some((one) => one.toLowerCase() === wanted) ? 'email' : undefined;
  return isNamed(values, words) ? 'name' : undefined;
}

/** What may be a name, or parts of one: it has a letter, and nothing that addresses and places have. */
const NAME = /^[^@/:]*\p{L}[^@/:]*$/u;

/** Longer values are no names. */
const LONGEST_NAME = 300;

const isName = (text: string): boolean => text.length <= LONGEST_NAME && NAME.test(text);

/** Every word of a name is a part of some value that may be one, whatever the case and the accents. */
function isNamed(values: readonly string[], words: readonly string[]): boolean {
  const names = values.flatMap((said) => (isName(said) ? foldLetters(said) : []));
  return words.length > 0 && words.every((word) => names.some((one) => one.includes(word)));
}

function valuesOf(payload: string | null, reasons: string | null): string[] {
  const said = payload === null ? undefined : (JSON.parse(payload) as Registration);
  const wrong = reasons === null ? [] : (JSON.parse(reasons) as Reason[]);
  const sent: readonly FieldValue[] = Object.values(said?.fields ?? {});
  return [...sent.flat(), ...wrong.map(({ value: refused }) => refused ?? '')];
}

/** A row, and what the registration that it stands for is known by. */
const KNOWN = rowCodec(columns('run', 'seq', 'rowKey', 'barcode', 'remoteId'));
export type Known = RowOf<typeof KNOWN>;

/** A row, and those of its service and event that are known by what some rows are; the run that began last first. */
export function rowsKnownBy(journal: Journal, { run, seq }: RowRef, rows: readonly Known[]): Known[] {
  const names = (of: (row: Known) => string | undefined): string =>
    JSON.stringify([...new Set(rows.flatMap((row) => of(row) ?? []))]);
  return journal.read(
    KNOWN,
    `FROM (
       SELECT run, seq FROM row WHERE run = $run AND seq = $seq
       UNION SELECT run, seq FROM row WHERE row_key IN (SELECT value FROM json_each($keys))
       UNION SELECT row.run, row.seq FROM run CROSS JOIN row
         ON row.run = run.id AND row.barcode IN (SELECT value FROM json_each($barcodes))
       UNION SELECT run, seq FROM row WHERE $ids <> '[]' AND remote_id IN (SELECT value FROM json_each($ids))
     ) AS found CROSS JOIN row ON row.run = found.run AND row.seq = found.seq
       CROSS JOIN run ON run.id = row.run CROSS JOIN run AS mine ON mine.id = $run
     WHERE run.service = mine.service AND run.event = mine.event AND run.state <> 'reading'
     ORDER BY run.rowid DESC, row.seq`,
    {
      run,
      seq,
      keys: names(({ rowKey }) => rowKey),
      barcodes: names(({ barcode }) => barcode),
      ids: names(({ remoteId }) => remoteId),
    },
  );
}
