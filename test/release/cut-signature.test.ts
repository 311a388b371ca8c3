import { expect, test } from 'vitest';
import { cutSignature } from '../../release/cut-signature.ts';

/** A program for Windows with `code` and then `signature`. */
function portable(code: string, signature: string): Buffer {
  const header = Buffer.alloc(512);
  header.writeUInt32LE(0x80, 0x3c);
  header.writeUInt32LE(7, 0x80 + 88);
  header.writeUInt32LE(signature === '' ? 0 : 512 + code.length, 0x80 + 168);
  header.writeUInt32LE(signature.length, 0x80 + 172);
  return Buffer.concat([header, Buffer.from(code + signature)]);
}

test('a signature is cut off, with what the header says of it', () => {
  const cut = cutSignature(portable('code', 'signed'));
  expect(cut.subarray(512).toString()).toBe('code');
  expect([88, 168, 172].map((at) => cut.readUInt32LE(0x80 + at))).toEqual([0, 0, 0]);
});

test('what has none stays as it is', () => {
  expect(cutSignature(portable('code', '')).subarray(512).toString()).toBe('code');
});

test('a signature elsewhere than at the end is not cut', () => {
  const odd = Buffer.concat([portable('code', 'signed'), Buffer.from('more')]);
  expect(() => cutSignature(odd)).toThrow('not at the end');
});
