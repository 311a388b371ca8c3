import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EventregError, EXIT } from '../../errors.ts';
import { makeDirectory } from '../../make-directory.ts';
import { syncFolder } from '../../put-in-place.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import { jsonText } from '../../report/words/data-text.ts';
import { NOTHING_CUT } from '../decide/base.ts';
import { valueOf } from '../decide/left-behind.ts';
import { completed } from '../decide/undo-judge.ts';
import type { Session } from '../journal/send-context.ts';
import { earlierSends } from '../journal/sent-facts.ts';
import type { ListReading } from '../snapshot/read-listed.ts';

/** Keeps registrations where push can take them back from; durable when it returns. Returns where. */
export type BackUp = (records: readonly RecordImage[]) => string;

/** A registration as it can be brought back, and the fields that are left out because nothing tells what they held. */
interface Kept {
  image: RecordImage;
  lacking: readonly string[];
}

/** What is not shown whole is as it was sent last, or left out: a push of it neither sends nor compares it then. */
export const asKept = (
  { journal, target, event }: Session,
  records: readonly RecordImage[],
  { sight = NOTHING_CUT, parentsShown = true }: Partial<Pick<ListReading, 'sight' | 'parentsShown'>> = {},
): Kept[] =>
  records.map((before) => {
    const said = earlierSends(journal, target, before);
    const facts = { fields: fieldsOf(event), sight, parentsShown, earlier: () => said };
    const { before: image } = completed({ sent: undefined, before, after: undefined }, undefined, facts);
    if (image?.fields === undefined) return { image: before, lacking: [] };
    const { persona = '', fields } = image;
    const parts = facts.fields(persona).filter((field) => !sight.isWhole(valueOf(image, field.slug), field));
    const isSaid = (slug: string) => said.some((one) => one.fields?.[slug] === (fields[slug] ?? ''));
    const lacking = parts.flatMap(({ slug }) => (isSaid(slug) ? [] : slug));
    const whole = Object.entries(fields).filter(([slug]) => !lacking.includes(slug));
    return { image: { ...image, fields: Object.fromEntries(whole) }, lacking };
  });

/** Where a backup goes when nobody says: a new file in the state directory. */
export function defaultBackupFile(stateDir: string, now: number, { pid }: { pid: number }): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return join(stateDir, 'backups', `deleted-${stamp}-${pid}-${randomUUID().slice(0, 4)}.ndjson`);
}

/**
 * Writes registrations as NDJSON that push takes back, readable by the owner only, to a file that is not there yet; one
 * that is there already with just this content is that. On the disk, with its folder, when this returns. Throws
 * EventregError (exit 1).
 */
export function writeBackup(file: string, records: Iterable<RecordImage>): void {
  try {
    makeDirectory(dirname(file));
    writeNew(file, [...records].map((record) => `${lineOf(record)}\n`).join(''));
    syncFolder(dirname(file));
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (isTaken && readFileSync(file, 'utf8') === text) return;
    if (!isTaken) rmSync(file, { force: true });
    throw error;
  }
}

function cannotWrite(file: string, cause: unknown): EventregError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const isTaken = (cause as NodeJS.ErrnoException).code === 'EEXIST';
  return new EventregError(EXIT.failed, `The backup cannot be written, so nothing was deleted: ${reason}.`, {
    hint: isTaken
      ? 'Choose a file that is not there yet.'
      : `Make room on the disk, and see that ${dirname(file)} can be written.`,
    cause,
  });
}

/** Whether a backup has some registrations just as they are. */
export function isInBackup(file: string, records: readonly RecordImage[]): boolean {
  const lines = new Set(readLines(file));
  return records.every((record) => lines.has(lineOf(record)));
}

/** What the registrations of a backup were known by: id, else barcode. Nothing where it cannot be read. */
export const namesInBackup = (file: string): ReadonlySet<string> =>
  new Set(
    readLines(file).map((line) => {
      const { registration_id: id, barcode } = JSON.parse(line) as Record<string, string | undefined>;
      return id ?? barcode ?? '';
    }),
  );

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

const lineOf = (record: RecordImage): string => jsonText(backupRecord(record));

/** A registration as push takes it; without `enable_comms`, so that nobody is written to a second time. */
export function backupRecord(image: RecordImage): Record<string, unknown> {
  const record = {
    registration_id: image.id,
    persona: image.persona,
    barcode: image.barcode,
    parent_barcode: image.parentBarcode,
    fields: image.fields,
  };
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
