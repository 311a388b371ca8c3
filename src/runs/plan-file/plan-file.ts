import type { FileHandle } from 'node:fs/promises';
import * as z from 'zod';
import { EventregError, EXIT } from '../../errors.ts';
import { ROW_STATES } from '../../registration/model/row-state.ts';
import { emptyTally, type PlanTally, tallyEntry } from '../../report/plan/plan-tally.ts';
import { replaceFile } from '../../report/records/replace-file.ts';
import { visible } from '../../report/words/escape.ts';
import { jsonText } from '../../report/words/json-text.ts';
import type { PlanEntry } from '../compare/plan-entries.ts';
import { PLAN_ACTIONS } from '../judge/plan-action.ts';
import { EntryStore } from './entry-store.ts';
import { END, MARK, PlanLines, readPlanLines, unusable } from './plan-lines.ts';

const CHUNK_CHARACTERS = 64 * 1024;

const text = z.string();
const texts = z.array(text).readonly();

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
  /** What was remembered for a set of headings, and went into the plan. */
  remembered: z.array(z.object({ columns: texts, map: z.array(z.tuple([text, text])), ignore: texts })),
  /** The same rows, whatever their order, have the same. */
  contentKey: text,
});

/** What a plan says beside its entries. */
export type PlanHeader = z.infer<typeof planHeader>;

const fieldValue = z.union([text, texts]).optional();

const planEntry = z.object({
  key: text,
  action: z.enum([...PLAN_ACTIONS, 'delete']),
  place: z.object({ file: text, sheet: text.optional(), line: z.number() }).optional(),
  barcode: text.optional(),
  id: text.optional(),
  persona: text.optional(),
  state: z.enum(ROW_STATES),
  changes: z.array(
    z.object({
      field: text,
      before: fieldValue,
      after: fieldValue,
      left: z.enum(['kept', 'conflict']).optional(),
    }),
  ),
  why: text.optional(),
});

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

async function writeLines(
  file: FileHandle,
  header: PlanHeader,
  entries: Iterable<PlanEntry>,
): Promise<PlanTally> {
  const lines = new PlanLines();
  const tally = emptyTally();
  let pending = lines.next(jsonText({ ...MARK, ...header }));
  for (const entry of entries) {
    tallyEntry(tally, entry);
    pending += lines.next(jsonText(entry));
    if (pending.length < CHUNK_CHARACTERS) continue;
    await file.writeFile(pending);
    pending = '';
  }
  await file.writeFile(pending + lines.next(END));
  return tally;
}

/** A plan that was saved. */
export interface SavedPlan {
  header: PlanHeader;
  /** To be closed. */
  entries: EntryStore;
}

/**
 * Reads a plan to its end, so that one that is damaged is refused before anything is done with it.
 * Throws an InputError with the line; `file` is its name for people.
 */
export async function readPlanFile(path: string, file: string): Promise<SavedPlan> {
  const entries = new EntryStore();
  try {
    return { header: await readLines(path, file, entries), entries };
  } catch (error) {
    entries.close();
    throw error;
  }
}

async function readLines(path: string, file: string, entries: EntryStore): Promise<PlanHeader> {
  let header: PlanHeader | undefined;
  for await (const { line, json, value } of readPlanLines(path, file)) {
    if (line === 1) {
      header = planHeader.safeParse(value).data;
      if (header === undefined) throw unknownLine(file, line);
    } else {
      const entry = planEntry.safeParse(value).data;
      if (entry === undefined || !entries.add(entry.key, json)) throw unknownLine(file, line);
    }
  }
  if (header === undefined) throw unknownLine(file, 1);
  return header;
}

/** The error for a line that is whole, and yet says nothing that a plan can. */
function unknownLine(file: string, line: number): EventregError {
  return unusable(file, line, 'this is nothing that a plan has there');
}
