import { extname, win32 } from 'node:path';
import { platform } from 'node:os';
import * as z from 'zod';
import type { CiView } from '../../report/ci/told-problems.ts';
import type { RunReport } from '../../report/views/run-report.ts';

/** Formats of files that commands write, as the ends of their names. */
export const WRITTEN_FORMATS = ['xlsx', 'csv', 'json', 'ndjson'] as const;
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number];

/** The value of `--to`: a file whose name says how it is written. */
export const writtenFile = z
  .string()
  .refine(
    (file) => writtenFormat(file) !== undefined,
    `takes the name of a file that ends in ${WRITTEN_FORMATS.map((format) => `.${format}`).join(', ')}`,
  );

/** The format that the name of a file asks for; undefined when it asks for none that is known. */
export function writtenFormat(file: string): WrittenFormat | undefined {
  const extension = extname(file).slice(1).toLowerCase();
  return WRITTEN_FORMATS.find((format) => format === extension);
}

/** What is wrong with such a name. */
export const RESERVED = 'has a name that Windows keeps for itself';

/** The name of a file that is made whatever its ending. */
export const newFile = z
  .string()
  .min(1)
  .refine((file) => !isReservedName(file), RESERVED);

/** Also with an ending, and also with the small digits that Windows takes for digits. */
const DEVICES = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\..*)?$/i;

/**
 * Whether Windows has another use for a name. Node.js would make a file of it all the same, which no other program
 * there could open or delete; the part after a colon would be hidden in a file of the name before it.
 */
export function isReservedName(file: string, system: string = platform()): boolean {
  if (system !== 'win32') return false;
  const name = win32.basename(file);
  return DEVICES.test(name) || /[. ]$|:/.test(name);
}

/** Of commands that work long: where they tell programs how it goes. */
export const eventsOption = {
  /** A file, or the number of a file descriptor. */
  events: newFile.optional(),
};

export interface EventsOptions {
  events?: string | undefined;
}

/** Writes a report to a file, which appears whole or not at all. */
type WriteReport = (path: string, report: RunReport, view: CiView) => Promise<void>;

/** The formats of reports, and what writes each: loaded when it is asked for. */
export const REPORT_FORMATS: Readonly<Record<string, () => Promise<WriteReport>>> = {
  html: async () => (await import('../../report/html/write-html.ts')).writeHtmlReport,
  junit: async () => (await import('../../report/ci/junit.ts')).writeJunitReport,
};

const NAMES = Object.keys(REPORT_FORMATS);

/** The values of `--report`, as they were typed. */
export const reportOption = z
  .array(
    z.string().refine((text) => {
      const { format, file } = splitReport(text);
      return NAMES.includes(format) && file !== '';
    }, 'takes a format and a file, as in html=report.html or junit=report.xml'),
  )
  .default([]);

/** The parts of `html=report.html`. */
export function splitReport(text: string): { format: string; file: string } {
  const at = text.indexOf('=');
  return { format: text.slice(0, Math.max(0, at)), file: text.slice(at + 1) };
}
