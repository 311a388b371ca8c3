import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { EXIT } from '../../src/errors.ts';
import { type Bench, pushBench, visitors } from './push-bench.ts';

/** What somebody else registers or edits at the service itself. */
export interface ByHand {
  persona?: string;
  barcode?: string;
  parent_barcode?: string;
  enable_comms?: boolean;
  fields: Record<string, unknown>;
}

const HEADERS = { authorization: 'Bearer bench-token-1234', 'content-type': 'application/json' };

/** Barcodes of what the service holds, in its order. */
export const left = (bench: Bench): string[] => bench.kept().map(({ barcode }) => barcode);

/** The id of the registration with a barcode; empty when there is none. */
export const idOf = (bench: Bench, wanted: string): string =>
  bench.kept().find(({ barcode }) => barcode === wanted)?.id ?? '';

/** A bench whose service holds visitors with these barcodes, pushed from a file. */
export async function benchWith(
  people: readonly string[],
  switches: Parameters<typeof pushBench>[0] = {},
): Promise<Bench> {
  const bench = await pushBench(switches);
  const ended = await bench.push([bench.write('a.csv', visitors(...people))]);
  if (ended.code !== EXIT.done) throw new Error(ended.err);
  return bench;
}

/** The files that the bench has kept of what it deleted. */
export function backups(bench: Bench): string[] {
  const folder = join(bench.directory, 'state', 'backups');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** Registers or edits at the service itself, past the bench. */
export async function registerByHand(bench: Bench, registration: ByHand): Promise<void> {
  const answer = await fetch(`${bench.sandbox.baseUrl}/registration`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ persona: 'visitor', ...registration }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Deletes the registrations with a barcode at the service itself, past the bench. */
export async function deleteByHand(bench: Bench, barcode: string): Promise<void> {
  for (const { id } of bench.kept().filter((kept) => kept.barcode === barcode)) {
    // Where records show no id, the barcode is the id.
    const answers = [await deleteNamed(bench, id), await deleteNamed(bench, barcode)];
    if (!answers.some(({ ok }) => ok)) throw new Error(await answers[0]?.text());
  }
}

const deleteNamed = async (bench: Bench, name: string): Promise<Response> =>
  await fetch(`${bench.sandbox.baseUrl}/registration/${encodeURIComponent(name)}`, {
    method: 'DELETE',
    headers: HEADERS,
  });

/** Gives the registration with a barcode another id, as if the service had always called it so. */
export function giveId(bench: Bench, barcode: string, id: string): void {
  const database = new DatabaseSync(join(bench.directory, 'service.sqlite'));
  try {
    database.prepare('UPDATE registrations SET id = ? WHERE barcode = ?').run(id, barcode);
  } finally {
    database.close();
  }
}

/** Has the profile say that the service deletes by barcode. */
export function deleteByBarcode(bench: Bench): void {
  const config = join(bench.directory, 'config');
  mkdirSync(config, { recursive: true });
  const profiles = { default: { registrationId: 'barcode' } };
  writeFileSync(join(config, 'profiles.json'), JSON.stringify({ profiles }));
}
