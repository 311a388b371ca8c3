import { dirname } from 'node:path';
import { plural } from '../../report/words/number.ts';
import { isoTime } from '../../report/words/time-words.ts';
import { visible } from '../../report/words/escape.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import type { Head } from '../../state/space-types.ts';
import type { SpaceOpener } from '../../state/open-space.ts';
import { withSpace } from '../connect/shared-journal.ts';
import { type Call, tellPrograms } from '../terminal/terminal.ts';

/** Shows what is shared, who writes to it, and how this machine stands to it. */
export async function tellStanding(call: Call): Promise<void> {
  await withSpace(call, async (opener) => {
    const { head, copy, facts } = await factsOf(opener);
    await tellPrograms(call, 'state@1', facts);
    if (call.options.output !== 'table') return;
    const { atWork } = await import('../../state/space-errors.ts');
    const lines = [
      `Space "${facts.space}" at ${facts.where}: ${plural(facts.changes, 'change', 'changes')} since its snapshot`,
      head.leftMs > 0 ? `At work: ${atWork(head.holder)}` : 'Nobody is at work.',
      ...(facts.unshipped > 0
        ? [
            `This machine has ${plural(facts.unshipped, 'change', 'changes')} that the others do not know of yet.`,
          ]
        : []),
      ...(facts.gone_back
        ? [
            'What this machine knows is missing there: its database was restored, or another machine moved its state there.',
            ...(copy.isParted ? [await otherWay(head)] : []),
            'Either `eventreg state move` here puts what this machine knows in the place of what is there;',
            `or remove ${dirname(copy.folder)}, and this machine goes on with what is there: what it did is looked for in the service.`,
          ]
        : []),
      ...(facts.behind > 0 && !facts.gone_back
        ? [
            `This machine is ${plural(facts.behind, 'change', 'changes')} behind, and reads them with its next command.`,
          ]
        : []),
    ];
    writeMessage(call.runtime.stdout, lines.map(visible).join('\n'));
  });
}

/** What others did where a space has gone back. */
export async function otherWay({ holder }: Head): Promise<string> {
  const { nameOf } = await import('../../state/space-errors.ts');
  const last = holder === undefined ? '' : `, ${nameOf(holder)} last (${isoTime(holder.since) ?? ''})`;
  return `Others have written there since${last}.`;
}

async function factsOf(opener: SpaceOpener) {
  const { space } = opener;
  const { head, copy } = await opener.standing();
  const { holder } = head;
  const facts = {
    space: space.name,
    where: space.database.address.label,
    changes: head.number - head.base,
    at_work:
      head.leftMs === 0 || holder === undefined
        ? null
        : {
            user: holder.user,
            host: holder.host,
            does: holder.does,
            since: isoTime(holder.since) ?? '',
            job: holder.job ?? null,
          },
    unshipped: copy.unshipped,
    gone_back: copy.hasGoneBack,
    behind: Math.max(0, head.number - copy.number + copy.unshipped),
  };
  return { head, copy, facts };
}
