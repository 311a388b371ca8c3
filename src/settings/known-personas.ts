import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateDirectory } from './private-file.ts';

/** Slug and name. */
type KnownPersona = readonly [slug: string, name: string];

type Known = Readonly<Record<string, readonly KnownPersona[]>>;

/**
 * Notes which personas a service has, for the shell to complete them without asking it. Only a convenience: a file
 * that cannot be read or written is left alone.
 */
export function notePersonas(
  stateDir: string,
  service: string,
  personas: readonly { slug: string; name: string }[],
): void {
  const before = readKnown(stateDir);
  const known: Known = { ...before, [service]: personas.map(({ slug, name }) => [slug, name]) };
  const text = JSON.stringify(known);
  if (text === JSON.stringify(before)) return;
  try {
    makePrivateDirectory(stateDir);
    const draft = `${fileIn(stateDir)}.${randomUUID()}`;
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, fileIn(stateDir));
  } catch {
    // Somebody who completes words is not helped by an error of a push.
  }
}

/** All personas that were seen, of any service; each slug once. */
export function knownPersonas(stateDir: string): readonly KnownPersona[] {
  const all = Object.values(readKnown(stateDir)).flat();
  return [...new Map(all.map((persona) => [persona[0], persona])).values()];
}

function readKnown(stateDir: string): Known {
  try {
    const known: unknown = JSON.parse(readFileSync(fileIn(stateDir), 'utf8'));
    const entries = Object.entries(known ?? {}).map(([service, personas]: [string, unknown]) => [
      service,
      Array.isArray(personas) ? personas.filter(isKnownPersona) : [],
    ]);
    return Object.fromEntries(entries) as Known;
  } catch {
    return {};
  }
}

function isKnownPersona(value: unknown): value is KnownPersona {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}

function fileIn(stateDir: string): string {
  return join(stateDir, 'personas.json');
}
