import { among, type RowState, THERE } from '../../registration/model/row-states.ts';
import { formatPlace, type Place } from '../../registration/model/row.ts';
import type { SendContext } from './send-context.ts';
import { flag, rowCodec, type RowOf, said, value } from '../../sqlite/row-codec.ts';

/** Rows that are compared. What is uncertain is settled, not planned. */
export const COMPARED = `run = $run AND op = 'send' AND state ${among(['pending', ...THERE])}`;

/** Rows in doubt of which reading the service may tell something. */
export const DOUBTFUL = `run = $run AND op = 'send' AND state = 'uncertain'
  AND (barcode IS NULL OR (sent_no IS NULL AND before IS NULL))`;

type RunContext = Pick<SendContext, 'journal' | 'run'>;

const COMPARED_ROW = rowCodec({
  seq: value<number>(),
  /** 0, or which companion of its row it is. */
  part: value<number>(),
  state: value<RowState>(),
  /** As the file has it. */
  registration: said(),
  /** Id that the service gave its registration before, if that is known. */
  remoteId: value<string | undefined>(),
  /** When the service said that it took the row, in milliseconds since 1970; undefined once it was seen there. */
  unseenSince: value<number | undefined>(`CASE WHEN listed_no IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM main.row AS seen WHERE seen.row_key = row.row_key AND seen.listed_no = row.listed_no
        AND seen.checked_at IS NOT NULL)
    THEN (SELECT at FROM main.step WHERE no = listed_no AND what = 'answered') END`),
  /** It was sent, and another row was seen to have changed its registration: a push broken off then is gone on with. */
  isOverwritten: flag(`plan = 'conflict' AND attempts > 0 AND listed_no IS NULL`),
});

/** A row as it is compared. */
export type ComparedRow = RowOf<typeof COMPARED_ROW>;

/** Rows of the run, a few hundred at a time. The journal may be written meanwhile. */
export const chunksOf = ({ journal, run }: RunContext, where: string): Generator<ComparedRow[]> =>
  journal.readPages(COMPARED_ROW, `FROM row WHERE ${where} AND seq > $after ORDER BY seq`, { run }, 'seq');

/** Rows that are looked up together. */
const AT_ONCE = 500;

/** Rows that are compared, without some, as `chunksOf` gives them. */
export function* comparedBut(
  { journal, run }: RunContext,
  without: ReadonlySet<number>,
): Generator<ComparedRow[]> {
  const all = journal.all<{ seq: number }>(`SELECT seq FROM row WHERE ${COMPARED} ORDER BY seq`, { run });
  const seqs = all.flatMap(({ seq }) => (without.has(seq) ? [] : seq));
  for (let at = 0; at < seqs.length; at += AT_ONCE) {
    const some = `FROM row WHERE ${COMPARED} AND seq IN (SELECT value FROM json_each($seqs)) ORDER BY seq`;
    yield journal.read(COMPARED_ROW, some, { run, seqs: JSON.stringify(seqs.slice(at, at + AT_ONCE)) });
  }
}

/** How many rows of the run there are, how many of them have no barcode, and how many are compared by theirs. */
export function countCompared(
  { journal, run }: RunContext,
  where: string,
): { rows: number; bare: number; count: number } {
  const counts = journal.get<{ rows: number; bare: number; count: number }>(
    `SELECT count(*) AS rows, count(*) FILTER (WHERE row_key LIKE 'h:%') AS bare,
       count(*) FILTER (WHERE ${COMPARED} AND barcode IS NOT NULL) AS count FROM row WHERE ${where}`,
    { run },
  );
  return counts ?? { rows: 0, bare: 0, count: 0 };
}

/** The barcodes of all rows that are compared. */
export function* barcodesOf({ journal, run }: RunContext): Generator<string> {
  const pages = journal.pages<{ seq: number; barcode: string }>(
    `SELECT seq, barcode FROM row WHERE ${COMPARED} AND barcode IS NOT NULL AND seq > $after ORDER BY seq`,
    { run },
    'seq',
  );
  for (const page of pages) yield* page.map(({ barcode }) => barcode);
}

/** Where a row of the run stands. */
export function placeIn({ journal, run }: RunContext, seq: number): string {
  const row = journal.get<Place>('SELECT file, sheet, line FROM row WHERE run = $run AND seq = $seq', {
    run,
    seq,
  });
  return row === undefined ? 'A row' : formatPlace(row);
}
