import type { Command } from 'commander';
import { nearest } from '../../input/source/nearest-name.ts';

/**
 * Lets a command's default action tell a mistyped action from arguments that it does not take: `runs shwo`
 * is no list with an argument too many. Commander says the rest: exit 2.
 */
export function refuseUnknownAction(command: Command, standard: Command): void {
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
