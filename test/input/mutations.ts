import * as fc from 'fast-check';

/** One change of some bytes. Places are shares of the length. */
interface Mutation {
  kind: 'flip' | 'set' | 'insert' | 'delete' | 'duplicate' | 'swap' | 'cut';
  at: number;
  to: number;
  byte: number;
  length: number;
}

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

/** Changes that are worth trying on a text; `signs` are the bytes that mean something in it. */
export function anyMutations(signs: string): fc.Arbitrary<readonly Mutation[]> {
  const mutation = fc.record({
    kind: fc.constantFrom<Mutation['kind'][]>(
      'flip',
      'set',
      'insert',
      'insert',
      'delete',
      'duplicate',
      'swap',
      'cut',
    ),
    at: share,
    to: share,
    byte: fc.oneof(fc.constantFrom(...Buffer.from(signs, 'latin1')), fc.nat(255)),
    length: fc.constantFrom(1, 1, 2, 3, 20),
  });
  return fc.array(mutation, { maxLength: 5 });
}

/** The bytes with every change made, one after the other. */
export function mutate(bytes: Buffer, mutations: readonly Mutation[]): Buffer {
  return mutations.reduce(change, bytes);
}

function change(bytes: Buffer, { kind, at: share, to: other, byte, length }: Mutation): Buffer {
  const at = Math.floor(share * bytes.length);
  const to = Math.floor(other * bytes.length);
  const head = bytes.subarray(0, at);
  const piece = bytes.subarray(at, at + length);
  const tail = bytes.subarray(at + length);
  switch (kind) {
    case 'flip':
      return Buffer.concat([head, piece.map((old) => old ^ (1 << (byte % 8))), tail]);
    case 'set':
      return Buffer.concat([head, Buffer.alloc(piece.length, byte), tail]);
    case 'insert':
      return Buffer.concat([head, Buffer.of(byte), piece, tail]);
    case 'delete':
      return Buffer.concat([head, tail]);
    case 'duplicate':
      return Buffer.concat([bytes.subarray(0, to), piece, bytes.subarray(to)]);
    case 'swap':
      return swap(bytes, at, to);
    default:
      return head;
  }
}

function swap(bytes: Buffer, at: number, to: number): Buffer {
  const swapped = Buffer.from(bytes);
  if (bytes.length > 0) [swapped[at], swapped[to]] = [bytes[to] ?? 0, bytes[at] ?? 0];
  return swapped;
}
