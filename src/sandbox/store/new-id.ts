import type { Database } from './database.ts';
import type { Switches } from './switches.ts';

const FIRST_NUMBER = 1001;

/** The identifier of a new registration. `tag` keeps those of an earlier data set from meaning another record. */
export function newId(database: Database, idForm: Switches['idForm'], tag: string, seq: number): string {
  if (idForm === 'number') return String(FIRST_NUMBER - 1 + seq);
  if (idForm === 'reused') return String(lowestFree(database));
  return idForm === 'odd' ? `${tag}+${seq}/r=` : `reg-${tag}-${seq}`;
}

function lowestFree(database: Database): number {
  const taken = new Set(
    (database.prepare('SELECT id FROM registrations').all() as { id: string }[]).map(({ id }) => id),
  );
  let number = FIRST_NUMBER;
  while (taken.has(String(number))) number += 1;
  return number;
}
