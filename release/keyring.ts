import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRawAsset } from 'node:sea';
import type * as keyring from '@napi-rs/keyring';

type Keyring = typeof keyring;

const ASSET = 'keyring.node';

/** In an executable, what `@napi-rs/keyring` is elsewhere: systems load machine code from files only. */
export const AsyncEntry: Keyring['AsyncEntry'] = load().AsyncEntry;

function load(): Keyring {
  const bytes = new Uint8Array(getRawAsset(ASSET) as ArrayBuffer);
  return process.platform === 'win32' ? loadKept(bytes) : loadOnce(bytes);
}

/** From a folder that nobody else can write to, and that is gone once the code is loaded. */
function loadOnce(bytes: Uint8Array): Keyring {
  const folder = mkdtempSync(join(tmpdir(), 'eventreg-'));
  try {
    const file = join(folder, ASSET);
    writeFileSync(file, bytes, { mode: 0o700, flag: 'wx' });
    return open(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Windows lets nobody remove what is loaded: the file stays, and is used again as long as it is the same. */
function loadKept(bytes: Uint8Array): Keyring {
  const folder = join(process.env['LOCALAPPDATA'] || tmpdir(), 'eventreg');
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const file = join(folder, `keyring-${digest}.node`);
  mkdirSync(folder, { recursive: true });
  if (!isSame(file, bytes)) replace(file, bytes);
  return open(file);
}

/** In one step. It fails where another start has loaded the file meanwhile, which has put the same there. */
function replace(file: string, bytes: Uint8Array): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, bytes);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    if (!isSame(file, bytes)) throw error;
  }
}

function isSame(file: string, bytes: Uint8Array): boolean {
  try {
    return readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}

function open(file: string): Keyring {
  const module = { exports: {} as Keyring };
  process.dlopen(module, file);
  return module.exports;
}
