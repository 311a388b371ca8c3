import type { Socket } from 'node:net';
import { type HttpMessage, parseMessage, reframed, toBytes, toChunks } from './http-bytes.ts';
import { MessageReader } from './message-reader.ts';
import { passOn, type WireFault } from './tcp-fault-proxy.ts';

/** How a connection is ended: with FIN, or with RST. */
type Ending = 'close' | 'reset';

/** How many of a message's bytes get through. */
export type Part = (bytes: Buffer) => number;

export const inHead: Part = (bytes) => Math.floor(bytes.indexOf('\r\n\r\n') / 2);
export const afterHead: Part = (bytes) => bytes.indexOf('\r\n\r\n') + 4;
export const inBody: Part = (bytes) => Math.floor((afterHead(bytes) + bytes.length) / 2);
export const allButOne: Part = (bytes) => bytes.length - 1;
export const none: Part = () => 0;

/** Neither HTTP nor UTF-8 nor JSON. */
export const GARBAGE: Buffer = Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0xfe, 0x0d, 0x0a, 0x00, 0x80]);

/** The service gets the first bytes of the request; then both connections end. */
export function cutRequest(part: Part, ending: Ending = 'close'): WireFault {
  return async ({ request, client, dial }) => {
    const bytes = request.bytes.subarray(0, part(request.bytes));
    if (bytes.length > 0) {
      const service = await dial();
      await written(service, bytes);
      end(service, ending);
    }
    end(client, ending);
  };
}

/** The client gets the first bytes of the answer; then its connection ends. */
export function cutAnswer(part: Part, ending: Ending = 'close'): WireFault {
  return async ({ client, deliver }) => {
    const answer = await deliver();
    const bytes = answer.subarray(0, part(answer));
    if (bytes.length > 0) await written(client, bytes);
    end(client, ending);
  };
}

/** Nothing reaches the service until the test lets it go. */
export const stallRequest: WireFault = async (wire) => {
  await wire.hold();
  await passOn(wire);
};

/** The service has the request; the answer stops after its first bytes until the test lets it go. */
export function stallAnswer(part: Part): WireFault {
  return async ({ client, deliver, hold }) => {
    const answer = await deliver();
    const at = part(answer);
    if (at > 0) await written(client, answer.subarray(0, at));
    await hold();
    client.write(answer.subarray(at));
  };
}

/** The client's connection ends at once; the service gets the request when the test lets it go. */
export const deliverLate: WireFault = async ({ client, deliver, hold }) => {
  client.destroy();
  await hold();
  await deliver();
};

/** The service gets the request twice; the client gets the first answer. */
export const deliverTwice: WireFault = async ({ client, deliver }) => {
  const answer = await deliver();
  await deliver();
  client.write(answer);
};

/** All is well, and when the test lets it go the service gets the request once more. */
export const deliverAgainLate: WireFault = async ({ client, deliver, later }) => {
  client.write(await deliver());
  later(deliver);
};

/** The service gets the request byte by byte. */
export const slowRequest: WireFault = async ({ request, client, dial }) => {
  const service = await dial();
  const reader = new MessageReader(service);
  await drip(service, request.bytes);
  client.write((await reader.next()) ?? reader.rest);
  service.destroy();
};

/** The client gets the answer byte by byte. */
export const slowAnswer: WireFault = async ({ client, deliver }) => {
  await drip(client, await deliver());
};

/** The service is told that nothing more comes, and answers all the same. */
export const halfCloseAfterRequest: WireFault = async ({ request, client, dial }) => {
  const service = await dial();
  const reader = new MessageReader(service);
  service.end(request.bytes);
  client.write((await reader.next()) ?? reader.rest);
  service.destroy();
};

/** The client is told that no answer comes, on a connection that still takes bytes from it. */
export const halfCloseBeforeAnswer: WireFault = async ({ client, deliver }) => {
  await deliver();
  client.end();
};

/** Bytes that are no HTTP, instead of the answer. */
export const garbageAnswer: WireFault = async ({ client, deliver }) => {
  await deliver();
  client.write(GARBAGE);
};

/** Bytes that are no HTTP, over as many of the answer's from there on. */
export function garbageInAnswer(part: Part): WireFault {
  return async ({ client, deliver }) => {
    const answer = Buffer.from(await deliver());
    GARBAGE.copy(answer, part(answer));
    client.write(answer);
  };
}

/** The same answer twice, in one piece. */
export const answerTwice: WireFault = async ({ client, deliver }) => {
  const answer = await deliver();
  client.write(Buffer.concat([answer, answer]));
};

/** An answer whose length is said to be some bytes more than it is, or fewer; then FIN. */
export function wrongLength(difference: number): WireFault {
  return rewritten(({ body }) => [`content-length: ${body.length + difference}`]);
}

/** The answer in chunks, the last of which is missing; then FIN. */
export const truncatedChunks: WireFault = async ({ client, deliver }) => {
  const answer = parseMessage(await deliver());
  const [first = Buffer.alloc(0)] = toChunks(answer.body);
  client.end(toBytes({ ...reframed(answer, ['transfer-encoding: chunked']), body: first }));
};

/** An answer as HTTP/1.0 has it: it ends with the connection. */
export const closeDelimited: WireFault = async ({ client, deliver }) => {
  const answer = reframed(parseMessage(await deliver()), []);
  client.end(toBytes({ ...answer, start: answer.start.replace('HTTP/1.1', 'HTTP/1.0') }));
};

/** An interim answer before the final one. */
export function interimFirst(status: string): WireFault {
  return async ({ client, deliver }) => {
    const interim = toBytes({ start: `HTTP/1.1 ${status}`, headers: [], body: Buffer.alloc(0) });
    client.write(Buffer.concat([interim, await deliver()]));
  };
}

/**
 * Interim answers, one after the other, as long as the client is there and `forMs` lasts; then the final
 * one. They take real time.
 */
export function interimWithoutEnd(
  status: string,
  { everyMs, forMs }: { everyMs: number; forMs: number },
): WireFault {
  return async ({ client, deliver }) => {
    const answer = await deliver();
    const interim = toBytes({ start: `HTTP/1.1 ${status}`, headers: [], body: Buffer.alloc(0) });
    for (let ms = 0; ms < forMs && !client.destroyed; ms += everyMs) {
      client.write(interim);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    if (!client.destroyed) client.write(answer);
  };
}

/** Somebody in between answers and hangs up; `delivered`: after the service has had the request. */
export function answerInstead(
  status: string,
  body: string,
  { delivered, headers = [] }: { delivered: boolean; headers?: readonly string[] },
): WireFault {
  return async ({ client, deliver }) => {
    if (delivered) await deliver();
    const framing = [`content-length: ${Buffer.byteLength(body)}`, 'connection: close'];
    const bytes = Buffer.from(body);
    client.end(toBytes({ start: `HTTP/1.1 ${status}`, headers: [...headers, ...framing], body: bytes }));
  };
}

/** Passes the answer on, told to be the last on its connection. */
export const answerLast: WireFault = rewritten(({ body }) => [
  `content-length: ${body.length}`,
  'connection: close',
]);

/** The answer with its body framed otherwise; then FIN. */
function rewritten(headersOf: (answer: HttpMessage) => readonly string[]): WireFault {
  return async ({ client, deliver }) => {
    const answer = parseMessage(await deliver());
    client.end(toBytes(reframed(answer, headersOf(answer))));
  };
}

function end(socket: Socket, ending: Ending): void {
  if (ending === 'reset') socket.resetAndDestroy();
  else socket.destroy();
}

/**
 * Returns when the bytes have left, and a reader in this process has had its turn: an RST that comes
 * together with data looks like a FIN to it.
 */
async function written(socket: Socket, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.write(bytes, () => resolve());
  });
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Byte by byte, each on its own way before the next one leaves. */
async function drip(socket: Socket, bytes: Buffer): Promise<void> {
  for (const byte of bytes) await written(socket, Buffer.of(byte));
}
