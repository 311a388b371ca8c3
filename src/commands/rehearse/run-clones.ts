import { EXIT, type ExitCode } from '../../errors.ts';
import { removeFolder } from '../../put-in-place.ts';
import { forgetClone } from '../../rehearsal/clone/copy-memory.ts';
import { Journal } from '../../runs/journal/journal.ts';
import { visible } from '../../report/words/escape.ts';
import { formatCount } from '../../report/words/number.ts';
import type { Runtime } from '../../runtime.ts';
import { RunLocks } from '../../sqlite/run-locks.ts';
import { refuseUsedClone } from '../connect/clone-users.ts';
import { cloneFolder, cloneNames, removeLeftDrafts } from '../connect/clone-files.ts';
import type { GlobalOptions } from '../options/options.ts';
import { requireYes, isDrawn, printRecords, say, tellPrograms } from '../terminal/terminal.ts';
import { HOW, readClone, theClone } from './clone-record.ts';

const COLUMNS = ['name', 'event', 'service', 'kept', 'registrations', 'made_at'];
/** For people: what is typed first. */
const WORDS = ['clone', 'people', 'made', 'event', 'service'];

/** Lists the clones of this machine. */
export async function runClones(options: GlobalOptions, runtime: Runtime): Promise<ExitCode> {
  if (removeLeftDrafts(runtime.paths.state, new RunLocks(runtime.paths.state)) > 0)
    say(options, runtime, 'Removed what was left of a clone that was killed while it was made.');
  const drawn = isDrawn(options, runtime);
  const clones = cloneNames(runtime.paths.state).flatMap((name) => readClone(runtime, name) ?? []);
  const records = clones.map(({ name, about: { event, service, kept, madeAt }, registrations }) => {
    const made = new Date(madeAt).toISOString();
    return drawn
      ? { clone: name, people: `${formatCount(registrations)}${HOW[kept]}`, made, event, service }
      : { name, event, service, kept, registrations, made_at: made };
  });
  await printRecords(records, options, runtime, drawn ? WORDS : COLUMNS, ['sandbox-clones@1', 'clones']);
  return EXIT.done;
}

/** Removes a clone with its people, its key, and what the journal knows of it. */
export async function removeClone(name: string, options: GlobalOptions, runtime: Runtime): Promise<ExitCode> {
  const { state } = runtime.paths;
  const { service } = theClone(runtime, name, 'Name one of them: `eventreg sandbox reset NAME`; there are');
  refuseUsedClone(runtime, name);
  await requireYes(options, runtime, `Remove the clone ${name} with its key?`, 'The clone is as it was.');
  const folder = cloneFolder(state, name);
  const journal = new Journal(state);
  try {
    forgetClone(journal, service);
  } finally {
    journal.close();
  }
  removeFolder(folder);
  say(options, runtime, `The clone ${visible(name)} is gone.`);
  await tellPrograms(options, runtime, 'sandbox-reset@1', { file: folder });
  return EXIT.done;
}
