import { GaveUpError, SharedStateError } from '../errors.ts';
import type { Head, Holder } from './space-types.ts';

/** "ana@ci-7", with the job that it is. */
export const nameOf = ({ user, host, job }: Pick<Holder, 'user' | 'host' | 'job'>): string =>
  `${user}@${host}${job === undefined ? '' : ` (${job})`}`;

/** "ana@ci-7 pushes guests.csv since 10:02 UTC". */
export function atWork(holder: Holder | undefined): string {
  if (holder === undefined) return 'somebody is at work';
  const since = new Date(holder.since).toISOString().slice(11, 16);
  return `${nameOf(holder)} ${holder.does} since ${since} UTC`;
}

export const notFree = (space: string, { holder }: Head): GaveUpError =>
  new GaveUpError(`The space "${space}" is not free, and --max-wait is over: ${atWork(holder)}.`, {
    hint: 'Nothing is lost: run it again later. `eventreg state take` ends the turn of somebody who is gone.',
  });

export const takenOver = (space: string, holder: Holder | undefined): SharedStateError =>
  new SharedStateError(
    `The turn in the space "${space}" has ended: ${holder === undefined ? 'somebody' : nameOf(holder)} took it. Nothing more is sent from here.`,
    { hint: 'The same command again waits for its turn, and goes on.' },
  );

/** The database has lost what it had said to have, or has something else in its place. */
export const setBack = (space: string): SharedStateError =>
  new SharedStateError(
    `The space "${space}" has gone back: what this machine knows is missing there. Its database was restored, or another machine moved its state there.`,
    { hint: 'Restore what is missing; or choose whose is to hold: `eventreg state` says how.' },
  );

export const damagedChange = (space: string, number: number): SharedStateError =>
  new SharedStateError(
    `Change ${number} of the space "${space}" is missing, damaged, or of another history.`,
    { hint: 'Restore its database; or begin again with a new space, and `eventreg state move`.' },
  );

export const noSpace = (space: string): SharedStateError =>
  new SharedStateError(`There is no space "${space}" in the database of EVENTREG_STATE.`, {
    hint: 'Make it with `eventreg state init`.',
  });

export const spaceExists = (space: string): SharedStateError =>
  new SharedStateError(`There is a space "${space}" in that database already.`, {
    hint: 'Use it with its key, or name another one: ?space=NAME at the end of the address.',
  });

export const otherShape = (space: string, isNewer: boolean): SharedStateError =>
  new SharedStateError(
    `The space "${space}" was written by ${isNewer ? 'a newer' : 'an older'} eventreg. It is left as it is.`,
    { hint: isNewer ? 'Update eventreg.' : 'Make another space with `eventreg state init`: ?space=NAME.' },
  );

export const otherKey = (space: string): SharedStateError =>
  new SharedStateError(`The key of the shared state is not that of the space "${space}".`, {
    hint: 'Set EVENTREG_STATE_KEY to the one that `eventreg state init` has printed, or run `eventreg login --state`.',
  });
