import { userInfo } from 'node:os';
import type { Clock } from '../../pacing/clock.ts';
import type { Runtime } from '../../runtime.ts';
import type { SpaceOpener, SpaceOptions } from '../../state/open-space.ts';
import { Journal } from '../../sync/journal/journal.ts';
import type { GlobalOptions } from '../options/options.ts';
import { say, type Call } from '../terminal/terminal.ts';
import { keepBeside, recallBeside } from './shared-files.ts';

/** What a journal is opened for: `does` is what others are told who wait for it, as in "pushes guests.csv". */
export const READS: JournalUse = { reads: true };
export type JournalUse = { reads: true } | { reads: false; does: string; maxWaitMs: number | undefined };

type Quiet = Call<Pick<GlobalOptions, 'quiet'>>;

/**
 * Works with the journal of this machine, or with the state that EVENTREG_STATE names: then with the time of its
 * database, as all machines do. What practises with a sandbox stays on this machine.
 */
export async function withJournal<Result>(
  { options, runtime }: Call<Pick<GlobalOptions, 'sandbox' | 'quiet'>>,
  use: JournalUse,
  work: (journal: Journal, runtime: Runtime) => Promise<Result>,
): Promise<Result> {
  if (!isShared(runtime) || options.sandbox) {
    const journal = new Journal(runtime.paths.state);
    try {
      return await work(journal, runtime);
    } finally {
      journal.close();
    }
  }
  const opener = await openerOf({ options, runtime });
  const opened = await (use.reads ? opener.openToRead() : opener.openToWrite(use)).catch(
    async (error: unknown) => {
      await opener.close();
      throw error;
    },
  );
  let failure: { error: unknown } | undefined;
  try {
    recallBeside(opened.journal, opened.folder);
    const clock: Clock = aheadOf(runtime.clock, () => opener.aheadMs);
    const paths = { config: runtime.paths.config, state: runtime.paths.state, shared: opened.folder };
    const result = await work(opened.journal, withParts(runtime, { clock, paths }));
    keepBeside(opened.journal, opened.folder, clock.now());
    return result;
  } catch (error) {
    failure = { error };
    throw error;
  } finally {
    // What went wrong first is told.
    await opened.end().catch((error: unknown) => {
      if (failure === undefined) throw error;
    });
  }
}

/** Whether the state is shared with other machines. */
export const isShared = ({ env }: Pick<Runtime, 'env'>): boolean => Boolean(env['EVENTREG_STATE']);

/** Works with the space that the environment names, and leaves it closed. */
export async function withSpace<Result>(
  call: Quiet,
  work: (opener: SpaceOpener) => Promise<Result>,
): Promise<Result> {
  const opener = await openerOf(call);
  try {
    return await work(opener);
  } finally {
    await opener.close();
  }
}

async function openerOf(call: Quiet): Promise<SpaceOpener> {
  const { SpaceOpener } = await import('../../state/open-space.ts');
  return new SpaceOpener(await spaceOptions(call));
}

/** What opens the space that the environment names. Throws UsageError where it names none, or no key. */
async function spaceOptions(call: Quiet): Promise<SpaceOptions> {
  const { runtime } = call;
  const { env, paths, clock, stopping, aborting } = runtime;
  const { parseAddress, parseKey } = await import('../../settings/state-address.ts');
  const address = parseAddress(env['EVENTREG_STATE'] ?? '', env);
  const secret = env['EVENTREG_STATE_KEY'] ?? '';
  for (const one of [secret, address.connection.password ?? '']) if (one !== '') runtime.secrets.add(one);
  const tell = (text: string): void => say(call, text);
  const key = parseKey(secret);
  return { address, key, stateDir: paths.state, clock, stopping, aborting, self: selfOf(runtime), tell };
}

/** Who this is, as others are told of it. */
function selfOf({ env, self }: Runtime): SpaceOptions['self'] {
  const job = jobOf(env);
  return {
    ...self,
    user: env['GITHUB_ACTOR'] ?? env['GITLAB_USER_LOGIN'] ?? userName(),
    ...(job && { job }),
  };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'somebody';
  }
}

/** Where the job is shown that this process is part of, where its environment tells. */
function jobOf(env: Runtime['env']): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  if (server !== undefined && repository !== undefined && run !== undefined)
    return `${server}/${repository}/actions/runs/${run}`;
  return env['CI_JOB_URL'] ?? env['CIRCLE_BUILD_URL'] ?? env['BUILD_URL'];
}

/** The same clock, as it would be at the database. */
const aheadOf = (clock: Clock, aheadMs: () => number): Clock => ({
  ...clock,
  now: () => clock.now() + aheadMs(),
  sleep: (ms, signal, options) => clock.sleep(ms, signal, options),
});

/** The same runtime but for some parts; what it gets only when asked for stays so. */
const withParts = (runtime: Runtime, parts: Partial<Runtime>): Runtime =>
  Object.create(runtime, Object.getOwnPropertyDescriptors(parts)) as Runtime;
