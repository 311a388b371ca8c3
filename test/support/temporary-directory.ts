import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { FAST_PLACE } from './fast-place.ts';

/** A fresh directory, removed when the test that asked for it has finished. */
export function temporaryDirectory(parent: string = FAST_PLACE): string {
  const directory = mkdtempSync(join(parent, 'eventreg-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** One from which programs may be run: memory is often mounted so that none may. */
export const programDirectory = (): string => temporaryDirectory(tmpdir());
