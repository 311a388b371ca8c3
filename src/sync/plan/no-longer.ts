import { basename } from 'node:path';
import { isMade } from '../../registration/reading/made-barcode.ts';
import { isSendable } from '../ingest/input-row.ts';
import { BaseStore } from '../journal/base-store.ts';
import type { NamedBase } from '../journal/base-codec.ts';
import { filesPushed, lastRowAbout } from '../journal/earlier-runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { Listed } from '../snapshot/listed-records.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import type { PlannedRow, RowsToPlan } from './rows-to-plan.ts';

type Context = Pick<SendContext, 'journal' | 'target' | 'event'>;

/** More are another file under an old name. */
const MOST = 10_000;

/**
 * How many people of earlier pushes of the same files are no longer in them, and are still in the service: nothing is
 * asked for it. They are those of whom only these files have spoken, and for whom no row stands.
 */
export function countNoLonger(
  { journal, target, event }: Context,
  rows: RowsToPlan,
  planned: readonly PlannedRow[],
  reading: ListReading | undefined,
): number {
  const { files } = rows;
  if (reading === undefined || files.includes('-') || planned.some(mayBeAnybody) || hasOpenRows(rows))
    return 0;
  const bases = new BaseStore(journal, target, event.endDate);
  const others = new Set(
    filesPushed(journal, target).flatMap((one) => (isOther(files, one) ? bases.filesOf(one) : [])),
  );
  const keys = new Set(rows.sendable.map(({ key }) => bases.nameOf('rowKey', key ?? '')));
  const said = bases.ofFiles(bases.filesOf(files)).slice(0, MOST);
  const missing = said.filter(
    ({ gone, rowKey, files: by }) =>
      !gone && rowKey !== undefined && !keys.has(rowKey) && !by.some((one) => others.has(one)),
  );
  if (missing.length === 0) return 0;
  const stoodFor = new Set(planned.map(({ decision }) => decision.record));
  const own = new Set(rows.ingested.rows.map(({ barcode }) => barcode));
  const listed = listedOf(bases, reading, missing);
  return listed.filter(
    ({ record }) =>
      !stoodFor.has(record) && !own.has(record.barcode ?? '') && stoodHere({ journal, target }, rows, record),
  ).length;
}

/** It is not decided whom it is about. */
const mayBeAnybody = ({ state, decision }: PlannedRow): boolean =>
  state === 'conflict' && decision.asked !== undefined;

/** Of rows that cannot be sent it is not known who they are: a barcode that was made may be another one once they are mended. */
const hasOpenRows = ({ ingested }: RowsToPlan): boolean =>
  ingested.rows.some((row) => !isSendable(row) && (row.barcode === undefined || isMade(row.barcode)));

/** The same file may have been named by another path. */
function isOther(files: readonly string[], one: readonly string[]): boolean {
  const namesOf = (paths: readonly string[]): string =>
    JSON.stringify(paths.map((path) => basename(path)).toSorted());
  return namesOf(files) !== namesOf(one);
}

/** The registrations of bases that are listed. */
function listedOf(bases: BaseStore, { listed }: ListReading, missing: readonly NamedBase[]): Listed[] {
  const ids = new Set(missing.flatMap(({ id }) => id ?? []));
  const barcodes = new Set(missing.flatMap(({ barcode }) => barcode ?? []));
  return [...listed.numbered()].filter(({ record: { id, barcode } }) =>
    barcode === undefined
      ? id !== undefined && ids.has(bases.nameOf('id', id))
      : barcodes.has(bases.nameOf('barcode', barcode)),
  );
}

/** Their last row stood in a sheet that is read now, and not beside a record that cannot be read. */
function stoodHere(
  { journal, target }: Pick<Context, 'journal' | 'target'>,
  { ingested }: RowsToPlan,
  record: Listed['record'],
): boolean {
  const last = lastRowAbout(journal, target, record);
  if (last === undefined) return true;
  const { place, part, parentBarcode } = last;
  const isRead = ingested.rows.some(({ place: own }) => own.sheet === place.sheet);
  const isBesideWrong =
    part > 0 && ingested.rows.some((row) => !isSendable(row) && row.barcode === parentBarcode);
  return isRead && !isBesideWrong;
}
