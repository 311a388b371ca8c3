import { expect, test } from 'vitest';
import { type Bench, type Ended, pushBench, visitors } from '../sync/push-bench.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { type JsonDocument, readDocument } from '../support/documents.ts';
import type { FakeRuntimeOverrides } from '../support/fake-runtime.ts';

/** Turns up in no other text. */
export const NAME = 'Zanzibara';
export const TOKEN = 'bench-token-1234';
/** Of a webhook; shown nowhere. */
export const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const THREE = visitors(`A:${NAME}`, `B:${NAME}`, `C:${NAME}`);

/** A command with `--json`, and what it is to print. */
export interface Case extends Facts {
  /** Its words without `--json`. */
  argv: readonly string[];
  exit: number;
  /** `push`, or the code of an error alone: `!usage`. */
  is: string;
}

interface Facts {
  stoppedBy?: string;
  /** Of an error that a document ends with. */
  code?: string;
  switches?: Partial<Switches>;
  overrides?: FakeRuntimeOverrides;
  fault?: (bench: Bench) => Bench['service']['fault'];
  /** Before it; `{run}` in argv is the newest run, `{made}` the text that it resolves with. */
  after?: (bench: Bench) => Promise<unknown>;
  /** It shows persons because it is asked to. */
  personal?: boolean;
  /** Parts of the document. */
  has?: Record<string, unknown>;
}

/** How a command ends that is given as a line, or word by word where a word has spaces. */
export function on(command: string | readonly string[], exit: number, is: string, facts: Facts = {}): Case {
  return { argv: typeof command === 'string' ? command.split(' ') : command, exit, is, ...facts };
}

/** A machine whose service does not answer. */
export const unreachable = {
  EVENTREG_BASE_URL: 'http://127.0.0.1:9',
  EVENTREG_TOKEN: TOKEN,
  EVENTREG_KEYCHAIN: 'off',
};
/** Does what a case says; what it printed is one document. */
export async function carryOut({
  argv,
  switches,
  overrides,
  fault,
  after,
}: Case): Promise<[Bench, JsonDocument, Ended]> {
  const bench = await pushBench(switches);
  bench.write('a.csv', THREE);
  bench.write('b.csv', visitors(`A:${NAME}`));
  bench.write('bad.csv', `${visitors(`A:${NAME}`)}nobody,B,,${NAME},Example,zanzibara at\n`);
  bench.write('nobarcode.csv', visitors(`:${NAME}`));
  bench.write('open.csv', `Vorname,E-Mail,Tisch\n${NAME},a@example.com,1\n`);
  bench.write('broken.json', '[{"barcode": ');
  const made = await after?.(bench);
  if (fault !== undefined) {
    const begun = bench.service.requests.length;
    const seen = fault(bench);
    const before = bench.service.requests.slice(0, begun).filter(({ method }) => method === 'POST').length;
    bench.service.fault = (request) => seen({ ...request, nth: request.nth - before });
  }
  const run = bench.runs()[0]?.id ?? '';
  const words = argv.map((word) => word.replace('{run}', run).replace('{made}', String(made)));
  const asked = words.includes('--output') ? words : [...words, '--json'];
  const ended = await bench.run(asked, overrides);
  return [bench, readDocument(ended.out), ended];
}

/** Cases, each of which prints one document, with its exit code and nothing of persons or secrets. */
export function holdToContract(cases: readonly Case[]): void {
  test.each(cases)('$is: $argv', async (given) => {
    const [, document, { code, out, err }] = await carryOut(given);
    const { exit, is, has = {}, personal = false } = given;
    const alone = is.startsWith('!') ? is.slice(1) : undefined;
    const stoppedBy = given.stoppedBy ?? (exit === 7 ? (alone ?? null) : null);
    expect(document).toMatchObject({
      schema: alone === undefined ? `eventreg/${is}@1` : 'eventreg/error@1',
      exit,
      stopped_by: stoppedBy,
      ...has,
    });
    expect([code, document.error?.code]).toEqual([exit, alone ?? given.code ?? given.stoppedBy]);
    for (const secret of [TOKEN, SECRET]) expect(out + err).not.toContain(secret);
    if (!personal) expect(out).not.toMatch(new RegExp(`${NAME}|[abc]@example\\.com`));
  });
}
