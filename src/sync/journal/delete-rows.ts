import { imageOf, type RecordImage } from '../../registration/model/registration.ts';
import type { Place } from '../../registration/model/row.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import type { Journal } from './journal.ts';
import { flag, json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';

const DELETION = rowCodec({
  seq: value<number>(),
  /** Id of the registration in the service; its barcode where it shows none. */
  id: value<string>(`coalesce(remote_id, barcode, '')`),
  barcode: value<string | undefined>(),
  persona: value<string | undefined>(),
  parentBarcode: value<string | undefined>(),
  /** As the service listed it when it was chosen. */
  before: json<RecordImage>(`coalesce(before, '{}')`),
  /** A request to delete it has left before, in this run or when it was interrupted. */
  tried: flag('attempts > 0'),
  state: value<RowState>(),
  /** HTTP status of the last answer to a request to delete it. */
  status: value<number | undefined>(),
  message: value<string | undefined>(),
});

/** A registration that is to be deleted, as the journal has it. */
export type DeleteRow = RowOf<typeof DELETION>;

/** Puts a registration on the list of what the run deletes. `place` is where the row stands that it belongs to. */
export function addDeletion(
  journal: Journal,
  run: string,
  seq: number,
  record: RecordImage,
  place: Place = { file: '', line: 0 },
): void {
  journal.add('row', {
    ...(journal.isDryRun ? {} : { run }),
    seq,
    ...place,
    op: 'delete',
    state: 'pending',
    plan: 'delete',
    persona: record.persona,
    barcode: record.barcode,
    parentBarcode: record.parentBarcode,
    remoteId: record.id,
    before: imageOf(record),
  });
}

/** Deletions of a run, those in some states only when given, read a page at a time: the journal may be written meanwhile. */
export function deletions(
  journal: Journal,
  run: string,
  { states, depth, seq }: { states?: Iterable<RowState>; depth?: number; seq?: number | undefined } = {},
): Generator<DeleteRow> {
  return journal.readAll(
    DELETION,
    `FROM row WHERE run = $run AND op = 'delete' AND seq > $after
       AND ($states IS NULL OR state IN (SELECT value FROM json_each($states)))
       AND ($depth IS NULL OR depth = $depth) AND ($seq IS NULL OR seq = $seq) ORDER BY seq`,
    { run, states: states && JSON.stringify([...states]), depth, seq },
    'seq',
  );
}

/** The registrations of deletions in some states, as they were when they were chosen. */
export function* imagesOf(journal: Journal, run: string, states: Iterable<RowState>): Generator<RecordImage> {
  for (const { before } of deletions(journal, run, { states })) yield before;
}

/** Takes off the list of a run what has not been tried. */
export function forgetUntried(journal: Journal, run: string): void {
  journal.run(`DELETE FROM row WHERE run = $run AND op = 'delete' AND attempts = 0`, { run });
}
