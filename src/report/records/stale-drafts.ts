import { lstat, opendir, readdir, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Begins the name of the folder in which a file of rejects grows; six characters follow. */
export const DRAFT_FOLDER = '.rejects-';
/** The growing file in it. */
export const DRAFT = 'draft';

const NAME = /^\.rejects-[A-Za-z0-9]{6}$/;
/** Nobody writes rejects for that long. */
const STALE_MS = 24 * 60 * 60_000;

/**
 * Removes the folders that killed pushes have left beside `own`, the folder of this one: those of the
 * same owner and mode, a day older, with a draft in them or nothing. Never fails, as tidying up is not
 * worth a file of rejects.
 */
export async function removeStaleDrafts(own: string): Promise<void> {
  try {
    const parent = dirname(own);
    for await (const { name } of await opendir(parent)) {
      if (NAME.test(name) && name !== basename(own)) await removeIfStale(join(parent, name), own);
    }
  } catch {
    // A folder that may be written to but not be listed.
  }
}

async function removeIfStale(folder: string, own: string): Promise<void> {
  try {
    if (!(await isStale(folder, own))) return;
    const names = await readdir(folder);
    if (names.some((name) => name !== DRAFT)) return;
    // Neither follows a link, and a folder with anything else in it stays.
    for (const name of names) await unlink(join(folder, name));
    await rmdir(folder);
  } catch {
    // Another push has been faster.
  }
}

/** Measured against the newest folder: its time is that of the file system, which may be another machine's. */
async function isStale(folder: string, own: string): Promise<boolean> {
  const [found, newest] = await Promise.all([lstat(folder), lstat(own)]);
  // The mode holds the kind as well: links and files are none of ours.
  const isOurs = found.uid === newest.uid && found.mode === newest.mode;
  return isOurs && newest.mtimeMs - found.mtimeMs > STALE_MS;
}
