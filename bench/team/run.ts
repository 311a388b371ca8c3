import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/eventreg.js', import.meta.url));

export interface Ended {
  out: string;
  /** The whole process. */
  tookMs: number;
}

/** Runs the built program. Throws where it does not end with 0. */
export async function run(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const began = performance.now();
  const child = spawn(process.execPath, [BIN, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`eventreg ${argv.join(' ')} ended with ${String(code)}: ${err}`);
  return { out, tookMs: performance.now() - began };
}
