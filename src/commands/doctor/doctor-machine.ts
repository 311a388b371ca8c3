import { lstatSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { EventregError, EXIT } from '../../errors.ts';
import { makeDirectory } from '../../make-directory.ts';
import type { Call } from '../terminal/terminal.ts';
import { leftDrafts } from '../connect/clone-files.ts';
import { type Finding, type Findings, ok, problem, problemOf, warning } from './doctor-finding.ts';
import { accessOf, withSpace } from '../connect/shared-journal.ts';
import { given } from '../../settings/env.ts';
import { existingProfile, type Profile, readProfiles } from '../../settings/profiles.ts';
import type { SpaceOpener } from '../../state/open-space.ts';

const OLDEST_NODE = [20, 18, 1] as const;
const OPEN_TO_OTHERS = 0o077;

/** Checks this machine: versions, and the directories for settings and state. */
export async function* checkMachine(call: Call): Findings {
  const { runtime } = call;
  yield checkNode(runtime.nodeVersion);
  yield ok('eventreg', runtime.version);
  yield checkConfigDirectory(runtime.paths.config);
  yield checkStateDirectory(runtime.paths.state, runtime.self.pid);
  const shared = await lookAt(call);
  const journal =
    shared === undefined
      ? await checkJournal(runtime.paths.state)
      : ok('journal', 'not used while the state is shared');
  yield journal;
  if (journal.result === 'ok') yield* checkDrafts(runtime.paths.state);
  if (shared !== undefined) yield shared;
}

/** Whether Node.js is new enough. */
export function checkNode(version: string): Finding {
  const parts = version.replace(/^v/, '').split('.').map(Number);
  const at = OLDEST_NODE.findIndex((oldest, index) => (parts[index] ?? 0) !== oldest);
  const isOlder = at !== -1 && (parts[at] ?? 0) < (OLDEST_NODE[at] ?? 0);
  if (!isOlder) return ok('node', version);
  return problem('node', version, `Install Node.js ${OLDEST_NODE.join('.')} or later.`);
}

function checkConfigDirectory(directory: string): Finding {
  const check = 'config directory';
  try {
    const stats = statSync(directory, { throwIfNoEntry: false });
    if (stats === undefined) return ok(check, `${directory} (not there yet: \`eventreg login\` makes it)`);
    if (stats.isDirectory()) return checkPermissions(check, directory);
  } catch (error) {
    return problem(check, `${directory} cannot be looked into (${codeOf(error)})`, CONFIG_ADVICE, EXIT.usage);
  }
  return problem(check, `${directory} is no directory`, CONFIG_ADVICE, EXIT.usage);
}

const CONFIG_ADVICE = 'Move it away or mend its permissions, or set EVENTREG_CONFIG_DIR.';

function checkPermissions(check: string, directory: string): Finding {
  const files = ['profiles.json', 'credentials.json'].map((name) => join(directory, name));
  const open = [directory, ...files].filter(isOpenToOthers);
  if (open.length === 0) return ok(check, directory);
  return warning(
    check,
    `others may look into ${open.join(', ')}`,
    'Close it with chmod (700 for the directory, 600 for a file); ask for a new token if one was in it.',
  );
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown reason';
}

/** Windows keeps permissions elsewhere: there the mode says nothing. */
function isOpenToOthers(path: string): boolean {
  const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return platform() !== 'win32' && (mode & OPEN_TO_OTHERS) !== 0;
}

/** Writing is tried, because permissions do not tell of full or read-only disks. */
function checkStateDirectory(directory: string, pid: number): Finding {
  const check = 'state directory';
  const file = join(directory, `.doctor-${pid}.tmp`);
  try {
    makeDirectory(directory);
    try {
      writeFileSync(file, 'eventreg doctor\n', { mode: 0o600, flush: true });
    } finally {
      rmSync(file, { force: true });
    }
  } catch (error) {
    return problem(
      check,
      `${directory} cannot be written to (${codeOf(error)})`,
      'Make room, mend its permissions, or set EVENTREG_STATE_DIR. Nothing is sent without a journal.',
    );
  }
  if (!isOpenToOthers(directory)) return ok(check, directory);
  return warning(
    check,
    `others may look into ${directory}`,
    'Close it with chmod 700: it holds personal data.',
  );
}

/** One that is not there yet is left for the first push to make. */
async function checkJournal(directory: string): Promise<Finding> {
  const check = 'journal';
  const file = join(directory, 'journal.sqlite');
  try {
    // Loaded here, so that a library that does not fit this machine is a finding and not a crash.
    const { Journal } = await import('../../sync/journal/journal.ts');
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) {
      return ok(check, 'not there yet: the first push makes it');
    }
    new Journal(directory).close();
    return ok(check, file);
  } catch (error) {
    if (error instanceof EventregError) return problemOf(check, error);
    return problem(check, `it cannot be opened: ${String(error)}`, 'Install eventreg again for this system.');
  }
}

/** A clone that was killed while it was made has people in it, and no name to remove it by. */
async function* checkDrafts(directory: string): Findings {
  const { RunLocks } = await import('../../sqlite/run-locks.ts');
  const left = leftDrafts(directory, new RunLocks(directory));
  if (left.length === 0) return;
  yield warning(
    'clones',
    `unfinished ones are left: ${left.join(', ')}`,
    'Run `eventreg sandbox clones`, which removes them.',
  );
}

const CHECK = 'shared state';

/** The profile that is used, with what is to be said of it. */
export function chooseProfile({
  options: { profile: flag },
  runtime: { env, paths },
}: Call): { finding: Finding; profile: Profile } | { finding: Finding } {
  const check = 'profile';
  try {
    const store = readProfiles(paths.config);
    const { name, profile } = existingProfile(store, flag, env);
    const from =
      flag === undefined ? (env['EVENTREG_PROFILE'] ? 'EVENTREG_PROFILE' : 'the current one') : '--profile';
    const saved = store.get(name) === undefined ? ', nothing saved in it' : '';
    return { finding: ok(check, `${name} (${from}${saved})`), profile };
  } catch (error) {
    return { finding: problemOf(check, error, EXIT.usage) };
  }
}

/** Whether what is shared can be used, where it comes from, and who is at work there. Undefined where nothing is. */
async function lookAt({ options, runtime }: Call): Promise<Finding | undefined> {
  const { profile } = options;
  const isNamed = given(runtime.env, 'EVENTREG_STATE') !== undefined;
  // What is wrong with profiles is said of them.
  if (!isNamed && !('profile' in chooseProfile({ options, runtime }))) return undefined;
  try {
    const call = { options: { quiet: true, profile }, runtime };
    const access = await accessOf(call);
    if (access === undefined) return undefined;
    const from = isNamed ? 'EVENTREG_STATE' : 'the profile';
    const look = async (opener: SpaceOpener): Promise<Finding> => {
      const { copy } = await opener.standing();
      const { database, name } = opener.space;
      const { atWork, setBack } = await import('../../state/space-errors.ts');
      if (copy.hasGoneBack) throw setBack(name);
      const beganMs = runtime.clock.now();
      const { holder, leftMs } = await opener.head();
      const tookMs = runtime.clock.now() - beganMs;
      const [server] = await database.ask<{ server_version: string }>('SHOW server_version');
      const facts = [
        `space "${name}" at ${database.address.label} (${from})`,
        `PostgreSQL ${server?.server_version ?? ''}`,
        database.address.connection.ssl === false ? 'without TLS' : 'TLS',
        `answers in ${tookMs} ms`,
        'the key fits',
        leftMs > 0 ? atWork(holder) : 'nobody is at work',
      ];
      return ok(CHECK, facts.join(', '));
    };
    return await withSpace(call, look, access);
  } catch (error) {
    if (error instanceof EventregError) return problemOf(CHECK, error);
    return problem(CHECK, String(error), 'Install eventreg again for this system.');
  }
}
