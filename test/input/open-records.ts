import type { StoredInput } from '../../src/input/source/stored-input.ts';
import { csvRecords, surveyText, type TextOptions, type TextSurvey } from '../../src/input/survey-text.ts';
import type { TableRecord } from '../../src/input/source/table-record.ts';

/** Nothing said by flags. */
const FOUND_OUT: TextOptions = {
  format: undefined,
  encoding: undefined,
  delimiter: undefined,
  quote: undefined,
};

/** What a whole text held. */
export interface WholeText {
  survey: TextSurvey;
  /** Line and cells. */
  records: unknown[][];
}

/** An input of these bytes that reads them in pieces which end at `cuts`. */
export function storedBytes(bytes: Buffer, cuts: readonly number[] = [], file = 'a.csv'): StoredInput {
  const ends = [...new Set([...cuts, bytes.length])].sort((a, b) => a - b);
  return {
    file,
    size: bytes.length,
    async *chunks(from = 0, to = bytes.length) {
      let start = from;
      for (const end of ends) {
        if (end > start) yield bytes.subarray(start, Math.min(end, to));
        start = Math.max(start, end);
      }
    },
    bytes: async (from, to) => bytes.subarray(from, to),
    checkUnchanged: async () => undefined,
    close: async () => undefined,
  };
}

/** Surveys a text. */
export function survey(
  text: string | Buffer,
  options: Partial<TextOptions> = {},
  file = 'a.csv',
): Promise<TextSurvey> {
  return surveyText(storedBytes(Buffer.from(text), [], file), { ...FOUND_OUT, ...options });
}

/** Surveys a CSV text and reads its records. */
export async function readRecords(
  text: string | Buffer,
  options: Partial<TextOptions> = {},
  cuts: readonly number[] = [],
): Promise<WholeText> {
  const input = storedBytes(Buffer.from(text), cuts);
  const found = await surveyText(input, { ...FOUND_OUT, ...options });
  const records: TableRecord[] = [];
  for await (const batch of csvRecords(input, found)) for (const record of batch) records.push(record);
  return { survey: found, records: records.map(({ line, cells }) => [line, ...cells]) };
}
