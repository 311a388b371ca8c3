/** An HTTP/1.1 message taken apart; chunks are joined. */
export interface HttpMessage {
  /** Request line or status line. */
  start: string;
  /** `Name: value`, as they came. */
  headers: readonly string[];
  body: Buffer;
}

const HEAD_END = '\r\n\r\n';

/** How many of the bytes are the first message, a request or an answer; undefined while some are missing. */
export function messageLength(bytes: Buffer): number | undefined {
  const at = bytes.indexOf(HEAD_END);
  if (at < 0) return undefined;
  const bodyAt = at + HEAD_END.length;
  const { headers } = readHead(bytes, at);
  if (isChunked(headers)) return readChunks(bytes, bodyAt)?.end;
  const end = bodyAt + Number(headerOf(headers, 'content-length') ?? 0);
  return bytes.length < end ? undefined : end;
}

/** Takes a whole message apart. Throws when it is not whole. */
export function parseMessage(bytes: Buffer): HttpMessage {
  const end = messageLength(bytes);
  if (end === undefined) throw new Error(`Not a whole message: ${JSON.stringify(bytes.toString('latin1'))}`);
  const at = bytes.indexOf(HEAD_END);
  const { start, headers } = readHead(bytes, at);
  const bodyAt = at + HEAD_END.length;
  const chunks = isChunked(headers) ? readChunks(bytes, bodyAt)?.body : undefined;
  return { start, headers, body: chunks ?? bytes.subarray(bodyAt, end) };
}

/** The bytes of a message whose headers are taken as they are, whatever they say of the body. */
export function toBytes({ start, headers, body }: HttpMessage): Buffer {
  return Buffer.concat([Buffer.from([start, ...headers].join('\r\n') + HEAD_END), body]);
}

/** The message with other headers about how its body is delimited and what becomes of the connection. */
export function reframed(message: HttpMessage, headers: readonly string[]): HttpMessage {
  const FRAMING = /^(?:content-length|transfer-encoding|connection|keep-alive):/i;
  return { ...message, headers: [...message.headers.filter((line) => !FRAMING.test(line)), ...headers] };
}

/** A body in two chunks and the empty one that ends it. */
export function toChunks(body: Buffer): Buffer[] {
  const half = Math.ceil(body.length / 2);
  return [chunk(body.subarray(0, half)), chunk(body.subarray(half)), Buffer.from('0\r\n\r\n')];
}

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

function readHead(bytes: Buffer, end: number): { start: string; headers: string[] } {
  const [start = '', ...headers] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  return { start, headers };
}

function headerOf(headers: readonly string[], name: string): string | undefined {
  const line = headers.find((header) => header.toLowerCase().startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim();
}

function isChunked(headers: readonly string[]): boolean {
  return headerOf(headers, 'transfer-encoding')?.toLowerCase() === 'chunked';
}

/** Joins chunks up to the empty one; undefined while it is missing. Trailers are not known here. */
function readChunks(bytes: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), end: next };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
