import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../src/main.ts';
import { Journal } from '../../src/sync/journal/journal.ts';
import type { Run } from '../../src/sync/journal/run.ts';
import { listRuns } from '../../src/sync/journal/runs.ts';
import type { RequestLogEntry } from '../../src/sandbox/server.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxRegistration } from '../../src/sandbox/store/stored-row.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { onTestFinished } from 'vitest';
import { asksForDocument, readDocument } from '../support/documents.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { fakeRuntime, type FakeRuntimeOverrides } from '../support/fake-runtime.ts';
import { type FaultyService, faultyService } from '../support/faulty-service.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const TOKEN = 'bench-token-1234';

/** What a finished command left behind. */
export interface Ended {
  code: number;
  out: string;
  err: string;
}

export interface Bench {
  sandbox: Sandbox;
  /** Stands in front of the sandbox; passes everything on until a test says otherwise. */
  service: FaultyService;
  directory: string;
  clock: FakeClock;
  /** Of every command that brings none. */
  env: Readonly<Record<string, string>>;
  /** Writes a file into the directory, and returns its name as a command takes it. */
  write(name: string, text: string): string;
  /** Runs the whole program, a second after the command before. */
  run(argv: readonly string[], overrides?: FakeRuntimeOverrides): Promise<Ended>;
  /** Runs `push`, with the summary as JSON. */
  push(argv: readonly string[], overrides?: FakeRuntimeOverrides): Promise<Ended & { summary: Summary }>;
  posts(): RequestLogEntry[];
  /** What the service holds by barcode: rows of one depth are sent side by side, in no fixed order. */
  kept(): SandboxRegistration[];
  /** Barcodes in the order in which they were posted to the service; `-` for none. */
  postedBarcodes(): string[];
  journal<T>(work: (journal: Journal) => T): T;
  runs(): Run[];
  /** State of every row of a run, in the order of the files. */
  states(run?: string): string[];
}

export interface Summary {
  run: string | null;
  state: string;
  sent: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  rejected_before: number;
  failed: number;
  conflict: number;
  uncertain: number;
  blocked: number;
  postponed: number;
  pending: number;
  communications: number;
  values_kept: number;
  values_not_accepted: number;
  no_longer_in_file: { registration_id: string | null; barcode: string | null; name: string }[];
  to_create: number | null;
  left_out_by: { column: string; value: string; rows: number }[];
  problems: { place: string; state: string; barcode?: string; message: string }[];
}

/** The whole program against a real sandbox behind a service that can be broken, on a clock that jumps. */
export async function pushBench(
  switches: Partial<Switches> = {},
  directory: string = temporaryDirectory(),
): Promise<Bench> {
  const clock = fakeClock({ auto: true });
  const sandbox = await startSandbox({
    file: join(directory, 'service.sqlite'),
    token: TOKEN,
    switches: { limit: 0, ...switches },
    now: () => clock.now(),
  });
  onTestFinished(() => sandbox.close());
  const service = await faultyService(sandbox.url);
  onTestFinished(service.close);
  const env = {
    EVENTREG_BASE_URL: sandbox.baseUrl.replace(sandbox.url, service.url),
    EVENTREG_INTEG_URL: sandbox.integUrl.replace(sandbox.url, service.url),
    EVENTREG_TOKEN: TOKEN,
    EVENTREG_KEYCHAIN: 'off',
  };
  const run: Bench['run'] = async (argv, overrides = {}) => {
    await clock.advance(1000);
    const { runtime, out, err } = fakeRuntime({ directory, clock, env, ...overrides });
    const code = await main(argv, runtime);
    const ended = { code, out: out(), err: err() };
    if (asksForDocument(argv)) readDocument(ended.out);
    return ended;
  };
  const journal: Bench['journal'] = (work) => {
    const opened = new Journal(join(directory, 'state'));
    try {
      return work(opened);
    } finally {
      opened.close();
    }
  };
  const posts = (): RequestLogEntry[] => sandbox.requests().filter(({ method }) => method === 'POST');
  return {
    sandbox,
    service,
    directory,
    clock,
    env,
    write(name, text) {
      writeFileSync(join(directory, name), text);
      return name;
    },
    run,
    async push(argv, overrides) {
      const ended = await run(['push', ...argv, '--json', '--progress', 'none'], overrides);
      const document = readDocument(ended.out) as Partial<Summary>;
      // A command that has failed before says only why.
      const summary = { state: 'none', ...document } as Summary;
      return { ...ended, summary };
    },
    posts,
    kept: () =>
      sandbox
        .registrations()
        .sort((one, other) => (one.barcode < other.barcode ? -1 : Number(one.barcode > other.barcode))),
    postedBarcodes: () =>
      posts().map(({ body }) => (JSON.parse(body ?? '{}') as { barcode?: string }).barcode ?? '-'),
    journal,
    runs: () => journal(listRuns),
    states: (id) =>
      journal((opened) =>
        opened
          .all<{ state: string }>('SELECT state FROM row WHERE run = $run ORDER BY seq', {
            $run: id ?? listRuns(opened)[0]?.id ?? '',
          })
          .map(({ state }) => state),
      ),
  };
}

/** A service that offers no list of its registrations, as its fault. */
export const noList: FaultyService['fault'] = ({ method, path }) =>
  method === 'GET' && path.includes('/registration')
    ? { answer: { status: 404, body: '{"message":"No such list."}' } }
    : undefined;

/** CSV of visitors, each a barcode with a name, and the barcode of a parent behind a slash: `B2/B1`. */
export function visitors(...people: readonly string[]): string {
  const lines = people.map((person) => {
    const [head = '', first = 'Ada'] = person.split(':');
    const [barcode = '', parent = ''] = head.split('/');
    return `visitor,${barcode},${parent},${first},Example,${(barcode || first).toLowerCase().replace(/\W/g, '')}@example.com`;
  });
  return ['persona,barcode,parent_barcode,First name,Last name,E-mail', ...lines, ''].join('\n');
}

/** `B001` … as many as wanted. */
export function barcodes(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `B${String(index + 1).padStart(3, '0')}`);
}
