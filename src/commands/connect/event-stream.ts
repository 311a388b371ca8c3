import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EventLine } from '../../documents/event-lines.ts';
import { EventregError, EXIT, UsageError } from '../../errors.ts';
import { EVENTS_VERSION, eventLines, isProgress } from '../../report/progress/event-record.ts';
import type { Reporter } from '../../report/views/events.ts';
import { jsonText } from '../../report/words/json-text.ts';
import { isMadeId } from '../../report/words/made-id.ts';
import type { Runtime } from '../../runtime.ts';
import type { TraceEntry } from '../../service/http/trace.ts';
import { redactor } from '../../settings/redactor.ts';
import type { EventsOptions } from '../options/events-option.ts';
import type { GlobalOptions } from '../options/options.ts';

/** What programs read while a command works. */
export interface EventStream {
  /** A reporter whose events are written as well. */
  watch(reporter: Reporter): Reporter;
  /** An attempt at a request, answered or not. */
  request(entry: TraceEntry): void;
  /** Throws what has kept events from being written, once the command has done and said everything else. */
  end(): void;
}

const PROGRESS_EVERY_MS = 1000;

/**
 * Opens what `--events` names, and writes its first line; the last is written when the command ends. Throws UsageError
 * where nothing can be written there, or where something else is.
 */
export function openEvents(
  options: GlobalOptions & EventsOptions,
  runtime: Runtime,
): EventStream | undefined {
  const { events } = options;
  if (events === undefined) return undefined;
  const { clock, env, version, onEnd, secrets } = runtime;
  const writer = new LineWriter(openPlace(events, options, runtime));
  const homeless = withoutHome(env);
  let run: string | null = null;
  const told = new Map<number, string>();
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const tell = ({ type, ...line }: EventLine): void => {
    const now = clock.now();
    if (isProgress({ type })) {
      if (now - toldAtMs < PROGRESS_EVERY_MS) return;
      toldAtMs = now;
    }
    const text = jsonText({ type, time: new Date(now).toISOString(), run, ...line });
    writer.write(`${redactor([...secrets])(homeless(text))}\n`);
  };
  tell({ type: 'version', events: EVENTS_VERSION, eventreg: version });
  onEnd.add((exit) => tell({ type: 'end', exit }));
  return {
    watch: (reporter) => ({
      ...reporter,
      report(event) {
        if (event.type === 'run') {
          run = event.run;
          told.clear();
        }
        for (const line of eventLines(event, told)) tell(line);
        reporter.report(event);
      },
    }),
    request: (entry) => tell(requestLine(entry)),
    end() {
      if (writer.failure === undefined) return;
      throw new EventregError(EXIT.failed, `The events could not all be written: ${writer.failure}.`, {
        hint: 'All else was done; only its events are missing.',
      });
    },
  };
}

/** Says in JSON `~` for the home directory of whoever is at work: its name is theirs. */
function withoutHome(env: Runtime['env']): (json: string) => string {
  const home = env['HOME'] || env['USERPROFILE'] || '';
  if (home.length < 2) return (json) => json;
  const quoted = JSON.stringify(home).slice(1, -1);
  const path = new RegExp(`(?<![\\w.-])${quoted.replaceAll(/[^\w/]/g, '\\$&')}(?![\\w.-])`, 'g');
  return (json) => json.replace(path, '~');
}

/** Without its query: that may hold what somebody was looked for by. */
function requestLine({
  method,
  path,
  result,
  tookMs,
  remaining,
  requestId,
  answerId,
}: TraceEntry): EventLine {
  const left = Number(remaining ?? Number.NaN);
  return {
    type: 'request',
    method,
    path: path.replace(/\?.*$/s, ''),
    status: typeof result === 'number' ? result : null,
    error: typeof result === 'number' ? null : result,
    duration_ms: Math.max(0, Math.round(tookMs)),
    request_id: answerId !== undefined && isMadeId(answerId) ? answerId : requestId,
    budget_left: Number.isSafeInteger(left) && left >= 0 ? left : null,
  };
}

/** A descriptor that is open already, or a file that may be written over: a new one, an empty one, or one of events. */
function openPlace(events: string, { output }: GlobalOptions, { cwd }: Runtime): number {
  const refused = (why: string, hint: string): UsageError =>
    new UsageError(`--events ${events} ${why}.`, { hint });
  if (/^\d{1,6}$/.test(events)) {
    const fd = Number(events);
    const isTaken = fd === 0 || (fd === 1 && output !== 'table');
    if (isTaken || !isOpen(fd)) {
      const why = isTaken ? 'is in use for something else' : 'is no open file descriptor';
      throw refused(why, `Open another in the shell, as in: eventreg … --events 3 3> events.ndjson`);
    }
    return fd;
  }
  const path = resolve(cwd, events);
  if (!mayBeReplaced(path)) {
    throw refused('is there already, and holds no events', 'Choose another name: it would be overwritten.');
  }
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    throw refused(`cannot be written: ${(error as Error).message}`, 'Choose another place for it.');
  }
}

function isOpen(fd: number): boolean {
  try {
    fstatSync(fd);
    return true;
  } catch {
    return false;
  }
}

const BEGIN = '{"type":"version"';

/** Pipes and devices have nothing to lose; what cannot be looked at, opening it will tell of. */
function mayBeReplaced(path: string): boolean {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r+');
    if (!fstatSync(fd).isFile()) return true;
    const start = Buffer.alloc(BEGIN.length);
    const read = readSync(fd, start, 0, start.length, 0);
    return read === 0 || start.toString('latin1') === BEGIN;
  } catch {
    return true;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const FULL_PAUSE_MS = 10;

/** Writes each line whole before the work goes on. What cannot be written any more is no reason to stop. */
class LineWriter {
  readonly #fd: number;
  readonly #pause = new Int32Array(new SharedArrayBuffer(4));
  #isGone = false;
  /** Why nothing is written any more. Undefined also where the reader has gone: it has had enough. */
  failure: string | undefined;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(line: string): void {
    let rest = Buffer.from(line);
    while (!this.#isGone && rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === 'EAGAIN') {
          Atomics.wait(this.#pause, 0, 0, FULL_PAUSE_MS);
          continue;
        }
        this.#isGone = true;
        if (code !== 'EPIPE') this.failure = message;
      }
    }
  }
}
