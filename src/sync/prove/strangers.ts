import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT, OFF_THE_LIST } from '../../registration/model/row-states.ts';
import { addFinding } from '../journal/findings.ts';
import type { Journal } from '../journal/journal.ts';
import { hasCreated, isSentHere, type RowAbout, rowsAbout } from '../journal/sent-rows.ts';
import { isUnlisted, isWhole, sharedName } from '../snapshot/answers.ts';
import { GONE_UNASKED, whyOrphaned } from '../snapshot/lost.ts';
import type { ListReading } from '../snapshot/read-listed.ts';

/** How many registrations are gone, and how many have lost their parent, without anybody having asked for it. */
interface Lost {
  gone: number;
  orphaned: number;
}

/** The list before and after a run. */
interface Lists {
  before: ListReading | undefined;
  now: ListReading;
}

/**
 * Keeps as findings of a run what was listed before it and is gone, or has lost its parent, though no row asked
 * for that. Rows that were sent are read back by themselves. Undefined where either list was not read whole, or
 * shows nothing to tell registrations by.
 */
export function noteLost(journal: Journal, run: string, { before, now }: Lists): Lost | undefined {
  if (before === undefined || !isWhole(before) || !isWhole(now)) return undefined;
  const name = sharedName(before, now);
  if (name === undefined) return undefined;
  const counts: Lost = { gone: 0, orphaned: 0 };
  journal.transaction(() => {
    for (const old of before.listed.all()) {
      const wanted = old[name];
      if (wanted === undefined) continue;
      const [found] = name === 'id' ? now.listed.byId(wanted) : now.listed.byBarcode(wanted);
      // An id that a new registration has got is not that of the old one any more.
      const isAnother =
        found !== undefined && found.barcode !== old.barcode && hasCreated(journal, run, namesOf(found));
      const message = whatIsLost(old, isAnother ? undefined : found);
      if (message === undefined) continue;
      const rows = rowsAbout(journal, run, namesOf(old));
      if (rows.some((row) => asksFor(row, old))) continue;
      const kind = message === GONE_UNASKED ? 'gone' : 'orphaned';
      counts[kind] += 1;
      const seq = rows.find(({ op }) => op === 'send')?.seq;
      addFinding(journal, run, { kind, seq, ...namesOf(old), message });
    }
  });
  return counts;
}

const namesOf = ({ id, barcode }: RecordImage): Pick<RegistrationRecord, 'id' | 'barcode'> => ({
  id,
  barcode,
});

function whatIsLost(
  { parentBarcode: parent }: RecordImage,
  found: RecordImage | undefined,
): string | undefined {
  if (found === undefined) return GONE_UNASKED;
  const now = found.parentBarcode;
  if (parent === undefined || parent === now) return undefined;
  return whyOrphaned(parent, now);
}

/** Whether a row was sent about a registration, or deleted it. */
function asksFor({ op, state, attempts, remoteId }: RowAbout, { id }: RecordImage): boolean {
  if (op === 'send') return attempts > 0;
  const mayBeDeleted = OFF_THE_LIST.has(state) || IN_DOUBT.has(state);
  return mayBeDeleted && (remoteId === undefined || id === undefined || remoteId === id);
}

/**
 * Ids of the registrations that are listed now, were not before, and that no row of the run, or of one beside it,
 * stands for. Undefined where either list was not read whole, or does not show ids.
 */
export function findAppeared(journal: Journal, run: string, { before, now }: Lists): string[] | undefined {
  if (before === undefined || ![before, now].every((one) => isWhole(one) && one.idsShown)) return undefined;
  return [...now.listed.all()]
    .filter((record) => isUnlisted(before, record) && !isSentHere(journal, run, namesOf(record), before.step))
    .flatMap(({ id }) => id ?? []);
}
