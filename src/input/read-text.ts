import { MAGIC_LENGTH, refuseBinary } from './file-kind.ts';
import { type InputSource, readBytes } from './input-source.ts';
import { type ChunkDecoder, Utf16Decoder, Utf8Decoder } from './text-decoder.ts';

/**
 * The text of a source as chunks of valid UTF-8 that are cut between characters, without byte order
 * mark and without NUL. Throws an InputError for files that are not text, naming the line where it can.
 */
export async function* readText(source: InputSource): AsyncGenerator<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  let decoder: ChunkDecoder | undefined;
  for await (const chunk of readBytes(source)) {
    if (decoder !== undefined) {
      yield decoder.push(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < MAGIC_LENGTH) continue;
    const opened = openText(head, source.file);
    decoder = opened.decoder;
    yield decoder.push(opened.rest);
  }
  if (decoder === undefined) {
    const opened = openText(head, source.file);
    decoder = opened.decoder;
    yield decoder.push(opened.rest);
  }
  decoder.end();
}

/** Chooses the decoder by the byte order mark and takes the mark off. */
function openText(head: Buffer, file: string): { decoder: ChunkDecoder; rest: Buffer } {
  refuseBinary(head, file);
  if (head[0] === 0xff && head[1] === 0xfe) {
    return { decoder: new Utf16Decoder(file, false), rest: head.subarray(2) };
  }
  if (head[0] === 0xfe && head[1] === 0xff) {
    return { decoder: new Utf16Decoder(file, true), rest: head.subarray(2) };
  }
  const marked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  return { decoder: new Utf8Decoder(file), rest: marked ? head.subarray(3) : head };
}
