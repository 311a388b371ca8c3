import { GuardError } from '../../errors.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import {
  checkMaxDelete,
  checkShares,
  type MaxDelete,
  type Share,
  type TooMany,
} from '../decide/delete-guard.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { Wanted } from './select.ts';

type GuardContext = Pick<SendContext, 'registrations'>;

/** Why a selection is more than may go, if it is. */
export async function findTooMany(
  wanted: Wanted,
  records: readonly RegistrationRecord[],
  maxDelete: MaxDelete,
  context: GuardContext,
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
  context: GuardContext,
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

async function countListed(which: { persona?: string }, { registrations }: GuardContext): Promise<number> {
  const { total, mismatched } = await registrations.page(which, 1, 1);
  if (total !== undefined && mismatched === 0) return total;
  let there = 0;
  await registrations.readAll(which, ({ records, restart }) => {
    there = records.length + (restart ? 0 : there);
  });
  return there;
}

/** Throws what is said when it would be too many. */
export function refuseTooMany(tooMany: TooMany | undefined, sequel: string): void {
  if (tooMany === undefined) return;
  const { problem, hint } = tooMany;
  throw new GuardError('max-delete', `${problem.replace(/^t/, 'T')}. ${sequel}`, { hint });
}
