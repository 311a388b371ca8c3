import * as z from 'zod';
import { InputError } from '../../errors.ts';

/** A file that a plan was made of. */
export interface PlannedFile {
  /** As it was named, `-` for standard input. */
  file: string;
  /** Of its bytes, in hex. */
  sha256: string;
}

/** What was remembered for a set of headings, and went into the plan. */
export interface PlannedMapping {
  columns: readonly string[];
  /** Header → slug, label or reserved name. */
  map: readonly (readonly [header: string, target: string])[];
  ignore: readonly string[];
}

/** What a plan says beside its entries. */
export interface PlanHeader {
  /** ISO 8601. */
  createdAt: string;
  service: string;
  eventId: string;
  eventName: string;
  /** In which it was made: names of files are relative to it. */
  folder: string;
  files: readonly PlannedFile[];
  /** Everything that decides how rows are read and what is planned, answers to questions included. */
  options: Readonly<Record<string, unknown>>;
  remembered: readonly PlannedMapping[];
  /** The same rows, whatever their order, have the same. */
  contentKey: string;
}

const FORMAT = 'eventreg-plan';
const VERSION = 1;

const text = z.string();

const storedHeader = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  created_at: text,
  service: text,
  event_id: text,
  event_name: text,
  folder: text,
  files: z.array(z.object({ file: text, sha256: text })).min(1),
  options: z.record(text, z.unknown()),
  remembered: z.array(
    z.object({ columns: z.array(text), map: z.array(z.tuple([text, text])), ignore: z.array(text) }),
  ),
  content_key: text,
});

/** The first line of a plan, as it is stored. */
export function storeHeader(header: PlanHeader): z.input<typeof storedHeader> {
  return {
    format: FORMAT,
    version: VERSION,
    created_at: header.createdAt,
    service: header.service,
    event_id: header.eventId,
    event_name: header.eventName,
    folder: header.folder,
    files: header.files.map(({ file, sha256 }) => ({ file, sha256 })),
    options: { ...header.options },
    remembered: header.remembered.map(({ columns, map, ignore }) => ({
      columns: [...columns],
      map: map.map(([from, to]): [string, string] => [from, to]),
      ignore: [...ignore],
    })),
    content_key: header.contentKey,
  };
}

/** Reads the first line of a plan. Undefined when it is none of ours. */
export function parseHeader(value: unknown): PlanHeader | undefined {
  const parsed = storedHeader.safeParse(value);
  if (!parsed.success) return undefined;
  const { created_at, event_id, event_name, content_key, service, folder, files, options, remembered } =
    parsed.data;
  return {
    createdAt: created_at,
    service,
    eventId: event_id,
    eventName: event_name,
    folder,
    files,
    options,
    remembered,
    contentKey: content_key,
  };
}

/** Throws an InputError for a file that is no plan, and for one of a version that is not known here. */
export function refuseForeign(firstLine: string, file: string): void {
  const { format, version } = (parseJson(firstLine) ?? {}) as { format?: unknown; version?: unknown };
  if (format !== FORMAT) {
    throw new InputError(`${file}: this is no plan of eventreg.`, {
      hint: 'Make one with: eventreg push FILE --plan-out PLAN',
    });
  }
  if (typeof version === 'number' && version > VERSION) {
    throw new InputError(`${file}: this plan was written by a newer eventreg.`, {
      hint: 'Update eventreg, or make the plan again with this one.',
    });
  }
}

/** Undefined for what is no JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
