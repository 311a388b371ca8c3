import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { plural } from '../../report/words/number.ts';
import type { StandingRow } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { Share } from '../decide/delete-guard.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { nameOf, wordForBarcodes } from '../delete/names.ts';
import { MEMBERS_AT_RISK } from '../delete/tell-findings.ts';
import { FileRows } from './file-rows.ts';
import { findPrunable, type Prunable } from './prune-find.ts';
import { findObstacles, type PruneOptions, refusal } from './prune-obstacles.ts';

type PruneContext = Pick<
  SendContext,
  'journal' | 'event' | 'target' | 'clock' | 'reporter' | 'limits' | 'registrations'
>;

/** What a push deletes. */
export interface PrunePlan {
  going: readonly RegistrationRecord[];
  /** How many that are once all other rows get through: none where one is in conflict. */
  deletes: number;
  /** Of each persona in the files, how many there are, and how many of them go. */
  shares: readonly Share[];
}

/**
 * The registrations that the service has and the files have no more, of the personas in the files. Throws GuardError
 * with everything that stands against deleting them.
 */
export function planPrune(
  context: PruneContext,
  { rows, reading }: { rows: Iterable<StandingRow>; reading: ListReading },
  options: PruneOptions,
): PrunePlan {
  const files = new FileRows(rows, fieldsOf(context.event));
  const prunable = findPrunable(context, files, reading, options.match);
  const word = wordForBarcodes(context);
  const obstacles = findObstacles({ rows: files, reading, prunable, word }, options);
  if (obstacles.length > 0) throw refusal(obstacles);
  if (prunable.kept.size > 0) context.reporter.report({ type: 'note', text: describeKept(prunable.kept) });
  if (prunable.going.length > 0 && !reading.parentsShown)
    context.reporter.report({ type: 'warning', text: MEMBERS_AT_RISK });
  const going = prunable.going.map(({ listed }) => listed.record);
  const isHeld = files.count(({ state }) => state === 'conflict') > 0;
  return { going, deletes: isHeld ? 0 : going.length, shares: prunable.shares };
}

/** Kept registrations that are named in a message. */
const NAMED = 10;

function describeKept(kept: Prunable['kept']): string {
  const some = plural(
    kept.size,
    'registration that the file does not have stays',
    'registrations that the file does not have stay',
  );
  const named = [...kept].slice(0, NAMED).map(([one, why]) => `${nameOf(one)} (${why})`);
  return `${some}: ${named.join(', ')}${kept.size > NAMED ? ', …' : ''}`;
}
