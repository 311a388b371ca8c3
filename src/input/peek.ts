/** The beginning of a stream, and the whole of it. */
export interface Peeked {
  head: Buffer;
  /** True when the head is all there is. */
  ended: boolean;
  /** All chunks, the head first. Iterate once; ending early ends the source too. */
  all: AsyncGenerator<Buffer>;
}

/** Reads ahead until `enough` says so or the stream ends. On an error the source is closed. */
export async function peek(
  source: AsyncGenerator<Buffer>,
  enough: (head: Buffer) => boolean,
): Promise<Peeked> {
  let head: Buffer = Buffer.alloc(0);
  let ended = false;
  while (!ended && !enough(head)) {
    const next = await source.next();
    if (next.done === true) ended = true;
    else head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  return { head, ended, all: replay(head, source) };
}

async function* replay(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
