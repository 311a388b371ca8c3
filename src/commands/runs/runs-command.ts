import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../../errors.ts';
import { nearest } from '../../input/source/nearest-name.ts';
import { Journal } from '../../runs/journal/journal.ts';
import type { Runtime } from '../../runtime.ts';
import { defineUndo, type UndoCommandOptions } from './define-undo.ts';
import { defineWhy, type WhyOptions } from './define-why.ts';
import type { Handler } from '../options/options.ts';
import { type DecideRowOptions, decideRow, defineDecideRow } from './runs-decide.ts';
import { defineListRuns, listAllRuns, type ListRunsOptions } from './runs-list.ts';
import { definePurgeRuns, purge, type PurgeRunsOptions } from './runs-purge.ts';
import { defineShowRun, showRun, type ShowRunOptions } from './runs-show.ts';

export type RunsOptions =
  | ListRunsOptions
  | ShowRunOptions
  | WhyOptions
  | DecideRowOptions
  | UndoCommandOptions
  | PurgeRunsOptions;

const HELP = `
A run is one execution of a push, a delete or an undo; dry runs and refused files are none. It is kept on this
machine, readable by you only, until it is purged: with \`eventreg runs purge\`, or by itself at the next push
once it is 30 days old, unless some of its rows are uncertain. A purged run cannot be gone on with, and its rows
are no longer known to have been sent.

Examples:
  eventreg runs
  eventreg runs show 20270301-4f9a2c
  eventreg runs show 20270301-4f --state failed --output csv
  eventreg runs why guests.xlsx:17
  eventreg runs decide 20270301-4f9a2c 17 sent
  eventreg runs undo 20270301-4f9a2c --dry-run
  eventreg runs purge 20270301-4f9a2c
  eventreg runs purge --older-than 7

Exit codes: 0 done · 1 the journal cannot be used · 2 no such run or row · 7 not confirmed, or a run at work`;

/** Defines `eventreg runs` with its actions on its command; `list` when none is given. */
export function defineRuns(command: Command, handle: Handler<RunsOptions>): void {
  command.description('Show what earlier runs did, and settle what is left of them.');
  command.addHelpText('after', HELP);
  const list = defineListRuns(command, handle);
  defineShowRun(command, handle);
  defineWhy(command, handle);
  defineDecideRow(command, handle);
  defineUndo(command, handle);
  definePurgeRuns(command, handle);
  refuseUnknownAction(command, list);
}

/**
 * Lets a command's default action tell a mistyped action from arguments that it does not take: `runs shwo`
 * is no list with an argument too many. Commander says the rest: exit 2.
 */
function refuseUnknownAction(command: Command, standard: Command): void {
  standard.allowExcessArguments().hook('preAction', () => {
    const [word] = standard.args;
    if (word === undefined) return;
    const meant = nearest(
      word,
      command.commands.map((action) => action.name()),
    );
    const suggestion = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
    command.error(`error: unknown action '${word}'${suggestion}`, { code: 'commander.unknownCommand' });
  });
}

/** Reads the journal, or changes what it says. Throws UsageError for an unknown run. */
export async function runRuns(options: RunsOptions, runtime: Runtime): Promise<ExitCode> {
  const journal = new Journal(runtime.paths.state);
  try {
    switch (options.action) {
      case 'list':
        await listAllRuns(journal, options, runtime);
        break;
      case 'show':
        await showRun(journal, options, runtime);
        break;
      case 'why': {
        const { tellWhy } = await import('./runs-why.ts');
        await tellWhy(journal, options, runtime);
        break;
      }
      case 'decide':
        await decideRow(journal, options, runtime);
        break;
      case 'undo': {
        const { undo } = await import('./runs-undo.ts');
        return await undo(journal, options, runtime);
      }
      case 'purge':
        await purge(journal, options, runtime);
    }
    return EXIT.done;
  } finally {
    journal.close();
  }
}
