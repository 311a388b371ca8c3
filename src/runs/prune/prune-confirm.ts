import { among, UNFINISHED } from '../../registration/model/row-states.ts';
import { GuardError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { formatCount } from '../../report/words/number.ts';
import { nameSome } from '../delete/name-some.ts';
import { countIn } from '../../sync/journal/queued-rows.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { countPersonas } from './prune-find.ts';
import type { SendContext, WorkContext } from '../../sync/journal/send-context.ts';

/** Deleting needs a yes of its own. Throws GuardError without one. `reading`: what the plan was made from. */
export async function confirmPrune(
  context: Pick<SendContext, 'journal' | 'run' | 'event'>,
  { confirm, showValues }: Pick<WorkContext, 'confirm' | 'showValues'>,
  reading: Pick<ListReading, 'listed'> | undefined,
): Promise<void> {
  const { journal, run } = context;
  const count = countIn(journal, run, UNFINISHED, 'delete');
  if (count === 0) return;
  const personas = readShares(journal, run, reading);
  const there = personas.reduce((sum, { listed }) => sum + listed, 0);
  const of = reading === undefined ? '' : ` of ${formatCount(there)}`;
  const some = `${formatCount(count)}${of} ${count === 1 && of === '' ? 'registration' : 'registrations'}`;
  const question = `Delete ${some} of ${describeShares(personas, reading !== undefined)} that the file does not have (--prune): ${nameSome(context, UNFINISHED, showValues)}?`;
  if (await confirm(visible(question))) return;
  throw new GuardError('confirmation', 'Nothing was sent or deleted.', {
    hint: 'Leave --prune out to send without deleting.',
  });
}

/** What is to go of a persona of the file, and how many the service holds. */
interface PersonaShare {
  persona: string;
  going: number;
  listed: number;
}

function readShares(
  journal: Journal,
  run: string,
  reading: Pick<ListReading, 'listed'> | undefined,
): PersonaShare[] {
  const shares = journal.all<{ persona: string; going: number }>(
    `SELECT persona, count(*) FILTER (WHERE op = 'delete' AND state ${among(UNFINISHED)}) AS going
     FROM row WHERE run = $run AND persona IS NOT NULL GROUP BY persona
     HAVING count(*) FILTER (WHERE op = 'send') > 0 ORDER BY persona`,
    { run },
  );
  const listed = countPersonas(reading?.listed.numbered() ?? []);
  return shares.map((share) => ({ ...share, listed: listed.get(share.persona) ?? 0 }));
}

/** `visitor`, or of several who loses how many: `exhibitor (1 of 1), visitor (5 of 100)`. */
function describeShares(shares: readonly PersonaShare[], isRead: boolean): string {
  if (shares.length === 1 || !isRead) return shares.map(({ persona }) => persona).join(', ');
  return shares
    .map(({ persona, going, listed }) => `${persona} (${formatCount(going)} of ${formatCount(listed)})`)
    .join(', ');
}
