import { readFileSync } from 'node:fs';
import { eventLineSchema } from '../../src/documents/event-lines.ts';

/** A line of `--events`. */
export interface EventLineRead extends Record<string, unknown> {
  type: string;
  time: string;
  run: string | null;
}

const SCHEMA = eventLineSchema();

/**
 * All lines of a file of events, each held against its schema: the first is its version, the last its end. Of a command
 * that was killed there may be no end, and the last line may be cut off.
 */
export function readEvents(path: string, { killed = false } = {}): EventLineRead[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  const cut = lines.pop() ?? '';
  if (cut !== '' && !killed) throw new Error(`The last line of ${path} is cut off: ${cut}`);
  const events = lines.map((line, at) => {
    const event = JSON.parse(line) as EventLineRead;
    const wrong = SCHEMA.safeParse(event).error?.message;
    if (wrong !== undefined) throw new Error(`Line ${at + 1} of ${path} is no event: ${line}\n${wrong}`);
    return event;
  });
  const types = events.map(({ type }) => type);
  const begins = types.lastIndexOf('version') === 0 || (killed && types.length === 0);
  const ends = types.indexOf('end') === (killed && !types.includes('end') ? -1 : types.length - 1);
  if (!begins || !ends) {
    throw new Error(`${path} does not begin with its version and end with its end: ${types.join(' ')}`);
  }
  return events;
}
