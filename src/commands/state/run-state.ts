import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT, type ExitCode, GuardError, UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import { isoTime } from '../../report/words/time-words.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import type { Runtime } from '../../runtime.ts';
import { makePrivateFile } from '../../sqlite/private-database.ts';
import type { SpaceOpener } from '../../state/open-space.ts';
import type { Head } from '../../state/space-types.ts';
import { Journal } from '../../sync/journal/journal.ts';
import { heldBy, listRuns, otherHolder } from '../../sync/journal/runs.ts';
import { accessOf, notShared, withJournal, withSpace } from '../connect/shared-journal.ts';
import { settleOutputFile } from '../terminal/output-file.ts';
import { type Call, requireYes, say, tellPrograms } from '../terminal/terminal.ts';
import type { StateOptions, StateOptionsOf } from './state-options.ts';

/** Makes, shows and moves what machines share. Throws UsageError where nothing says where that is. */
export async function runState(options: StateOptions, runtime: Runtime): Promise<ExitCode> {
  const { action } = options;
  if (action === 'init') await init({ options, runtime });
  else if (action === 'status') await tellStanding({ options, runtime });
  else if (action === 'move') await move({ options, runtime });
  else if (action === 'take') await take({ options, runtime });
  else if (action === 'export') await exportTo({ options, runtime });
  else await prune({ options, runtime });
  return EXIT.done;
}

/** The key is data, and printed this once. */
async function init(call: Call<StateOptionsOf<'init'>>): Promise<void> {
  const { options, runtime } = call;
  const { env, secrets, stdout } = runtime;
  const { makeKey } = await import('../../settings/state-address.ts');
  const key = makeKey();
  const address = options.url ?? env['EVENTREG_STATE'];
  if (address === undefined) throw notShared();
  const make = async (opener: SpaceOpener): Promise<void> => {
    // Of all that is printed this is the one place for it.
    secrets.delete(key);
    await opener.space.init();
    const { name, database } = opener.space;
    say(call, `Made the space "${name}" at ${database.address.label}.`);
    say(call, 'Keep this key: it is shown this once, and without it nobody can read what is there.');
    if (options.output === 'table') stdout.write(`EVENTREG_STATE_KEY=${key}\n`);
    await tellPrograms(call, 'state-init@1', { space: name, where: database.address.label, key });
    const next =
      'Set EVENTREG_STATE and EVENTREG_STATE_KEY on each machine, as secrets of the job in CI; `eventreg login --state` keeps them.';
    say(call, `${next} \`eventreg state move\` brings along what this machine knows.`);
  };
  await withSpace(call, make, { address, key });
}

/** What a copy of the space knows more than that goes first; else the journal of this machine, into a space that is empty. */
async function move(call: Call<StateOptionsOf<'move'>>): Promise<void> {
  const { options, runtime } = call;
  const { paths } = runtime;
  await withSpace(call, async (opener) => {
    const { name } = opener.space;
    const {
      head,
      copy: { hasGoneBack, isParted },
    } = await opener.standing();
    const local = join(paths.state, 'journal.sqlite');
    if (hasGoneBack) {
      const others = isParted ? ` ${await otherWay(head)} That goes, and their machines will say so.` : '';
      const question = `Put what this machine knows of the space "${name}" in the place of what is there (${plural(head.number, 'change', 'changes')})?${others}`;
      await requireYes(call, question, 'Nothing was moved.');
    } else if (head.number > 0) throw notEmpty(name);
    else if (!existsSync(local)) throw new UsageError(`There is nothing to move: ${local} is not there.`);
    else refuseRunsAtWork(paths.state);
    await opener.move(
      { does: 'moves its state', maxWaitMs: options.maxWait },
      hasGoneBack ? undefined : local,
    );
    if (!hasGoneBack)
      say(
        call,
        `Moved ${local} into the space "${name}". It stays where it is, and is not used while EVENTREG_STATE is set.`,
      );
    else say(call, `The space "${name}" knows what this machine knows.`);
    await tellPrograms(call, 'state-move@1', { space: name });
  });
  await withJournal(
    call,
    { reads: false, does: 'moves its mappings', maxWaitMs: options.maxWait },
    (_, shared) => {
      const [from, to] = [paths.config, shared.paths.shared ?? ''].map((folder) =>
        join(folder, 'mappings.json'),
      ) as [string, string];
      if (existsSync(from) && !existsSync(to)) copyFileSync(from, to);
      return Promise.resolve();
    },
  );
}

/** Throws a GuardError while a run of this machine's own journal is at work. */
function refuseRunsAtWork(stateDir: string): void {
  const journal = new Journal(stateDir);
  try {
    for (const run of listRuns(journal)) {
      const holder = otherHolder(journal, run);
      if (holder !== undefined) throw heldBy('The journal of this machine is used', holder, { run: run.id });
    }
  } finally {
    journal.close();
  }
}

const notEmpty = (space: string): GuardError =>
  new GuardError('busy', `The space "${space}" is not empty: what is there would be lost.`, {
    hint: 'Move into a space of its own: ?space=NAME, and `eventreg state init`.',
  });

async function take(call: Call<StateOptionsOf<'take'>>): Promise<void> {
  await withSpace(call, async (opener) => {
    const { atWork } = await import('../../state/space-errors.ts');
    const head = await opener.head();
    const { holder, leftMs } = head;
    const { name } = opener.space;
    if (leftMs === 0) say(call, `The space "${name}" is free.`);
    else {
      const question = `${atWork(holder)}. End that turn? It sends nothing more, and what is under way is looked for.`;
      await requireYes(call, question, 'Nothing was ended.');
      await endTurn(opener, head);
      say(call, 'It is ended: the next command goes on.');
    }
    await tellPrograms(call, 'state-take@1', { space: name, ended: leftMs === 0 ? null : atWork(holder) });
  });
}

/** By taking it, and giving it back. */
export async function endTurn({ space, options }: SpaceOpener, head: Head): Promise<void> {
  const own = await space.take({ ...options.self, does: 'takes over' }, head.epoch);
  if (own !== undefined) await space.giveBack(own.epoch);
}

async function exportTo(call: Call<StateOptionsOf<'export'>>): Promise<void> {
  const { file } = call.options;
  const wanted = { flag: 'export', file, inputs: [], content: 'with what is shared' };
  const path = await settleOutputFile(wanted, call);
  await withSpace(call, async (opener) => {
    rmSync(path, { force: true });
    makePrivateFile(path);
    await opener.export(path);
    say(
      call,
      `Wrote ${file}: as journal.sqlite in the state directory of a machine it is all that the space knows.`,
    );
    await tellPrograms(call, 'state-export@1', { file });
  });
}

async function prune(call: Call<StateOptionsOf<'prune'>>): Promise<void> {
  const { options } = call;
  if ((await accessOf(call)) === undefined) throw notShared();
  const use = { reads: false as const, does: 'packs the space', maxWaitMs: options.maxWait };
  await withJournal(call, use, (journal) => Promise.resolve(journal.compact()));
  say(call, 'Packed: the space is one snapshot.');
  await tellPrograms(call, 'state-prune@1', {});
}

/** Shows what is shared, who writes to it, and how this machine stands to it. */
async function tellStanding(call: Call): Promise<void> {
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
async function otherWay({ holder }: Head): Promise<string> {
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
