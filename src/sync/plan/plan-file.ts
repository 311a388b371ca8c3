import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import * as z from 'zod';
import { EventregError, EXIT, InputError } from '../../errors.ts';
import { asInputError } from '../../input/source/input-source.ts';
import { emptyTally, type PlanTally, tallyEntry } from '../../report/plan/plan-block.ts';
import { replaceFile } from '../../report/records/replace-file.ts';
import { visible } from '../../report/words/escape.ts';
import { jsonText } from '../../report/words/data-text.ts';
import { readJson } from '../../service/contracts/json.ts';
import type { PlanEntry } from './plan-entries.ts';

/** What the first line of a plan begins with. */
const MARK = { format: 'eventreg-plan', version: 1 };

const CHUNK_CHARACTERS = 64 * 1024;
/** No line comes near it. */
const LONGEST_LINE = 32 * 1024 * 1024;

const text = z.string();

const planHeader = z.object({
  /** ISO 8601. */
  createdAt: text,
  service: text,
  eventId: text,
  eventName: text,
  /** In which it was made: names of files are relative to it. */
  folder: text,
  /** The files that it was made of: as they were named, `-` for standard input, and the digest of their bytes. */
  files: z.array(z.object({ file: text, sha256: text })).min(1),
  /** Everything that decides how rows are read and what is planned, answers to questions included. */
  options: z.record(text, z.unknown()),
  /** The same rows, whatever their order, have the same. */
  contentKey: text,
});

/** What a plan says beside its entries. */
export type PlanHeader = z.infer<typeof planHeader>;

/**
 * Saves a plan, readable by its owner only: it holds values of persons as they are. The file appears whole
 * or not at all, and is on the disk when this resolves, with how many entries are to become what.
 */
export async function writePlanFile(
  path: string,
  header: PlanHeader,
  entries: Iterable<PlanEntry>,
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

/** The header, a line an entry, and the digest of all of that. */
async function writeLines(
  file: FileHandle,
  header: PlanHeader,
  entries: Iterable<PlanEntry>,
): Promise<PlanTally> {
  const digest = createHash('sha256');
  const tally = emptyTally();
  let pending = `${jsonText({ ...MARK, ...header })}\n`;
  for (const entry of entries) {
    tallyEntry(tally, entry);
    pending += `${jsonText(entry)}\n`;
    if (pending.length < CHUNK_CHARACTERS) continue;
    digest.update(pending);
    await file.writeFile(pending);
    pending = '';
  }
  digest.update(pending);
  await file.writeFile(pending + lastLine(digest));
  return tally;
}

const LAST = '{"sha256":';

/** The last line of a plan whose other lines have the digest. */
const lastLine = (digest: Hash): string => `${LAST}"${digest.digest('hex')}"}\n`;

/** A plan that was saved. */
export interface SavedPlan {
  header: PlanHeader;
  /** As JSON, by their keys. */
  entries: Map<string, string>;
}

/** Reads a plan to its end, so that a damaged one is refused first. Throws an InputError; `file`: its name for people. */
export async function readPlanFile(path: string, file: string): Promise<SavedPlan> {
  const entries = new Map<string, string>();
  return { header: await readLines(path, file, entries), entries };
}

async function readLines(path: string, file: string, entries: SavedPlan['entries']): Promise<PlanHeader> {
  const digest = createHash('sha256');
  let header: PlanHeader | undefined;
  let isWhole = false;
  for await (const line of linesOf(path, file)) {
    if (isWhole) throw notAsWritten(file);
    if (header === undefined) header = readHeader(line, file);
    else if (line.startsWith(LAST)) isWhole = line === lastLine(digest.copy());
    else addEntry(line, file, entries);
    digest.update(line);
  }
  header ??= readHeader('', file);
  if (!isWhole) throw notAsWritten(file);
  return header;
}

/** Throws an InputError for what is none, and when there is one of its key already. */
function addEntry(line: string, file: string, entries: SavedPlan['entries']): void {
  const { key } = (readJson(line) ?? {}) as { key?: unknown };
  if (typeof key !== 'string' || entries.has(key)) throw notAsWritten(file);
  entries.set(key, line);
}

/** Throws an InputError for a file that is no plan, and for one of a version that is not known here. */
function readHeader(line: string, file: string): PlanHeader {
  const said = readJson(line);
  const { format, version } = (said ?? {}) as { format?: unknown; version?: unknown };
  if (format !== MARK.format) {
    throw new InputError(`${file}: this is no plan of eventreg.`, {
      hint: 'Make one with: eventreg push FILE --plan-out PLAN',
    });
  }
  if (version !== MARK.version) {
    throw new InputError(`${file}: this plan was written by a newer eventreg.`, {
      hint: 'Update eventreg, or make the plan again with this one.',
    });
  }
  const header = planHeader.safeParse(said).data;
  if (header === undefined) throw notAsWritten(file);
  return header;
}

/** The error for a plan that cannot be used. */
export const unusable = (file: string, why: string): InputError =>
  new InputError(`${file}: ${why}.`, { hint: 'Make the plan again with --plan-out.' });

const notAsWritten = (file: string): InputError =>
  unusable(file, 'this plan is not as it was written; it was edited, cut off or damaged');

/** Each with its line break, if it has one. Cut at line feeds only: what else ends lines somewhere does not do so here. */
async function* linesOf(path: string, file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
      for (const part of chunk.split(/(?<=\n)/)) {
        rest += part;
        // No such line was written: whoever reads it goes no further.
        if (!part.endsWith('\n') && rest.length < LONGEST_LINE) continue;
        yield rest;
        rest = '';
      }
    }
  } catch (error) {
    throw asInputError(error, file);
  }
  if (rest !== '') yield rest;
}
