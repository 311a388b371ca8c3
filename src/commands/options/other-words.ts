import type { Command } from 'commander';
import { UsageError } from '../../errors.ts';
import { pathOf } from './help.ts';
import { nearest } from '../../input/source/nearest-name.ts';

/** What things are called here, and what people type who know other tools. */
const COMMANDS = byWord({
  delete: 'remove rm',
  'event fields': 'fields',
  'event personas': 'personas',
  'event schema': 'schema',
  'event template': 'template',
  list: 'get guests ls show',
  'list --name': 'find search',
  'list --to guests.xlsx': 'download export',
  login: 'auth configure init setup',
  profiles: 'config whoami',
  push: 'add apply continue create import resume retry send sync update upload',
  'push --dry-run': 'check plan test validate verify',
  'push --dry-run --diff': 'diff',
  'push --prune': 'prune',
  runs: 'history log logs status',
  'runs bundle': 'bundle support',
  'runs purge': 'purge',
  'runs undo': 'revert rollback undo',
  'runs why': 'explain why',
  sandbox: 'demo',
  'sandbox clone': 'clone copy rehearse',
  'sandbox mask': 'anonymise anonymize mask',
  'sandbox reset': 'reset',
  'sandbox sample': 'sample',
  webhooks: 'hooks',
});

/** The same for the actions of a command: the first that the command has. */
const ACTIONS = byWord({
  clone: 'copy',
  clones: 'list ls',
  create: 'add new',
  decide: 'resolve settle',
  delete: 'remove',
  'delete remove': 'rm',
  fields: 'columns',
  list: 'ls status',
  mask: 'anonymise anonymize',
  purge: 'forget',
  remove: 'delete',
  reset: 'clear empty remove',
  sample: 'example',
  show: 'get info log',
  start: 'run serve',
  undo: 'revert rollback',
  update: 'edit set',
  use: 'select switch',
  why: 'explain story',
});

const UNKNOWN = /^(error: unknown command '([^']*)')(?:\s*\(Did you mean [^)]*\))?/;

/** The error for a message of the command line's parser, with what was probably meant. */
export function mistakeIn(message: string): UsageError {
  const [told = '', meant] = withOtherWord(message)
    .replace(/^error: /, '')
    .trim()
    .split(/\n\(|\)$/);
  const hint = told.startsWith("unknown option '--set") ? OF_SANDBOX : meant;
  return new UsageError(told, hint === undefined ? {} : { hint });
}

const OF_SANDBOX =
  'Switches are set where the sandbox is served, `eventreg sandbox --set switch=value`, for requests to that.';

/** The message with what an unknown command is called here. */
function withOtherWord(message: string): string {
  const [, told, word = ''] = UNKNOWN.exec(message) ?? [];
  const meant = ownEntry(COMMANDS, word);
  if (told === undefined || meant === undefined) return message;
  return `${told}\n(Did you mean eventreg ${meant}?)\n`;
}

/**
 * Lets a command's default action tell a mistyped action from arguments that it does not take: `runs shwo`
 * is no list with an argument too many. Commander says the rest: exit 2.
 */
export function refuseUnknownAction(command: Command, standard: Command): void {
  standard.allowExcessArguments().hook('preAction', () => {
    const [word] = standard.args;
    if (word === undefined) return;
    const names = command.commands.map((action) => action.name());
    const known = ownEntry(ACTIONS, word)?.split(' ') ?? [];
    const meant =
      numbered(word, names) ??
      known.find((name) => names.includes(name)) ??
      actionBelow(command, word) ??
      nearest(word, names);
    const path = pathOf(command).replace(/^eventreg /, '');
    const suggestion = meant === undefined ? '' : `\n(Did you mean ${path} ${meant}?)`;
    command.error(`error: unknown action '${word}'${suggestion}`, { code: 'commander.unknownCommand' });
  });
}

/** A number alone is of what is to be shown. */
function numbered(word: string, names: readonly string[]): string | undefined {
  return /^\d+$/.test(word) && names.includes('show') ? `show ${word}` : undefined;
}

/** `deliveries show` for `show`: what an action of this command has. */
function actionBelow({ commands }: Command, word: string): string | undefined {
  const has = ({ commands: below }: Command): boolean => below.some((action) => action.name() === word);
  const action = commands.find(has);
  return action === undefined ? undefined : `${action.name()} ${word}`;
}

/** Turned round: what is typed, and what it is called here. */
function byWord(words: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const pairs = Object.entries(words).flatMap(([meant, typed]) =>
    typed.split(' ').map((word) => [word, meant]),
  );
  return Object.fromEntries(pairs) as Record<string, string>;
}

function ownEntry(table: Readonly<Record<string, string>>, word: string): string | undefined {
  const key = word.toLowerCase();
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
