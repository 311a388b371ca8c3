import type { Journal } from './journal.ts';

/** What a service does with a registration whose barcode it has already. */
export type UpdateRule = 'update' | 'double' | 'refuse' | 'ignore';
/** What an update does to fields that are not sent: keep them, or empty them. */
export type UnsentRule = 'merge' | 'replace';

export interface Learned<Value extends string> {
  value: Value;
  /** When it was seen, in milliseconds since 1970. */
  at: number;
}

interface Rules {
  upsert: UpdateRule;
  unsent: UnsentRule;
  'knows by email': 'yes' | 'no';
  'knows by email-across': 'yes' | 'no';
  'knows by case': 'yes' | 'no';
}

/** Services change: after so long, things are seen anew. */
const TRUSTED_MS = 30 * 24 * 60 * 60 * 1000;

/** What was learnt of a service; undefined when nothing was, or too long ago. */
export function readLearned<Name extends keyof Rules>(
  journal: Journal,
  service: string,
  name: Name,
  now: number,
): Learned<Rules[Name]> | undefined {
  return journal.get<Learned<Rules[Name]>>(
    'SELECT value, at FROM learned WHERE service = $service AND name = $name AND at > $since',
    { $service: service, $name: name, $since: now - TRUSTED_MS },
  );
}

export function learn<Name extends keyof Rules>(
  journal: Journal,
  service: string,
  name: Name,
  value: Rules[Name],
  now: number,
): void {
  journal.run(
    `INSERT INTO learned (service, name, value, at) VALUES ($service, $name, $value, $at)
     ON CONFLICT (service, name) DO UPDATE SET value = excluded.value, at = excluded.at`,
    { $service: service, $name: name, $value: value, $at: now },
  );
}

/** Forgets how the service takes updates: what was seen since contradicts it. */
export function forgetUpdateRule(journal: Journal, service: string): void {
  journal.run(`DELETE FROM learned WHERE service = $service AND name IN ('upsert', 'unsent')`, {
    $service: service,
  });
}

/** Forgets that the service takes updates, so that the next one is read back before the others. */
export function doubtUpdateRule(journal: Journal, service: string): void {
  journal.run(`DELETE FROM learned WHERE service = $service AND name = 'upsert' AND value = 'update'`, {
    $service: service,
  });
}
