import { GuardError } from '../../errors.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { nameSome, whoAre } from '../../report/words/who.ts';
import { plural } from '../../report/words/number.ts';
import {
  checkMaxDelete,
  checkShares,
  type Allowance,
  type Share,
  type TooMany,
} from '../decide/delete-guard.ts';
import { addDeletions, countDeleted, listsWithDeleted } from '../journal/delete-rows.ts';
import type { SendContext, Session } from '../journal/send-context.ts';
import { readShortList } from '../snapshot/read-now.ts';
import { removeAll } from './remove-all.ts';
import { keepIn, runRemoval, type RemovalContext } from './removal-run.ts';
import type { RemovalSummary } from './removal-summary.ts';
import { selectRegistrations, type Wanted } from './select.ts';
import { leftOfPersona, tellAbsent, tellHidden, warnOfMembers } from './removal-summary.ts';

/** How a delete ended, as data. */
export interface DeleteSummary extends RemovalSummary {
  /** Of what was to be deleted: refused, in doubt, not there, not tried, or listed only afterwards. */
  left: number;
  /** Of what was asked for, deleted by earlier commands. */
  gone: number;
  /** Ids and barcodes that no registration has. */
  absent: number;
  /** Without a persona or values in the list, so that the backup has none. */
  hidden: number;
  /** Files of pushes that have what was deleted: pushing them again brings back whom it still has. */
  lists: readonly string[];
}

/** Selects, guards, backs up on the disk, deletes. Throws what refuses it; what stops it later is in the summary. */
export async function runDelete(
  options: { wanted: Wanted; maxDelete: Allowance; dryRun: boolean },
  context: RemovalContext,
): Promise<DeleteSummary> {
  const { wanted, dryRun } = options;
  let told = { gone: 0, absent: 0, hidden: 0 };
  let unseen = 0;
  const summary = await runRemoval(
    { kind: 'delete', dryRun, refused: 'Nothing was deleted.' },
    async (sending) => {
      const { records, ...counts } = await choose(wanted, sending);
      told = counts;
      const tooMany = await findTooMany(wanted, records, options.maxDelete, sending);
      if (records.length > 0 && (dryRun || tooMany === undefined)) await warnOfMembers(records, sending);
      const question = describe(records, sending);
      const work = async (): Promise<undefined> => {
        const before = await readShortList(sending);
        await removeAll(sending, { before, keepParents: false, ...keepIn(sending) });
        unseen = await leftOfPersona(wanted, sending);
      };
      return { tooMany, question, work };
    },
    context,
  );
  const { settled, kept, uncertain, open, run } = summary;
  return {
    ...summary,
    left: settled + kept + uncertain + open + unseen,
    ...told,
    lists: run === undefined ? [] : listsWithDeleted(context.journal, context.target, run),
  };
}

/** Reads who is meant, and puts them on the list. An empty one is a mistake, unless an earlier command has done the work. */
async function choose(wanted: Wanted, context: SendContext) {
  const { journal, run, target } = context;
  const { persona } = wanted;
  const { records, absent: names } = await selectRegistrations(wanted, context);
  journal.transaction(() => addDeletions(journal, run, records));
  const { gone: named, absent } = tellAbsent(names, wanted, context);
  const hidden = tellHidden(records, context);
  const before = persona === undefined || records.length > 0 ? 0 : countDeleted(journal, target, persona);
  const gone = persona === undefined ? named : before;
  if (records.length === 0 && gone === 0) {
    const what =
      persona === undefined ? 'none of them is listed' : `no registration is of the persona ${persona}`;
    throw new GuardError('nothing-chosen', `There is nothing to delete: ${what}.`, {
      hint: 'See what is there with `eventreg list`.',
    });
  }
  return { records, gone, absent, hidden };
}

function describe(
  records: readonly RegistrationRecord[],
  { event, label, showValues }: RemovalContext & SendContext,
): string {
  const some = plural(records.length, 'registration', 'registrations');
  return `Delete ${some} from ${label}: ${nameSome(whoAre(records, fieldsOf(event)), showValues)}?`;
}

/** Why a selection is more than may go, if it is. */
async function findTooMany(
  wanted: Wanted,
  records: readonly RegistrationRecord[],
  maxDelete: Allowance,
  context: Session,
): Promise<TooMany | undefined> {
  const count = records.length;
  const isShare = maxDelete.kind === 'percent';
  const there = isShare && wanted.persona === undefined ? await countListed({}, context) : count;
  const shares = maxDelete.assumed === true ? await readShares(wanted, records, context) : [];
  return checkMaxDelete(count, there, maxDelete) ?? checkShares(shares, maxDelete, count)[0];
}

/** Of each persona, how many there are, and how many of them are chosen; of none where somebody has named each. */
async function readShares(
  { persona: all, pairs }: Wanted,
  records: readonly RegistrationRecord[],
  context: Session,
): Promise<Share[]> {
  if (all === undefined && pairs === undefined) return [];
  const shares: Share[] = [];
  for (const persona of [...new Set(records.flatMap((record) => record.persona ?? []))].sort()) {
    const going = records.filter((record) => record.persona === persona).length;
    shares.push({
      persona,
      going,
      there: all === undefined ? await countListed({ persona }, context) : going,
    });
  }
  return shares;
}

async function countListed(which: { persona?: string }, { registrations }: Session): Promise<number> {
  const { total, mismatched } = await registrations.page(which, 1, 1);
  if (total !== undefined && mismatched === 0) return total;
  let there = 0;
  await registrations.readAll(which, ({ records, restart }) => {
    there = records.length + (restart ? 0 : there);
  });
  return there;
}
