import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatOf, TARGETS } from '../../release/targets.ts';

/** The beginning of a program for Windows, for a processor. */
function portable(machine: number): Buffer {
  const bytes = Buffer.alloc(256);
  bytes.write('MZ');
  bytes.writeUInt32LE(0x80, 0x3c);
  bytes.write('PE\0\0', 0x80, 'latin1');
  bytes.writeUInt16LE(machine, 0x84);
  bytes.writeUInt16LE(0x20b, 0x98);
  return bytes;
}

test('programs are known by their headers', () => {
  const elf = Buffer.alloc(64);
  elf.set([0x7f, 0x45, 0x4c, 0x46, 2]);
  elf.writeUInt16LE(0xb7, 18);
  const mach = Buffer.from('cffaedfe0c000001', 'hex');
  expect([elf, mach, portable(0x8664), portable(0x14c), Buffer.from('#!/bin/sh\n')].map(formatOf)).toEqual([
    'ELF 64-bit aarch64',
    'Mach-O 64-bit arm64',
    'PE32+ x86-64',
    undefined,
    undefined,
  ]);
});

test('every module of a keychain is locked with its digest', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { integrity?: string }>;
  };
  expect(TARGETS.map(({ keyring }) => packages[`node_modules/${keyring}`]?.integrity ?? keyring)).toEqual(
    TARGETS.map(() => expect.stringMatching(/^sha512-/)),
  );
});
