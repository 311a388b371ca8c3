/** All of standard input as text; a wrong file piped in is not read further than a little beyond `mostBytes`. */
export async function readStdin(stdin: AsyncIterable<string | Buffer>, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk);
    chunks.push(part);
    bytes += part.length;
    if (bytes > mostBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
