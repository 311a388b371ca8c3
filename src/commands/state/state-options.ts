import type { Command } from 'commander';
import * as z from 'zod';
import { timeSpan } from '../options/budget-options.ts';
import { addHelp } from '../options/help.ts';
import { actionsOf, type Handler, optionsOf } from '../options/options.ts';
import { newFile } from '../options/written-file.ts';

const maxWait = timeSpan.optional();

const stateOptions = z.discriminatedUnion('action', [
  optionsOf('status', {}),
  /** Undefined: where EVENTREG_STATE says. */
  optionsOf('init', { url: z.string().optional() }),
  optionsOf('move', { maxWait }),
  optionsOf('take', {}),
  optionsOf('export', { file: newFile }),
  optionsOf('prune', { maxWait }),
]);
export type StateOptions = z.infer<typeof stateOptions>;

/** The options of one action. */
export type StateOptionsOf<Name extends StateOptions['action']> = Extract<StateOptions, { action: Name }>;

const HELP = `
What was sent, and all else that is remembered, is kept on this machine. Where EVENTREG_STATE names a PostgreSQL
database it is kept there, for every machine that has its key: CI, laptops and support go on with each other's
work. What is there is sealed with EVENTREG_STATE_KEY; who loses the key begins anew. One at a time writes;
whoever comes second waits, at most --max-wait. With --sandbox all stays on this machine.

Examples:
  eventreg state init postgres://eventreg:secret@db.example.com/eventreg?space=fair-2027
  eventreg state
  eventreg state move
  eventreg state take

Exit codes: 0 done · 1 the database or the key does not fit · 2 wrong usage · 6 gave up waiting · 7 not confirmed`;

/** Defines `eventreg state` with its actions on its command; `status` when none is given. */
export function defineState(command: Command, handle: Handler<StateOptions>): void {
  addHelp(command, HELP).description(
    'Share what was sent with other machines, through a PostgreSQL database.',
  );
  const define = actionsOf(command, stateOptions, handle, 'status');
  const waiting = [
    '--max-wait <time>',
    'the longest wait for whoever is at work, such as 90s or 1h',
  ] as const;
  define('status', 'show what is shared, who writes to it, and how this machine stands');
  define(
    'init [url]',
    'make the tables and a space in a database (that of EVENTREG_STATE), and print its key once',
  );
  define('move', 'bring what this machine knows into the space').option(...waiting);
  define('take', 'end the turn of another: it sends nothing more');
  define('export <file>', 'write what is shared to a file, as a journal of one machine');
  define('prune', 'pack the space into one snapshot: older changes go').option(...waiting);
}
