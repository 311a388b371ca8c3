/** Where the header of a program for Windows has its checksum and the place of its signature, after its mark. */
const CHECKSUM = 24 + 64;
const SIGNATURE = 24 + 112 + 4 * 8;

/**
 * A program for Windows without its signature, which would fit no more once something is put into it, and would keep
 * tools from signing it again. What is not signed is returned as it is, but for its checksum.
 */
export function cutSignature(program: Buffer): Buffer {
  const header = program.readUInt32LE(0x3c);
  const at = program.readUInt32LE(header + SIGNATURE);
  const size = program.readUInt32LE(header + SIGNATURE + 4);
  if (size > 0 && at + size !== program.length)
    throw new Error('The signature is not at the end of the program.');
  const cut = Buffer.from(size > 0 ? program.subarray(0, at) : program);
  cut.writeBigUInt64LE(0n, header + SIGNATURE);
  // None is as good as the right one: only drivers are held against theirs.
  cut.writeUInt32LE(0, header + CHECKSUM);
  return cut;
}
