import type { Command } from 'commander';
import { UsageError } from '../../errors.ts';
import { nearest } from '../../input/source/nearest-name.ts';

/** What people type who know other tools, and what it is called here. */
const COMMANDS: Readonly<Record<string, string>> = {
  add: 'push',
  apply: 'push',
  auth: 'login',
  bundle: 'runs bundle',
  check: 'push --dry-run',
  config: 'profiles',
  configure: 'login',
  continue: 'push',
  create: 'push',
  demo: 'sandbox',
  diff: 'push --dry-run --diff',
  download: 'list --to guests.xlsx',
  explain: 'runs why',
  export: 'list --to guests.xlsx',
  fields: 'event fields',
  find: 'list --name',
  get: 'list',
  guests: 'list',
  history: 'runs',
  hooks: 'webhooks',
  import: 'push',
  init: 'login',
  log: 'runs',
  logs: 'runs',
  ls: 'list',
  personas: 'event personas',
  plan: 'push --dry-run',
  prune: 'push --prune',
  purge: 'runs purge',
  remove: 'delete',
  reset: 'sandbox reset',
  resume: 'push',
  retry: 'push',
  revert: 'runs undo',
  rm: 'delete',
  rollback: 'runs undo',
  sample: 'sandbox sample',
  schema: 'event schema',
  search: 'list --name',
  send: 'push',
  setup: 'login',
  show: 'list',
  status: 'runs',
  support: 'runs bundle',
  sync: 'push',
  template: 'event template',
  test: 'push --dry-run',
  undo: 'runs undo',
  update: 'push',
  upload: 'push',
  validate: 'push --dry-run',
  verify: 'push --dry-run',
  whoami: 'profiles',
  why: 'runs why',
};

/** The same for the actions of a command: the first that the command has. */
const ACTIONS: Readonly<Record<string, string>> = {
  add: 'create',
  clear: 'reset',
  columns: 'fields',
  delete: 'remove',
  edit: 'update',
  empty: 'reset',
  example: 'sample',
  explain: 'why',
  forget: 'purge',
  get: 'show',
  info: 'show',
  log: 'show',
  ls: 'list',
  new: 'create',
  remove: 'delete',
  resolve: 'decide',
  revert: 'undo',
  rm: 'delete remove',
  rollback: 'undo',
  run: 'start',
  select: 'use',
  serve: 'start',
  set: 'update',
  settle: 'decide',
  status: 'list',
  story: 'why',
  switch: 'use',
};

const UNKNOWN = /^(error: unknown command '([^']*)')(?:\s*\(Did you mean [^)]*\))?/;

/** The error for a message of the command line's parser, with what was probably meant. */
export function mistakeIn(message: string): UsageError {
  const [told = '', meant] = withOtherWord(message)
    .replace(/^error: /, '')
    .trim()
    .split(/\n\(|\)$/);
  return new UsageError(told, meant === undefined ? {} : { hint: meant });
}

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
    const meant = known.find((name) => names.includes(name)) ?? nearest(word, names);
    const suggestion = meant === undefined ? '' : `\n(Did you mean ${command.name()} ${meant}?)`;
    command.error(`error: unknown action '${word}'${suggestion}`, { code: 'commander.unknownCommand' });
  });
}

function ownEntry(table: Readonly<Record<string, string>>, word: string): string | undefined {
  const key = word.toLowerCase();
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
