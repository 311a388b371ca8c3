import { isNotOffered } from '../../service/http/failure.ts';
import { BaseStore } from '../journal/base-store.ts';
import type { Session } from '../journal/send-context.ts';
import type { PersonRow } from '../match/rows.ts';
import { hasShownLike, isWhole } from '../snapshot/answers.ts';
import type { KindOf } from '../snapshot/listed-records.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import type { CompareOptions } from './rows-to-plan.ts';

/** How many requests reading the whole list may cost, to a row that is to be sent: more, and barcodes are looked up. */
const PAGES_A_ROW = 3;

/** What was read for rows. */
export interface ReadForRows {
  /** Undefined when there was nothing to compare with, or nothing can be read. */
  reading: ListReading | undefined;
  /** Why there is no list to be had, as a sentence without its full stop. */
  unlisted?: string;
}

/**
 * Without a barcode a row can be known by the whole list only, unless it is told to be about somebody new; so can one
 * that had none before.
 */
export async function readForRows(
  context: Session & { files: readonly string[] },
  people: readonly PersonRow[],
  { match, whole }: Pick<CompareOptions, 'match'> & { whole: boolean },
): Promise<ReadForRows> {
  // Of rows in doubt a list tells only whether it has their e-mail.
  const rows = match === 'email' ? people : people.filter(({ inDoubt }) => !inDoubt);
  if (rows.length === 0 && !whole) return { reading: undefined };
  const barcodes = rows.flatMap(({ inDoubt, barcode }) => (inDoubt ? [] : (barcode ?? [])));
  const bare = rows.some(({ barcode }) => barcode === undefined);
  const wish = {
    barcodes,
    pages: PAGES_A_ROW * rows.length,
    whole: whole || (match !== 'none' && (bare || mayHaveOtherBarcodes(context, people))),
  };
  try {
    return { reading: await readListed(context, wish) };
  } catch (error) {
    if (whole || !isNotOffered(error)) throw error;
    return { reading: undefined, unlisted: error.message.replace(/\.$/, '') };
  }
}

/** Whether the files have barcodes that are new to this machine, and lack rows that they had. */
function mayHaveOtherBarcodes(
  { journal, target, event, files }: Session & { files: readonly string[] },
  people: readonly PersonRow[],
): boolean {
  const bases = new BaseStore(journal, target, event.endDate);
  const before = bases.ofFiles(bases.filesOf(files)).flatMap(({ rowKey }) => rowKey ?? []);
  if (before.length === 0) return false;
  const now = new Set(people.map(({ rowKey }) => bases.nameOf('rowKey', rowKey)));
  if (before.every((key) => now.has(key))) return false;
  return people.some(
    ({ barcode, inDoubt }) =>
      !inDoubt && barcode !== undefined && bases.find('barcode', barcode).length === 0,
  );
}

/** Whether one that it does not show was not there: what was looked up by barcode is told by how many there are. */
export const tellsAbsent = (reading: ListReading, one: KindOf): boolean =>
  reading.how === 'list'
    ? isWhole(reading) && hasShownLike(reading, one)
    : reading.barcodesShown && reading.total !== undefined;
