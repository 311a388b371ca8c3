import { among, IN_DOUBT, OFF_THE_LIST } from '../../registration/model/row-states.ts';
import { addFinding } from '../journal/findings.ts';
import { isWhole, type ListReading } from '../listed/read-listed.ts';
import type { Journal } from '../journal/journal.ts';

/** How many registrations are gone, and how many have lost their parent, without anybody having asked for it. */
interface Lost {
  gone: number;
  orphaned: number;
}

interface LostRegistration {
  id?: string;
  barcode?: string;
  parent?: string;
  now_parent?: string;
  gone: number;
  seq?: number;
}

/**
 * Keeps as findings of a run what was listed before it and is gone, or has lost its parent, though no row asked
 * for that. Rows that were sent are read back by themselves. Undefined where either list was not read whole, or
 * shows nothing to tell registrations by.
 */
export function noteLost(
  journal: Journal,
  run: string,
  before: ListReading | undefined,
  now: ListReading,
): Lost | undefined {
  if (before === undefined || !isWhole(before) || !isWhole(now)) return undefined;
  const key = keyOf(journal, before, now);
  if (key === undefined) return undefined;
  const lost = journal.all<LostRegistration>(lostBy(key), {
    run,
    before: before.listed.reading,
    now: now.listed.reading,
  });
  journal.transaction(() => {
    for (const one of lost) {
      addFinding(journal, run, {
        kind: one.gone === 1 ? 'gone' : 'orphaned',
        seq: one.seq,
        id: one.id,
        barcode: one.barcode,
        message: one.gone === 1 ? GONE : lostParent(one),
      });
    }
  });
  const gone = lost.filter((one) => one.gone === 1).length;
  return { gone, orphaned: lost.length - gone };
}

const GONE = 'was listed before and is not listed any more, though nothing asked for that';

const lostParent = ({ parent, now_parent: now }: LostRegistration): string =>
  `was a member of ${parent ?? ''} before, and is ${now === undefined ? 'a member of nothing' : `one of ${now}`} now, though nothing asked for that`;

/** By what registrations are told apart: their ids where all show one of their own, else their barcodes. */
function keyOf(journal: Journal, before: ListReading, now: ListReading): 'id' | 'barcode' | undefined {
  const isUnique = (key: 'id' | 'barcode', { listed }: ListReading): boolean => {
    const row = journal.get<{ alike: number }>(
      `SELECT count(${key}) - count(DISTINCT ${key}) AS alike FROM temp.listed WHERE reading = $reading`,
      { reading: listed.reading },
    );
    return row?.alike === 0;
  };
  const areUnique = (key: 'id' | 'barcode'): boolean => isUnique(key, before) && isUnique(key, now);
  if (before.idsShown && now.idsShown && areUnique('id')) return 'id';
  return before.barcodesShown && now.barcodesShown && areUnique('barcode') ? 'barcode' : undefined;
}

/** An id that a new registration has got is not that of the old one any more. */
const lostBy = (key: 'id' | 'barcode'): string => `
  WITH pair AS (
    SELECT old.no, old.id, old.barcode, old.parent, now.parent AS now_parent,
      now.no IS NULL OR (old.barcode IS NOT now.barcode AND EXISTS (
        SELECT 1 FROM row WHERE run = $run AND op = 'send' AND plan = 'create' AND remote_id = now.id
          AND row.barcode IS now.barcode)) AS gone
    FROM temp.listed AS old LEFT JOIN temp.listed AS now ON now.reading = $now AND now.${key} = old.${key}
    WHERE old.reading = $before AND old.${key} IS NOT NULL)
  SELECT pair.*, (SELECT min(seq) FROM row WHERE run = $run AND op = 'send'
      AND (remote_id = pair.id OR barcode = pair.barcode)) AS seq
  FROM pair WHERE (gone = 1 OR (parent IS NOT NULL AND now_parent IS NOT parent))
    AND NOT EXISTS (SELECT 1 FROM row WHERE run = $run AND (remote_id = pair.id OR barcode = pair.barcode)
      AND ((op = 'send' AND attempts > 0)
        OR (op = 'delete' AND state ${among([...OFF_THE_LIST, ...IN_DOUBT])}
          AND (remote_id IS NULL OR pair.id IS NULL OR remote_id = pair.id))))
  GROUP BY pair.no ORDER BY pair.no`;

/** What other runs of this machine have sent, or are about to, since the list was read: no strangers' either. */
const SENT_BESIDE = `
  SELECT 1 FROM row WHERE op = 'send' AND sent_no > $step AND (remote_id = now.id OR barcode = now.barcode)
    AND run IN (SELECT other.id FROM run AS own JOIN run AS other ON other.service = own.service
      WHERE own.id = $run AND coalesce(other.ended_at, own.started_at) >= own.started_at)`;

/**
 * Ids of the registrations that are listed now, were not before, and that no row of the run, or of one beside it,
 * stands for. Undefined where either list was not read whole, or does not show ids.
 */
export function findAppeared(
  journal: Journal,
  run: string,
  before: ListReading | undefined,
  now: ListReading,
): string[] | undefined {
  if (before === undefined || ![before, now].every((one) => isWhole(one) && one.idsShown)) return undefined;
  return journal
    .all<{ id: string }>(
      `SELECT id FROM temp.listed AS now WHERE reading = $now
         AND NOT EXISTS (SELECT 1 FROM temp.listed AS old WHERE old.reading = $before AND old.id = now.id)
         AND id NOT IN (SELECT remote_id FROM row WHERE run = $run AND op = 'send' AND remote_id IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM row WHERE run = $run AND op = 'send' AND barcode = now.barcode)
         AND NOT EXISTS (${SENT_BESIDE})
       ORDER BY no`,
      { run, before: before.listed.reading, now: now.listed.reading, step: before.step },
    )
    .map(({ id }) => id);
}
