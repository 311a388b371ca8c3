import * as z from 'zod';
import type { CiView } from '../../report/ci/told-problems.ts';
import type { RunReport } from '../../report/views/run-report.ts';

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
