import { writeSync } from 'node:fs';
import type { Clock } from '../../pacing/clock.ts';

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
