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
    if (failure === undefined || closed()) return;
    throw new EventregError(EXIT.failed, `The output cannot be written: ${failure.message}.`, {
      cause: failure,
    });
  };
  /** Waits for room where there is none left, and with `all` until everything has been handed over. */
  const put = async (data: string | Uint8Array, all: boolean): Promise<void> => {
    // One that failed and is kept open, as that of a file is, would never answer.
    if (stream.errored) onError(stream.errored);
    check();
    if (closed()) return;
    await new Promise<void>((resolve) => {
      const hasRoom = stream.write(data, (error) => {
        if (error) onError(error);
        resolve();
      });
      if (hasRoom && !all) resolve();
    });
    check();
  };
  return {
    get closed() {
      return closed();
    },
    write: (data) => put(data, false),
    async flush() {
      await put('', true);
      // A failed stream still has its error event to come, which must find a listener.
      if (failure === undefined) stream.off('error', onError);
    },
  };
}
