import { BaseStore } from '../../runs/journal/base-store.ts';
import type { Journal } from '../../runs/journal/journal.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { readKept, writeKept } from '../../settings/mappings.ts';
import type { MaskedBases } from './masked-bases.ts';

interface CopyParts {
  journal: Journal;
  /** Of the live service, and of the clone, as the journal tells them apart. */
  from: string;
  to: string;
  event: EventInfo;
  bases: MaskedBases;
  configDir: string;
  now: number;
}

/**
 * Takes along what this machine knows of an event: what it has learnt of the service, the base values, and what columns
 * are.
 */
export async function copyMemory({
  journal,
  from,
  to,
  event,
  bases,
  configDir,
  now,
}: CopyParts): Promise<void> {
  const { eventId } = event;
  journal.transaction(() => {
    journal.run(
      `INSERT OR REPLACE INTO learned (service, name, value, at)
       SELECT ?, name, value, at FROM learned WHERE service = ?`,
      [to, from],
    );
    // Of what is not listed any more nothing is written anew: its names and values are digests.
    journal.run(
      `INSERT OR IGNORE INTO base (service, event, name, pairs, at, expires_at)
       SELECT ?, event, name, pairs, at, expires_at FROM base WHERE service = ? AND event = ?`,
      [to, from, eventId],
    );
    bases.write(new BaseStore(journal, { service: to, eventId }, event.endDate), now);
  });
  const kept = readKept(configDir, { service: from, event: eventId });
  await writeKept(configDir, { service: to, event: eventId }, () => kept);
}

/** Forgets what belongs to a clone that is gone. */
export function forgetClone(journal: Journal, service: string): void {
  journal.transaction(() => {
    for (const table of ['learned', 'base']) journal.run(`DELETE FROM ${table} WHERE service = ?`, [service]);
  });
}
