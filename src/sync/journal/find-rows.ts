import type { Place, Reason } from '../../registration/model/row.ts';
import { foldLetters, nameWords } from '../../registration/rules/fold-letters.ts';
import type { FieldValue, Registration } from '../../registration/model/registration.ts';
import type { Journal } from './journal.ts';
import { place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';

/** A row of the journal. */
export interface RowRef {
  run: string;
  seq: number;
}

/** What a text that names rows was taken for. */
type FoundBy = 'barcode' | 'registration' | 'place' | 'email' | 'name';

interface FoundRows {
  by: FoundBy;
  /** Newest run first, in the order of its files. */
  rows: readonly RowRef[];
}

/** Where rows are looked for: everywhere unless said otherwise. */
interface Within {
  run?: string | undefined;
  /** Services whose runs count. */
  services?: readonly string[] | undefined;
}

/** The same as parameters of a statement. */
interface Where {
  run: string | undefined;
  services: string | undefined;
}

/**
 * The rows that a person means: by barcode, by id of the registration, by place (`guests.csv:17`,
 * `guests.xlsx:Sheet1:17`, or a line alone; `17/2` is the second companion on it), by e-mail address, or by parts of a name. The first of these that
 * finds anything counts. A place is looked for in the newest run that has it: lines move between runs.
 */
export function findRows(journal: Journal, text: string, within: Within = {}): FoundRows | undefined {
  const { run, services } = within;
  const plain = text.trim();
  const where = { run, services: services && JSON.stringify(services) };
  const named = (condition: string, name = plain): RowRef[] =>
    rowsWhere(journal, condition, { ...where, name });
  const searches: readonly [FoundBy, () => RowRef[]][] = [
    ['barcode', () => named('row.barcode = $name', text)],
    ['barcode', () => named('row.barcode = $name')],
    ['registration', () => named('row.remote_id = $name')],
    ['place', () => byPlace(journal, plain, where)],
    ['email', () => byEmail(journal, plain, where)],
    // Reads every row: the index of barcodes knows them as they are.
    ['barcode', () => named('lower(row.barcode) = lower($name)')],
    ['name', () => byName(journal, plain, where)],
  ];
  for (const [by, search] of searches) {
    const rows = search();
    if (rows.length > 0) return { by, rows };
  }
  return undefined;
}

const ROWS = `FROM run CROSS JOIN row ON row.run = run.id
  WHERE ($run IS NULL OR run.id = $run) AND run.state <> 'reading'
    AND ($services IS NULL OR run.service IN (SELECT value FROM json_each($services)))`;
/** In the order in which runs began, whatever the clock said. */
const NEWEST_FIRST = 'ORDER BY run.rowid DESC, row.seq';

const rowsWhere = (
  journal: Journal,
  condition: string,
  values: Where & Readonly<Record<string, string | number | undefined>>,
): RowRef[] =>
  journal.all<RowRef>(`SELECT row.run, row.seq ${ROWS} AND (${condition}) ${NEWEST_FIRST}`, values);

/** Where the registration with a barcode stands in the newest run at a service, and that run. */
export function placeOfBarcode(
  journal: Journal,
  service: string,
  barcode: string,
): { run: string; place: Place } | undefined {
  return journal.readOne(
    rowCodec({ run: value<string>('row.run'), place: place() }),
    `${ROWS} AND run.service = $service AND row.barcode = $barcode ${NEWEST_FIRST}`,
    { run: undefined, service, barcode },
  );
}

/** What comes before the line may be the name of the file, its path, or either with the sheet. */
const PLACE = /^(?:(?<name>.+):)?(?<line>\d{1,9})(?:\/(?<part>\d{1,4}))?$/s;

function byPlace(journal: Journal, text: string, where: Where): RowRef[] {
  const { name, line, part } = PLACE.exec(text)?.groups ?? {};
  if (line === undefined) return [];
  const rows = rowsWhere(
    journal,
    `row.line = $line AND ($part IS NULL OR row.part = $part) AND ($name IS NULL
       OR $name IN (row.file, row.file || ':' || row.sheet)
       OR substr(row.file, -length($name) - 1) IN ('/' || $name, '\\' || $name)
       OR substr(row.file || ':' || row.sheet, -length($name) - 1) IN ('/' || $name, '\\' || $name))`,
    { ...where, line: Number(line), part: part === undefined ? undefined : Number(part), name },
  );
  return rows.filter((row) => row.run === rows[0]?.run);
}

/** Rows that send exactly this address in any field, whatever its case, or were rejected for it. */
function byEmail(journal: Journal, email: string, where: Where): RowRef[] {
  if (!email.includes('@')) return [];
  const wanted = email.toLowerCase();
  // As JSON has the beginning of it: in quotes of its own.
  const part = JSON.stringify(wanted.replace(/[^ -~].*$/su, '')).slice(0, -1);
  return byWritten(journal, where, {
    mayHave: (written) => written.toLowerCase().includes(part),
    has: (values) => values.some((one) => one.toLowerCase() === wanted),
  });
}

/** What may be a name, or parts of one: it has a letter, and nothing that addresses and places have. */
const NAME = /^[^@/:]*\p{L}[^@/:]*$/u;

/** Longer values are no names. */
const LONGEST_NAME = 300;

const isName = (text: string): boolean => text.length <= LONGEST_NAME && NAME.test(text);

/** Rows in which every word of a name is a part of some value that may be one, whatever the case and the accents. */
function byName(journal: Journal, name: string, where: Where): RowRef[] {
  const words = isName(name) ? nameWords(name) : [];
  if (words.length === 0) return [];
  return byWritten(journal, where, {
    mayHave: (written) => mayName(written, words),
    has: (values) => isNamed(values, words),
  });
}

/** Rows of whose values, sent or refused, some are wanted; `mayHave` knows most that have none from their JSON. */
function byWritten(
  journal: Journal,
  where: Where,
  { mayHave, has }: { mayHave: (written: string) => boolean; has: (values: readonly string[]) => boolean },
): RowRef[] {
  const rows = journal.iterate<Record<'payload' | 'reasons' | 'hash', string | null> & RowRef>(
    `SELECT row.run, row.seq, row.payload, row.reasons, row.hash ${ROWS} AND row.op = 'send' ${NEWEST_FIRST}`,
    { $run: where.run ?? null, $services: where.services ?? null },
  );
  const found: RowRef[] = [];
  // Most rows of a run are those of the run before.
  const others = new Set<string | null>();
  for (const { run, seq, payload, reasons, hash } of rows) {
    if (others.has(hash) || !mayHave(`${payload}${reasons}`)) continue;
    if (has(valuesOf(payload, reasons))) found.push({ run, seq });
    else if (hash !== null) others.add(hash);
  }
  return found;
}

/** Most texts of plain ASCII are known not to have the words without being read. */
function mayName(json: string, words: readonly string[]): boolean {
  if (/[^ -~]/.test(json)) return true;
  const letters = json.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return words.every((word) => letters.includes(word));
}

function isNamed(values: readonly string[], words: readonly string[]): boolean {
  const names = values.flatMap((value) => (isName(value) ? foldLetters(value) : []));
  return words.every((word) => names.some((one) => one.includes(word)));
}

function valuesOf(payload: string | null, reasons: string | null): string[] {
  const said = payload === null ? undefined : (JSON.parse(payload) as Registration);
  const wrong = reasons === null ? [] : (JSON.parse(reasons) as Reason[]);
  const sent: readonly FieldValue[] = Object.values(said?.fields ?? {});
  return [...sent.flat(), ...wrong.map(({ value: refused }) => refused ?? '')];
}

/** A row, and what the registration that it stands for is known by. */
const KNOWN = rowCodec({
  run: value<string>('row.run'),
  seq: value<number>('row.seq'),
  key: value<string | undefined>('row.row_key'),
  barcode: value<string | undefined>('row.barcode'),
  id: value<string | undefined>('row.remote_id'),
});
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
      keys: names(({ key }) => key),
      barcodes: names(({ barcode }) => barcode),
      ids: names(({ id }) => id),
    },
  );
}
