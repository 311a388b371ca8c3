import { type Guest, guestLists } from './guests.ts';
import type { Scenario } from './scenarios.ts';

/** What is done with a scenario: in peace first, then under fire. */
export interface UnderFire {
  /** Files that are pushed in peace, one after the other. */
  before: readonly (readonly Guest[])[];
  /** The file that is there under fire. */
  file: readonly Guest[];
  /** The command that is killed, `run` being that of the last push in peace. */
  args: (facts: { file: string; run: string }) => string[];
  /** What the service holds when it is done. */
  expected: readonly Guest[];
  /** How many requests that change something it takes. */
  changes: number;
}

const ALL_MAY_GO = ['--yes', '--max-delete', '100%', '--json', '--quiet'];
/** Guests whom the mirror takes away: none of them leads a group. */
const PRUNED = new Set([2, 7, 13]);
/** Guests who are deleted: a leader with all of its members, a member and others. */
const DELETED = new Set([0, 1, 19, 3, 5, 8, 12]);

export function underFire({ command, data, concurrency }: Scenario): UnderFire {
  const { before, now } = guestLists(data);
  const toSend = now.filter(({ known }) => !known).length;
  const pushing = ['--json', '--quiet', '--concurrency', String(concurrency)];
  switch (command) {
    case 'push':
      return {
        before: before.length === 0 ? [] : [before],
        file: now,
        args: ({ file }) => ['push', file, ...pushing],
        expected: now,
        changes: toSend,
      };
    case 'prune': {
      const left = now.filter((_, at) => !PRUNED.has(at));
      return {
        before: [before],
        file: left,
        args: ({ file }) => ['push', file, '--prune', ...ALL_MAY_GO, '--concurrency', String(concurrency)],
        expected: left,
        changes: toSend + PRUNED.size,
      };
    }
    case 'delete':
      return {
        before: [now],
        file: now.filter((_, at) => DELETED.has(at)),
        args: ({ file }) => ['delete', '--file', file, ...ALL_MAY_GO],
        expected: now.filter((_, at) => !DELETED.has(at)),
        changes: DELETED.size,
      };
    default:
      return {
        before: [before, now],
        file: now,
        args: ({ run }) => ['runs', 'undo', run, ...ALL_MAY_GO],
        expected: before,
        changes: toSend,
      };
  }
}
