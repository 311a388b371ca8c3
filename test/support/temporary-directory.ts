import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A fresh directory, removed when the test that asked for it has finished. */
export function temporaryDirectory(parent: string = tmpdir()): string {
  const directory = mkdtempSync(join(parent, 'eventreg-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
