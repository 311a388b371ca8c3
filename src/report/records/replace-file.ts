import { type FileHandle, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { DRAFT, DRAFT_FOLDER, removeStaleDrafts } from './stale-drafts.ts';

/**
 * Writes a file (mode 0600) that appears whole or not at all, replacing one of that name; it is on the
 * disk when this resolves. Until then it grows beside its place, in a folder that only its owner can
 * enter. Returns what `write` does; rejects as that does and as the file system does.
 */
export async function replaceFile<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(dirname(path), DRAFT_FOLDER));
  try {
    await removeStaleDrafts(folder);
    const draft = join(folder, DRAFT);
    const file = await open(draft, 'wx', 0o600);
    const result = await writeAndClose(file, write);
    await rename(draft, path);
    await syncFolder(dirname(path));
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeAndClose<T>(file: FileHandle, write: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    const result = await write(file);
    await file.sync();
    return result;
  } finally {
    await file.close();
  }
}

/** Without it a power cut may take the new name back. Windows opens no folders, and needs none of this. */
async function syncFolder(folder: string): Promise<void> {
  if (platform() === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
