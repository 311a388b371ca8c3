import { writeSync } from 'node:fs';
import type { EventLine } from '../../documents/event-lines.ts';
import { EventregError, EXIT } from '../../errors.ts';
import { EVENTS_VERSION, eventLines, isProgress } from '../../report/progress/event-record.ts';
import type { Reporter } from '../../report/views/events.ts';
import { isMadeId } from '../../registration/evidence/mask.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import type { Runtime } from '../../runtime.ts';
import type { TraceEntry } from '../../service/http/http.ts';
import { redactor } from '../../settings/redactor.ts';
import type { EventsOptions } from '../options/written-file.ts';
import type { GlobalOptions } from '../options/options.ts';
import { openEventPlace } from './event-place.ts';
import type { Call } from '../terminal/terminal.ts';
import type { Clock } from '../../pacing/clock.ts';

/** What programs read while a command works. */
export interface EventStream {
  /** A reporter whose events are written as well. */
  watch(reporter: Reporter): Reporter;
  /** An attempt at a request, answered or not. */
  request(entry: TraceEntry): void;
  /**
   * Once the command has done and said everything else: waits for the reader, and throws what has kept events from being
   * written.
   */
  end(): Promise<void>;
}

const PROGRESS_EVERY_MS = 1000;

/**
 * Opens what `--events` names, and writes its first line; the last is written when the command ends. Throws UsageError
 * where nothing can be written there, or where something else is. `inputs`: files that the command reads.
 */
export function openEvents(
  call: Call<GlobalOptions & EventsOptions>,
  inputs: readonly string[] = [],
): EventStream | undefined {
  const { options, runtime } = call;
  const { events, output } = options;
  if (events === undefined) return undefined;
  const { clock, env, version, onEnd, secrets, stderr, stopping } = runtime;
  const fd = openEventPlace(events, { output, inputs }, runtime);
  if (fd === undefined)
    writeMessage(stderr, `warning: nobody reads --events ${events}: its events are not written`);
  const writer = fd === undefined ? undefined : new LineWriter(fd, clock);
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
    const what = { type, time: new Date(now).toISOString(), run, ...line };
    writer?.write(`${redactor([...secrets])(homeless(runtime.document.text(what)))}\n`);
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
    async end() {
      await writer?.drain(stopping);
      const failure = writer === undefined ? 'nobody reads them' : writer.failure;
      if (failure === undefined) return;
      throw new EventregError(EXIT.failed, `The events could not all be written: ${failure}.`, {
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
function requestLine(entry: TraceEntry): EventLine {
  const { method, path, result, tookMs, remaining, requestId, answerId } = entry;
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

/** How far a reader may be behind before it is given up. */
const MOST_BYTES = 16 * 1024 * 1024;
/** How long a reader may take nothing, once all else is done. */
const PATIENCE_MS = 2000;
const PAUSE_MS = 50;

/**
 * Writes lines whole, one behind the other. What a pipe does not take at once waits here: neither the work nor Ctrl-C
 * may wait for whoever reads it. What cannot be written any more is no reason to stop.
 */
export class LineWriter {
  readonly #fd: number;
  readonly #clock: Clock;
  #isAsleep = false;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #isGone = false;
  /** Why nothing is written any more. Undefined also where the reader has gone: it has had enough. */
  failure: string | undefined;

  constructor(fd: number, clock: Clock) {
    this.#fd = fd;
    this.#clock = clock;
  }

  write(line: string): void {
    if (this.#isGone) return;
    const bytes = Buffer.from(line);
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    this.#flush();
    if (this.#bytes > MOST_BYTES) this.#giveUp('their reader is too far behind');
    if (this.#bytes > 0) void this.#tryLater();
  }

  async #tryLater(): Promise<void> {
    if (this.#isAsleep) return;
    this.#isAsleep = true;
    while (this.#bytes > 0) {
      await this.#clock.sleep(PAUSE_MS, undefined, { ref: false });
      this.#flush();
    }
    this.#isAsleep = false;
  }

  /** Writes what is taken now. */
  #flush(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      try {
        const written = writeSync(this.#fd, next);
        this.#bytes -= written;
        if (written === next.length) this.#waiting.shift();
        else this.#waiting[0] = next.subarray(written);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code !== 'EAGAIN') this.#giveUp(code === 'EPIPE' ? undefined : message);
        return;
      }
    }
  }

  /** Waits until everything is written, as long as somebody reads. */
  async drain(stopping: AbortSignal): Promise<void> {
    let before = this.#bytes;
    let untilMs = this.#clock.now() + PATIENCE_MS;
    for (this.#flush(); this.#bytes > 0; this.#flush()) {
      if (this.#bytes < before) untilMs = this.#clock.now() + PATIENCE_MS;
      if (stopping.aborted || this.#clock.now() >= untilMs) return this.#giveUp('nobody reads them');
      before = this.#bytes;
      await this.#clock.sleep(PAUSE_MS);
    }
  }

  #giveUp(failure: string | undefined): void {
    this.#isGone = true;
    this.#waiting = [];
    this.#bytes = 0;
    this.failure = failure;
  }
}
