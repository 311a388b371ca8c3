import type { RecordImage } from '../../registration/model/registration.ts';
import { IN_DOUBT, OFF_THE_LIST } from '../../registration/model/row-states.ts';
import { addFinding } from '../journal/findings.ts';
import type { Journal } from '../journal/journal.ts';
import { type OwnRow, OwnRows } from '../journal/own-rows.ts';
import { isSentBeside } from '../journal/sent-rows.ts';
import { isUnlisted, isWhole } from '../snapshot/answers.ts';
import { type Lost, lostSince } from '../snapshot/lost.ts';
import type { ListReading } from '../snapshot/read-listed.ts';

/** The list before and after a run. */
interface Lists {
  before: ListReading | undefined;
  now: ListReading;
}

/**
 * Keeps as findings of a run what was listed before it and is gone, or has lost its parent, though no row asked for that.
 * Rows that were sent are read back by themselves. Returns how many those are; undefined where the lists cannot tell.
 */
export function noteLost(
  journal: Journal,
  run: string,
  { before, now }: Lists,
  rows = new OwnRows(journal, run),
): Record<Lost['kind'], number> | undefined {
  const lost = isWhole(now) ? lostSince(before, now, (record) => rows.hasCreated(record)) : undefined;
  if (lost === undefined) return undefined;
  const counts = { gone: 0, orphaned: 0 };
  journal.transaction(() => {
    for (const { kind, record, message } of lost) {
      const { id, barcode } = record;
      const about = rows.about({ id, barcode });
      if (about.some((row) => asksFor(row, record))) continue;
      counts[kind] += 1;
      const seq = about.find(({ op }) => op === 'send')?.seq;
      addFinding(journal, run, { kind, seq, id, barcode, message });
    }
  });
  return counts;
}

/** Whether a row was sent about a registration, or deleted it. */
function asksFor({ op, state, attempts, id: own }: OwnRow, { id }: RecordImage): boolean {
  if (op === 'send') return attempts > 0;
  const mayBeDeleted = OFF_THE_LIST.has(state) || IN_DOUBT.has(state);
  return mayBeDeleted && (own === undefined || id === undefined || own === id);
}

/**
 * Ids of the registrations that are listed now, were not before, and that no row of the run, or of one beside it,
 * stands for. Undefined where either list was not read whole, or does not show ids.
 */
export function findAppeared(
  journal: Journal,
  run: string,
  { before, now }: Lists,
  rows: OwnRows,
): string[] | undefined {
  if (before === undefined || ![before, now].every((one) => isWhole(one) && one.idsShown)) return undefined;
  return [...now.listed.all()]
    .filter((record) => isUnlisted(before, record))
    .filter((record) => rows.about(record).every(({ op }) => op !== 'send'))
    .filter((record) => !isSentBeside(journal, run, record, before.step))
    .flatMap(({ id }) => id ?? []);
}
