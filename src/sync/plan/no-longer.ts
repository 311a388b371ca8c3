import { basename } from 'node:path';
import { BaseStore } from '../journal/base-store.ts';
import type { NamedBase } from '../journal/base-codec.ts';
import { filesPushed, sheetsPushed } from '../journal/earlier-runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { Listed } from '../snapshot/listed-records.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import type { PlannedRow, RowsToPlan } from './rows-to-plan.ts';

type Context = Pick<SendContext, 'journal' | 'target' | 'event'>;

/**
 * How many people of earlier pushes of the same files are no longer in them, and are still in the service: nothing is
 * asked for it. They are those of whom only these files have spoken, and for whom no row stands; nobody knows where rows
 * cannot be read, or other sheets of the same workbook were pushed before.
 */
export function countNoLonger(
  { journal, target, event }: Context,
  rows: RowsToPlan,
  planned: readonly PlannedRow[],
  reading: ListReading | undefined,
): number {
  const { files, ingested, sendable } = rows;
  const areAllRead = sendable.length === ingested.rows.length && !planned.some(mayBeAnybody);
  if (reading === undefined || files.includes('-') || !areAllRead) return 0;
  const bases = new BaseStore(journal, target, event.endDate);
  const others = new Set(
    filesPushed(journal, target).flatMap((one) => (isOther(files, one) ? bases.filesOf(one) : [])),
  );
  const keys = new Set(sendable.map(({ key }) => bases.nameOf('rowKey', key ?? '')));
  const missing = bases
    .ofFiles(bases.filesOf(files))
    .filter(
      ({ gone, rowKey, files: by }) =>
        !gone && rowKey !== undefined && !keys.has(rowKey) && !by.some((one) => others.has(one)),
    );
  const sheets = new Set(sendable.map(({ place }) => place.sheet));
  if (missing.length === 0 || sheetsPushed(journal, target, files).some((sheet) => !sheets.has(sheet)))
    return 0;
  const stoodFor = new Set(planned.map(({ decision }) => decision.record));
  const own = new Set(planned.flatMap(({ row, decision }) => [row.barcode, decision.record?.barcode]));
  return listedOf(bases, reading, missing).filter(
    ({ record }) => !stoodFor.has(record) && !(record.barcode !== undefined && own.has(record.barcode)),
  ).length;
}

/** It is not decided whom it is about. */
const mayBeAnybody = ({ state, decision }: PlannedRow): boolean =>
  state === 'conflict' && decision.asked !== undefined;

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
