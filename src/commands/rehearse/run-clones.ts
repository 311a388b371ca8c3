import { existsSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { EXIT, type ExitCode, UsageError } from '../../errors.ts';
import { removeFolder } from '../../put-in-place.ts';
import { backupsOfClone } from '../../rehearsal/clone/copy-memory.ts';
import { forgetService } from '../../sync/journal/forget-runs.ts';
import { Journal } from '../../sync/journal/journal.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import type { Runtime } from '../../runtime.ts';
import { RunLocks } from '../../sqlite/run-locks.ts';
import {
  refuseUsedClone,
  cloneFolder,
  cloneNames,
  removeLeftDrafts,
  cloneFile,
} from '../connect/clone-files.ts';
import { requireYes, isDrawn, printRecords, say, tellPrograms, type Call } from '../terminal/terminal.ts';
import * as z from 'zod';
import { describeCopy } from '../../sandbox/store/copied.ts';
import { sandboxService } from '../../report/words/service-name.ts';
import { KEPT } from './rehearse-options.ts';

const aboutClone = z.object({
  service: z.string(),
  eventId: z.string(),
  event: z.string(),
  kept: z.enum(KEPT),
  maskBarcodes: z.boolean(),
  madeAt: z.number(),
});
export type AboutClone = z.infer<typeof aboutClone>;

/** Said behind the number of its people. */
export const HOW: Readonly<Record<AboutClone['kept'], string>> = {
  none: ', since none were asked for',
  masked: ', masked',
  'as-they-are': ' as they are',
};

export interface CloneRecord {
  name: string;
  about: AboutClone;
  /** The event as the service showed it. */
  event: unknown;
  /** What the journal keeps its runs apart by. */
  service: string;
  registrations: number;
}

export function readClone(runtime: Pick<Runtime, 'paths'>, name: string): CloneRecord | undefined {
  const found = describeCopy(cloneFile(runtime.paths.state, name));
  if (found === undefined) return undefined;
  const { copied, instanceId, registrations } = found;
  const about = aboutClone.parse(copied.about);
  return { name, about, event: copied.event, service: sandboxService(instanceId, name), registrations };
}

/** The clone that is meant: the one that is named, or the only one there is. Throws UsageError. */
export function theClone(
  runtime: Pick<Runtime, 'paths'>,
  named: boolean | string,
  choose = 'Choose one with --sandbox=NAME',
): CloneRecord {
  const names = cloneNames(runtime.paths.state);
  const name = typeof named === 'string' ? named : names.length === 1 ? names[0] : undefined;
  const clone = name !== undefined && names.includes(name) ? readClone(runtime, name) : undefined;
  if (clone !== undefined) return clone;
  if (names.length === 0) {
    throw new UsageError('There is no clone yet.', { hint: 'Make one with `eventreg sandbox clone`.' });
  }
  throw new UsageError(name === undefined ? 'There are several clones.' : `There is no clone "${name}".`, {
    hint: `${choose}: ${names.join(', ')}.`,
  });
}

const COLUMNS = ['name', 'event', 'service', 'kept', 'registrations', 'made_at'];
/** For people: what is typed first. */
const WORDS = ['clone', 'people', 'made', 'event', 'service'];

/** Lists the clones of this machine. */
export async function runClones(call: Call): Promise<ExitCode> {
  const { options, runtime } = call;
  if (removeLeftDrafts(runtime.paths.state, new RunLocks(runtime.paths.state)) > 0)
    say(call, 'Removed what was left of a clone that was killed while it was made.');
  const drawn = isDrawn(options, runtime);
  const clones = cloneNames(runtime.paths.state).flatMap((name) => readClone(runtime, name) ?? []);
  const records = clones.map(({ name, about: { event, service, kept, madeAt }, registrations }) => {
    const made = new Date(madeAt).toISOString();
    return drawn
      ? { clone: name, people: `${formatCount(registrations)}${HOW[kept]}`, made, event, service }
      : { name, event, service, kept, registrations, made_at: made };
  });
  await printRecords(records, call, drawn ? WORDS : COLUMNS, ['sandbox-clones@1', 'clones']);
  return EXIT.done;
}

/** Removes a clone with its people, its key, what was kept of whom it lost, and what the journal knows of it. */
export async function removeClone(name: string, call: Call): Promise<ExitCode> {
  const { runtime } = call;
  const { state } = runtime.paths;
  const { service } = theClone(runtime, name, 'Name one of them: `eventreg sandbox reset NAME`; there are');
  refuseUsedClone(runtime, name);
  const folder = cloneFolder(state, name);
  const journal = new Journal(state);
  try {
    const kept = backupsOf(journal, service, runtime).here.length;
    const backups = kept === 0 ? '' : ` and ${plural(kept, 'backup', 'backups')} of what was deleted in it`;
    const question = `Remove the clone ${name} with its key${backups}?`;
    await requireYes(call, question, 'The clone is as it was.');
    forgetWithBackups(journal, service, call);
  } finally {
    journal.close();
  }
  removeFolder(folder);
  say(call, `The clone ${name} is gone.`);
  await tellPrograms(call, 'sandbox-reset@1', { file: folder });
  return EXIT.done;
}

/** What was kept of whom a clone has lost: in the state directory, and where somebody wanted it. */
function backupsOf(
  journal: Journal,
  service: string,
  { paths }: Runtime,
): { here: string[]; elsewhere: string[] } {
  const folder = resolve(paths.state, 'backups');
  const files = backupsOfClone(journal, service).filter((file) => existsSync(file));
  const isHere = (file: string): boolean => dirname(file) === folder;
  return { here: files.filter(isHere), elsewhere: files.filter((file) => !isHere(file)) };
}

/** Forgets a clone that is to be removed; its backups, which may have people as they are, go first. */
export function forgetWithBackups(journal: Journal, service: string, call: Call): void {
  const { here, elsewhere } = backupsOf(journal, service, call.runtime);
  for (const file of here) rmSync(file, { force: true });
  forgetService(journal, service);
  const backups = plural(here.length, 'backup', 'backups');
  if (here.length > 0) say(call, `${backups} of what was deleted in it: removed.`);
  for (const file of elsewhere)
    say(call, `A backup of what was deleted in it is left where you wanted it: ${file}`);
}
