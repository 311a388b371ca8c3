import { closeSync, constants, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EventregError, EXIT } from '../errors.ts';
import { jsonText } from '../report/json-text.ts';
import type { Runtime } from '../runtime.ts';
import type { Deletable } from './delete-selection.ts';
import { nestedRecord } from './registration-record.ts';

/** A record as push takes it back; without `enable_comms`, so that nobody is written to a second time. */
export function backupRecord(record: Deletable): Record<string, unknown> {
  return nestedRecord({ ...record, enableComms: undefined });
}

/** Writes NDJSON, readable by the owner only, and waits until it is on the disk. */
export function writeBackup(
  records: readonly Deletable[],
  chosen: string | undefined,
  runtime: Runtime,
): string {
  const file = chosen === undefined ? defaultBackup(runtime) : resolve(runtime.cwd, chosen);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      writeWhole(descriptor, records.map((record) => `${jsonText(backupRecord(record))}\n`).join(''));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return file;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EventregError(EXIT.failed, `The backup cannot be written, so nothing was deleted: ${reason}.`, {
      hint: 'Choose another place with --backup.',
      cause: error,
    });
  }
}

/** A full disk shows as a short count, not as an error. */
function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    const written = writeSync(descriptor, bytes, at);
    if (written === 0) throw new Error('the disk is full');
    at += written;
  }
}

function defaultBackup(runtime: Runtime): string {
  const stamp = new Date(runtime.clock.now())
    .toISOString()
    .replace(/[-:]/g, '')
    .replace('T', '-')
    .slice(0, 15);
  return join(runtime.paths.state, 'backups', `deleted-${stamp}-${runtime.self.pid}.ndjson`);
}
