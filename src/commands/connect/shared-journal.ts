import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { SharedStateError, UsageError } from '../../errors.ts';
import type { Clock } from '../../pacing/clock.ts';
import type { Runtime } from '../../runtime.ts';
import { writePrivateFile } from '../../settings/private-file.ts';
import { findStateAccess, type StateAccess } from '../../settings/shared-state.ts';
import type { SpaceOpener } from '../../state/open-space.ts';
import type { SpaceOptions } from '../../state/space-types.ts';
import { journalError } from '../../sync/journal/journal-schema.ts';
import { Journal } from '../../sync/journal/journal.ts';
import type { GlobalOptions } from '../options/options.ts';
import { type Call, say } from '../terminal/terminal.ts';

/** What a journal is opened for: `does` is what others are told who wait for it, as in "pushes guests.csv". */
export const READS: JournalUse = { reads: true };
export type JournalUse = { reads: true } | { reads: false; does: string; maxWaitMs: number | undefined };

type Quiet = Call<Pick<GlobalOptions, 'quiet' | 'profile'>>;

/**
 * Works with the journal of this machine, or with the state that it shares: then with the time of its
 * database, as all machines do. What practises with a sandbox stays on this machine.
 */
export async function withJournal<Result>(
  { options, runtime }: Call<Pick<GlobalOptions, 'sandbox' | 'quiet' | 'profile'>>,
  use: JournalUse,
  work: (journal: Journal, runtime: Runtime) => Promise<Result>,
): Promise<Result> {
  const access = options.sandbox ? undefined : await accessOf({ options, runtime });
  if (access === undefined) {
    if (!options.sandbox && runtime.env['EVENTREG_STATE'] === '')
      say(
        { options, runtime },
        'EVENTREG_STATE is empty: nothing is shared, and the state of this machine is used.',
      );
    const journal = new Journal(runtime.paths.state);
    try {
      return await work(journal, runtime);
    } finally {
      journal.close();
    }
  }
  const opener = await openerOf({ options, runtime }, access);
  const opened = await (use.reads ? opener.openToRead() : opener.openToWrite(use)).catch(
    async (error: unknown) => {
      await opener.close();
      throw unusable(error, runtime);
    },
  );
  const { journal, folder } = opened;
  const clock: Clock = aheadOf(runtime.clock, () => opener.aheadMs);
  let failure: { error: unknown } | undefined;
  try {
    recallBeside(journal, folder);
    const paths = { config: runtime.paths.config, state: runtime.paths.state, shared: folder };
    return await work(journal, withParts(runtime, { clock, paths }));
  } catch (error) {
    failure = { error };
    throw error;
  } finally {
    try {
      // Whoever has lost the turn can tell the others nothing more.
      if (!(failure?.error instanceof SharedStateError)) keepBeside(journal, folder, clock.now());
    } finally {
      // What went wrong first is told.
      await opened.end().catch((error: unknown) => {
        if (failure === undefined) throw error;
      });
    }
  }
}

/** How to get at the state that is shared with other machines; undefined where none is. */
export const accessOf = ({ options: { profile }, runtime: { env, paths } }: Quiet) =>
  findStateAccess({ profileFlag: profile, env, configDir: paths.config });

/** Works with the space that is shared, and leaves it closed. Throws UsageError where none is. */
export async function withSpace<Result>(
  call: Quiet,
  work: (opener: SpaceOpener) => Promise<Result>,
  access?: StateAccess,
): Promise<Result> {
  const known = access ?? (await accessOf(call));
  if (known === undefined) throw notShared();
  const opener = await openerOf(call, known);
  try {
    return await work(opener);
  } catch (error) {
    throw unusable(error, call.runtime);
  } finally {
    await opener.close();
  }
}

/** What the file system says of the copy of a space. */
function unusable(error: unknown, { paths }: Runtime): unknown {
  const isOfFiles = error instanceof Error && 'syscall' in error;
  return isOfFiles ? journalError(error, join(paths.state, 'spaces')) : error;
}

export const notShared = (): UsageError =>
  new UsageError('Nothing is shared: EVENTREG_STATE names no database.', {
    hint: 'Make a space with `eventreg state init postgres://…`: docs/team.md says how.',
  });

async function openerOf(call: Quiet, access: StateAccess): Promise<SpaceOpener> {
  const { SpaceOpener } = await import('../../state/open-space.ts');
  const { runtime } = call;
  const { paths, clock, stopping, aborting } = runtime;
  const { address, key } = await readAccess(access, runtime);
  return new SpaceOpener({
    address,
    key,
    stateDir: paths.state,
    clock,
    stopping,
    aborting,
    self: selfOf(runtime),
    tell: (text) => say(call, text),
  });
}

/** Address and key as they are used; what is secret of them is never printed. Throws UsageError for what is neither. */
export async function readAccess({ address: text, key: secret }: StateAccess, { env, secrets }: Runtime) {
  const { parseAddress, parseKey } = await import('../../settings/state-address.ts');
  const address = parseAddress(text, env);
  for (const one of [secret, address.connection.password ?? '']) if (one !== '') secrets.add(one);
  return { address, key: parseKey(secret) };
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

/** Where mappings are remembered: on this machine, or for all that share their state. */
export const mappingsFolder = ({ paths }: Pick<Runtime, 'paths'>): string => paths.shared ?? paths.config;

/** What is shared beside the runs: files of the copy, whose texts are kept with what was learnt. */
const FILES = ['mappings.json', 'pacing.json'];

const keptText = (journal: Journal, name: string): string | undefined =>
  journal.get<{ value: string }>(`SELECT value FROM learned WHERE service = '' AND name = $name`, { name })
    ?.value;

/** Writes them as the others have left them. */
function recallBeside(journal: Journal, folder: string): void {
  for (const name of FILES) {
    const text = keptText(journal, name);
    if (text !== undefined) writePrivateFile(join(folder, name), text);
  }
}

/** Keeps them for the others. */
function keepBeside(journal: Journal, folder: string, now: number): void {
  for (const name of FILES) {
    const file = join(folder, name);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    if (text === undefined || text === keptText(journal, name)) continue;
    journal.run(`INSERT OR REPLACE INTO learned (service, name, value, at) VALUES ('', ?, ?, ?)`, [
      name,
      text,
      now,
    ]);
  }
}
