import type { FileHandle } from 'node:fs/promises';
import { EventregError, EXIT, InputError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { emptyTally, type PlanTally, tallyEntry } from '../../report/plan/plan-tally.ts';
import { replaceFile } from '../../report/rejects/replace-file.ts';
import { parseHeader, type PlanHeader, storeHeader } from './plan-header.ts';
import { PlanLines, readPlanLines } from './plan-lines.ts';
import { parseEntry, type PlannedEntry, storeEntry } from './planned-entry.ts';

const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Saves a plan, readable by its owner only: it holds values of persons as they are. The file appears whole
 * or not at all, and is on the disk when this resolves, with how many entries are to become what.
 */
export async function writePlanFile(
  path: string,
  header: PlanHeader,
  entries: Iterable<PlannedEntry>,
): Promise<PlanTally> {
  try {
    return await replaceFile(path, (file) => writeLines(file, header, entries));
  } catch (cause) {
    // What the journal has to say is not about this file.
    if (cause instanceof EventregError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EventregError(EXIT.failed, `The plan cannot be written to ${visible(path)}: ${visible(why)}.`, {
      hint: 'Make room there, or choose another place with --plan-out.',
      cause,
    });
  }
}

async function writeLines(
  file: FileHandle,
  header: PlanHeader,
  entries: Iterable<PlannedEntry>,
): Promise<PlanTally> {
  const lines = new PlanLines();
  const tally = emptyTally();
  let pending = lines.next(storeHeader(header));
  for (const entry of entries) {
    tallyEntry(tally, entry);
    pending += lines.next(storeEntry(entry));
    if (pending.length < CHUNK_CHARACTERS) continue;
    await file.writeFile(pending);
    pending = '';
  }
  await file.writeFile(pending + lines.end({ counts: tally }));
  return tally;
}

/** What a plan says of itself, and what tells it from any other. */
export type ReadHeader = PlanHeader & { check: string };

/**
 * Reads a plan to its end, so that one that is damaged is refused before anything is done with it.
 * Throws an InputError with the line; `file` is its name for people.
 */
export async function readPlanHeader(path: string, file: string): Promise<ReadHeader> {
  let header: ReadHeader | undefined;
  for await (const { line, value, check } of readPlanLines(path, file)) {
    const known = line === 1 ? parseHeader(value) : parseEntry(value);
    if (known === undefined) throw unknownLine(file, line);
    if ('contentKey' in known) header = { ...known, check };
  }
  if (header === undefined) throw unknownLine(file, 1);
  return header;
}

/** An entry, and the line on which it stands. */
type EntryLine = PlannedEntry & { line: number };

/** The entries of a plan that was read before, one by one. Throws an InputError when it is another by now. */
export async function* readPlanEntries(
  path: string,
  file: string,
  header: Pick<ReadHeader, 'check'>,
): AsyncGenerator<EntryLine> {
  for await (const { line, value, check } of readPlanLines(path, file)) {
    if (line === 1) {
      if (check !== header.check) throw new InputError(`${file}: the plan was changed while it was read.`);
      continue;
    }
    const entry = parseEntry(value);
    if (entry === undefined) throw unknownLine(file, line);
    yield { ...entry, line };
  }
}

/** The error for a line that is whole, and yet says nothing that a plan can. */
export function unknownLine(file: string, line: number): InputError {
  return new InputError(`${file}:${line}: this is nothing that a plan has there.`, {
    hint: 'Make the plan again with --plan-out.',
  });
}
