import { jsonText } from '../words/json-text.ts';
import type { OutputSink } from './output-sink.ts';
import type { RecordFormat } from './record-columns.ts';

/** A JSON array with one record a line; `[]` when there is none. */
export function createJsonRecords(sink: OutputSink): RecordFormat {
  let first = true;
  return {
    async write(record) {
      const before = first ? '[\n  ' : ',\n  ';
      first = false;
      await sink.write(before + jsonText(record));
    },
    async end() {
      await sink.write(first ? '[]\n' : '\n]\n');
    },
  };
}

/** One JSON object a line. */
export function createNdjsonRecords(sink: OutputSink): RecordFormat {
  return {
    async write(record) {
      await sink.write(`${jsonText(record)}\n`);
    },
    async end() {},
  };
}
