import type { Writable } from 'node:stream';
import { EventregError, EXIT } from '../../errors.ts';

/** Writes text or bytes to a stream no faster than the stream takes it. */
export interface OutputSink {
  /** True once the reader has gone away (EPIPE): further writes do nothing. */
  readonly closed: boolean;
  /** Resolves when more may be written. Rejects when the stream has failed other than by EPIPE. */
  write(data: string | Uint8Array): Promise<void>;
  /** Resolves when everything has been handed over. Does not end the stream: it may be stdout. */
  flush(): Promise<void>;
}

/** A sink for a stream, with its own error listener until `flush`; the stream is not ended. */
export function createOutputSink(stream: Writable): OutputSink {
  let failure: NodeJS.ErrnoException | undefined;
  const onError = (error: NodeJS.ErrnoException) => {
    failure ??= error;
  };
  stream.on('error', onError);

  const closed = () => failure?.code === 'EPIPE';
  const check = () => {
    if (failure !== undefined && !closed()) throw outputError(failure);
  };
  return {
    get closed() {
      return closed();
    },
    async write(data) {
      check();
      if (closed() || stream.write(data)) return;
      await drained(stream);
      // Its event may still be to come, and would not while the next write waits for nothing.
      if (stream.errored) onError(stream.errored);
      check();
    },
    async flush() {
      check();
      if (closed()) return;
      // One that failed and is kept open, as that of a file is, would never answer.
      const error =
        stream.errored ??
        (await new Promise<Error | null | undefined>((resolve) => stream.write('', resolve)));
      if (error) onError(error);
      check();
      // A failed stream still has its error event to come, which must find a listener.
      if (!error) stream.off('error', onError);
    },
  };
}

/** Waits until the stream takes more, or is gone. */
function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const name of ['drain', 'error', 'close']) stream.off(name, done);
      resolve();
    };
    for (const name of ['drain', 'error', 'close']) stream.on(name, done);
    if (stream.destroyed || stream.errored) done();
  });
}

function outputError(cause: Error): EventregError {
  return new EventregError(EXIT.failed, `The output cannot be written: ${cause.message}.`, { cause });
}
