import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readEvents } from './event-lines.ts';
import { FAST_PLACE } from './fast-place.ts';

/** A command that tells programs how it goes. */
export interface WatchedCommand {
  argv: readonly string[];
  /** Holds what it told against the schema once it has ended, by itself or killed. Throws what is wrong with it. */
  check: (how: { killed: boolean }) => void;
}

const FOLDER = 'eventreg-events-';

/** Lets a command line that can do so write its events to a file of its own. */
export function watched(given: readonly string[]): WatchedCommand {
  // Commands print themselves to be given again, with the file that they were given here.
  const own = given.findIndex((word, at) => given[at - 1] === '--events' && word.includes(FOLDER));
  const argv = own < 0 ? given : given.toSpliced(own - 1, 2);
  if (!tellsEvents(argv)) return { argv, check: () => undefined };
  const directory = mkdtempSync(join(FAST_PLACE, FOLDER));
  const file = join(directory, 'events.ndjson');
  return {
    argv: [...argv, '--events', file],
    check({ killed }) {
      try {
        // A command line that is wrong ends before it.
        if (existsSync(file)) readEvents(file, { killed });
      } finally {
        rmSync(directory, { recursive: true });
      }
    },
  };
}

function tellsEvents([command, second, ...argv]: readonly string[]): boolean {
  if (command !== 'push' && command !== 'delete' && !(command === 'runs' && second === 'undo')) return false;
  return !argv.some((word) => /^(?:--|--events|--help|--help-all)$/.test(word));
}
