import type { Socket } from 'node:net';
import { messageLength } from './http-bytes.ts';

/** Reads a connection message by message. */
export class MessageReader {
  #bytes: Buffer = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#wake();
    });
    for (const event of ['end', 'close', 'error']) {
      socket.on(event, () => {
        this.#ended = true;
        this.#wake();
      });
    }
  }

  /** What came after the last whole message. */
  get rest(): Buffer {
    return this.#bytes;
  }

  /** The next whole message; undefined when the other side ends before it is. */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const length = messageLength(this.#bytes);
      if (length !== undefined) {
        const message = this.#bytes.subarray(0, length);
        this.#bytes = this.#bytes.subarray(length);
        return message;
      }
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
