import {
  among,
  CARRIED_OUT,
  PLANNED_DELETION,
  type RowState,
  SENT,
} from '../../registration/model/row-states.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { RowOp } from '../../sync/journal/run.ts';
import { place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { shareOf } from './undo-summary.ts';

/** What became of one registration. In a dry run `delete` and `restore` say what would. */
type UndoResult = 'deleted' | 'restored' | 'delete' | 'restore' | 'kept' | 'uncertain';

/** One line of the three lists. */
interface UndoEntry {
  result: UndoResult;
  /** Where its row stands in the files of the run that was undone; undefined when none stands for it. */
  place: string | undefined;
  barcode: string | undefined;
  persona: string | undefined;
  registrationId: string | undefined;
  /** Why it is kept, or what else there is to say. */
  why: string | undefined;
}

const ROW = rowCodec({
  seq: value<number>(),
  place: place(),
  op: value<RowOp>(),
  state: value<RowState>(),
  plan: value<string | undefined>(),
  barcode: value<string | undefined>(),
  persona: value<string | undefined>(),
  registrationId: value<string | undefined>('remote_id'),
  message: value<string | undefined>(),
  unseen: value<string | undefined>(`(SELECT finding.message FROM finding
    WHERE finding.run = $run AND finding.seq = row.seq AND kind = 'unseen')`),
});
type Row = RowOf<typeof ROW>;

const LISTS = [
  `op = 'delete' AND state ${among(PLANNED_DELETION)}`,
  `op = 'send' AND state ${among([...SENT, 'pending'])}`,
  `state NOT ${among([...CARRIED_OUT, 'pending'])}`,
];

/** The three lists of an undo, one after the other: deleted, restored, kept; each in the order of the files. */
export function* undoEntries(journal: Journal, run: string, { dry }: { dry: boolean }): Generator<UndoEntry> {
  for (const list of LISTS) {
    const from = `FROM row WHERE run = $run AND seq > $after AND ${list} ORDER BY seq`;
    for (const row of journal.readAll(ROW, from, { run }, 'seq')) yield toEntry(row, dry);
  }
}

function toEntry(row: Row, dry: boolean): UndoEntry {
  const result = resultOf(row, dry);
  const again = row.plan === 'create' && result === 'restored' ? 'created again' : undefined;
  const unseen = result === 'restored' || result === 'restore' ? row.unseen : undefined;
  const untried = result === 'kept' && row.state === 'pending' ? 'not tried any more' : undefined;
  return {
    result,
    place: row.place.file === '' ? undefined : formatPlace(row.place),
    barcode: row.barcode,
    persona: row.persona,
    registrationId: row.registrationId,
    why:
      (result === 'kept' || result === 'uncertain' ? row.message : undefined) ?? again ?? unseen ?? untried,
  };
}

function resultOf({ op, state }: Row, dry: boolean): UndoResult {
  const share = shareOf(op, state, dry);
  if (dry && share === 'deleted') return 'delete';
  if (dry && share === 'restored') return 'restore';
  return share === 'settled' || share === 'open' ? 'kept' : share;
}
