import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { type Bench, type Ended, pushBench, visitors } from '../../sync/push-bench.ts';
import { listIn } from '../../support/documents.ts';
import { listed, paired } from '../../support/tables.ts';

/** Why, as JSON. */
async function tell(bench: Bench, ...argv: readonly string[]): Promise<Story[]> {
  const ended = await bench.run(['runs', 'why', ...argv, '--json']);
  expect(ended.code).toBe(EXIT.done);
  return listIn<Story>(ended.out);
}

interface Story {
  place: string;
  barcode: string | null;
  registration_id: string | null;
  now: string;
  next: string;
  runs: {
    run: string;
    kind: string;
    run_state: string;
    place: string | null;
    state: string;
    plan: string | null;
    changes: { field: string; before: unknown; after: unknown }[];
    mended: { column: string; before: string; after: string }[];
    reasons: { column: string; problem: string }[];
    steps: { step: string; attempt: number | null; status: number | null; request_id: string | null }[];
  }[];
}

const why = (bench: Bench, ...argv: readonly string[]): Promise<Ended> => bench.run(['runs', 'why', ...argv]);

/** Answers the POSTs of one barcode with 500, once each run. */
function failOnce(bench: Bench, barcode: string): void {
  let failed = false;
  bench.service.fault = ({ method, body }) => {
    if (failed || method !== 'POST' || !body.includes(`"barcode":"${barcode}"`)) return undefined;
    failed = true;
    return { answer: { status: 500, body: '{"message":"Oops."}' } };
  };
}

const GUESTS = [
  'persona,barcode,First name,Last name,E-mail,Country',
  'visitor,EV-1,Ada,Example,ada@example.com,Spain',
  'visitor,EV-2,Bob,Example,BOB@example.com,FR',
  '',
].join('\n');

/** What changes from run to run is replaced by what stands for it. */
function settled(text: string, runs: readonly string[], bench: Bench): string {
  const named = runs.reduce((rest, run, at) => rest.replaceAll(run, `RUN-${at + 1}`), text);
  return named
    .replaceAll(bench.service.url, 'http://service')
    .replace(/reg-[0-9a-f]+-(\d+)/g, 'reg-$1')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'REQUEST');
}

describe('the whole story', () => {
  async function twoPushes(): Promise<{ bench: Bench; runs: string[] }> {
    const bench = await pushBench();
    const first = await bench.push([bench.write('guests.csv', GUESTS)]);
    failOnce(bench, 'EV-1');
    const changed = GUESTS.replace('Ada', 'Eva').replace('Spain', 'Portugal');
    const second = await bench.push([bench.write('guests.csv', changed)]);
    return { bench, runs: [first.summary.run ?? '', second.summary.run ?? ''] };
  }

  test('is told with what the service holds, newest run first, with every step, and values masked', async () => {
    const { bench, runs } = await twoPushes();
    const { code, out, err } = await why(bench, 'EV-1');
    expect([code, err]).toEqual([EXIT.done, 'Values of persons are masked; --show-values shows them.\n']);
    expect(settled(out, runs, bench)).toBe(
      `guests.csv:2, visitor, barcode EV-1, registration reg-1
  event   Harbour Trade Fair 2027 at http://service/api
  now     It is in the service as it was sent.
  next    There is nothing to do.
  service asked 2026-01-15 12:01:13 UTC: registration reg-1
          persona: "visitor", as sent
          barcode: "EV-1", as sent
          first_name: "E••", as sent
          last_name: "E••••••", as sent
          email: "a••@e••••••.c••", as sent
          country: "P•", as sent

  Run RUN-2: push of guests.csv, finished; Harbour Trade Fair 2027 at http://service/api
    row     guests.csv:2, done after 2 attempts
    plan    update: the service listed it with other values
            first_name: "A••" → "E••"
            country: "E•" → "P•"
    mended  column "Country" (country): "P•••••••" → "P•", country name written as its code
    2026-01-15 12:00:02.000  sent      attempt 1 (request REQUEST)
    2026-01-15 12:00:02.000  answered  500, uncertain: answered 500: Oops. (request REQUEST)
    2026-01-15 12:01:12.000  looked    pending: in the service without what was to change
    2026-01-15 12:01:12.000  sent      attempt 2 (request REQUEST)
    2026-01-15 12:01:12.000  answered  200, done (request REQUEST)
    2026-01-15 12:01:12.000  read back

  Run RUN-1: push of guests.csv, finished; Harbour Trade Fair 2027 at http://service/api
    row     guests.csv:2, done
    plan    create: the service did not list it
    mended  column "Country" (country): "S••••" → "E•", country name written as its code
    2026-01-15 12:00:01.000  sent      attempt 1 (request REQUEST)
    2026-01-15 12:00:01.000  answered  201, done (request REQUEST)
    2026-01-15 12:00:01.000  read back
`,
    );
    expect((await why(bench, 'EV-1', '--show-values')).out).toContain('first_name: "Ada" → "Eva"');
  });

  test('is one record for programs, one row a step for spreadsheets', async () => {
    const { bench, runs } = await twoPushes();
    const [story] = await tell(bench, 'EV-1');
    expect(story).toMatchObject({ place: 'guests.csv:2', barcode: 'EV-1', next: 'There is nothing to do.' });
    expect(story?.runs.map(({ run }) => run)).toEqual([...runs].reverse());
    expect(story?.runs[0]?.changes[0]).toEqual({
      field: 'first_name',
      before: 'A••',
      after: 'E••',
      verdict: 'send',
    });
    expect(story?.runs[0]?.steps.map(({ step, attempt, status }) => [step, attempt, status])).toEqual([
      ['sent', 1, null],
      ['answered', 1, 500],
      ['looked', 1, null],
      ['sent', 2, null],
      ['answered', 2, 200],
    ]);
    expect(story?.runs[0]?.steps[0]?.request_id).toMatch(/^[0-9a-f-]{36}$/);
    const shown = await tell(bench, 'EV-1', '--show-values');
    expect(shown[0]?.runs[0]?.changes[0]).toEqual({
      field: 'first_name',
      before: 'Ada',
      after: 'Eva',
      verdict: 'send',
    });
    const csv = (await why(bench, 'EV-1', '--output', 'csv')).out.split('\n');
    expect(csv[0]).toBe(
      'run,kind,place,barcode,registration_id,plan,state,at,step,attempt,status,request_id,detail',
    );
    expect(csv).toHaveLength(1 + 5 + 2 + 1);
    const one = (await why(bench, 'EV-1', '--output', 'ndjson')).out;
    expect(JSON.parse(one)).toMatchObject({ now: story?.now, runs: story?.runs });
  });

  test('is in bold heads on a terminal, and safe to print whatever the names are', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a\u001B[2J.csv', visitors('A'))]);
    const { out } = await bench.run(['runs', 'why', 'A'], { tty: true });
    expect(out).toContain('\u001B[1m');
    expect(out.replaceAll('\u001B[1m', '').replaceAll('\u001B[22m', '')).not.toContain('\u001B');
    expect((await bench.run(['runs', 'why', 'A', '--no-color'], { tty: true })).out).not.toContain('\u001B');
  });

  test('narrows to one run with --run', async () => {
    const { bench, runs } = await twoPushes();
    const [first = ''] = runs;
    expect((await tell(bench, 'EV-1', '--run', first))[0]?.runs.map(({ run }) => run)).toEqual([first]);
    const unknown = await why(bench, 'EV-1', '--run', 'nonsense');
    expect([unknown.code, unknown.err]).toEqual([EXIT.usage, expect.stringContaining('There is no run')]);
  });
});

describe('what is meant', () => {
  test.each([
    ['a barcode', 'EV-2'],
    ['a file and a line', 'guests.csv:3'],
    ['a line of the newest run', '3'],
    ['an e-mail address, whatever its case', 'Bob@EXAMPLE.com'],
  ])('by %s', async (_name, who) => {
    const bench = await pushBench();
    await bench.push([bench.write('guests.csv', GUESTS)]);
    const stories = await tell(bench, who);
    expect(stories.map(({ barcode }) => barcode)).toEqual(['EV-2']);
  });

  test('by the id of the registration', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('guests.csv', GUESTS)]);
    const id = bench.kept().find(({ barcode }) => barcode === 'EV-2')?.id ?? '';
    expect(await tell(bench, id)).toMatchObject([{ barcode: 'EV-2', registration_id: id }]);
  });

  test('a line means the newest run that has it, also when it stood elsewhere before', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('guests.csv', visitors('A', 'B'))]);
    await bench.push([bench.write('guests.csv', visitors('X', 'A'))]);
    const [story] = await tell(bench, 'guests.csv:3');
    expect(story?.barcode).toBe('A');
    expect(story?.runs.map(({ place }) => place)).toEqual(['guests.csv:3', 'guests.csv:2']);
  });

  test('companions share the line of their row, and have numbers on it', async () => {
    const bench = await pushBench();
    const file = bench.write(
      'a.csv',
      'persona,barcode,First name,Last name,Companion 1 First name,Companion 1 Last name,Companion 2 First name,Companion 2 Last name\nvisitor,A,Ada,Example,Bo,Example,Cy,Example\n',
    );
    expect((await bench.push([file])).code).toBe(EXIT.done);
    expect((await tell(bench, 'a.csv:2')).map(({ place }) => place)).toEqual([
      'a.csv:2',
      'a.csv:2/1',
      'a.csv:2/2',
    ]);
    expect((await tell(bench, '2/1')).map(({ place }) => place)).toEqual(['a.csv:2/1']);
  });

  test('nobody is wrong usage, with a hint, and no word of what was asked for drives the terminal', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('guests.csv', GUESTS)]);
    for (const who of listed(`
      EV-3 | 17 | guests.csv:17 | nobody@example.com | Nobody | \u001B[2J | ' | % | *@example.com
    `)) {
      const ended = await why(bench, who);
      expect(ended).toMatchObject({
        code: EXIT.usage,
        out: '',
        err: expect.stringContaining('No run knows of'),
      });
      expect(ended.err).toContain('hint: Give a barcode');
      expect(ended.err).toContain('e-mail addresses and names that were sent, in 1 run since 2026-01-15');
      expect(ended.err).not.toContain('\u001B');
    }
  });

  test('more than twenty are counted', async () => {
    const bench = await pushBench();
    const people = Array.from({ length: 23 }, (_, at) => `B${at}`);
    const rows = visitors(...people).replace(/\w+@/g, 'a@');
    await bench.push([bench.write('a.csv', rows)]);
    const { out, err } = await why(bench, 'a@example.com', '--output', 'ndjson');
    expect(out.trim().split('\n')).toHaveLength(20);
    expect(err).toBe('3 further registrations not shown: narrow it with --run or a barcode.\n');
  });
});

describe('part of a name', () => {
  const FAMILY = [
    'persona,barcode,parent_barcode,First name,Last name,E-mail,Company',
    'visitor,EV-1,,José,García-López,jose@example.com,Acme',
    'visitor,EV-2,,Jürgen,Müller,jm@example.com,Garcia and sons',
    'visitor,,EV-1,Åsa,Østergård,asa@example.com,Straße',
    '',
  ].join('\n');

  async function family(): Promise<Bench> {
    const bench = await pushBench();
    await bench.push([bench.write('guests.csv', FAMILY)]);
    await bench.push([bench.write('guests.csv', FAMILY.replace('Acme', 'Acme Ltd'))]);
    return bench;
  }

  test.each(
    paired(`
      lopez → guests.csv:2 | GARCIALOPEZ → guests.csv:2 | jose garc → guests.csv:2 |
      muller, jurg → guests.csv:3 | Müller → guests.csv:3 | ostergard → guests.csv:4 |
      strasse → guests.csv:4
    `),
  )('%s is one of them, whose story is told', async (name, place) => {
    const bench = await family();
    expect((await tell(bench, name)).map((story) => story.place)).toEqual([place]);
    expect((await why(bench, name)).out).toMatch(new RegExp(`^${place}, `));
  });

  test('several are listed, masked, with what leads to each of them alone', async () => {
    const bench = await family();
    const { code, out, err } = await why(bench, 'garcia');
    const [run] = bench.runs();
    expect([code, err]).toEqual([EXIT.done, '']);
    expect(out).toBe(`2 registrations fit "garcia".
J••• G•••••-L••••, guests.csv:2, visitor, done, Harbour Trade Fair 2027
    eventreg runs why EV-1
J••••• M••••• G••••• a•• s•••, guests.csv:3, visitor, unchanged, Harbour Trade Fair 2027
    eventreg runs why EV-2
`);
    expect((await why(bench, 'garcia', '--show-values')).out).toContain('José García-López, guests.csv:2');
    const typed = [...out.matchAll(/eventreg (runs why .*)/g)].map(([, words = '']) => words.split(' '));
    for (const words of typed)
      expect((await bench.run(words)).out).toMatch(/^guests\.csv:\d, visitor, barcode/);
    expect((await why(bench, 'garcia', '--run', run?.id ?? '')).out).toContain('2 registrations fit');
  });

  test('who has no barcode is named by id, and who has neither by place', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ method, body }) =>
      method === 'POST' && body.includes('Bo')
        ? { answer: { status: 422, body: '{"message":"No."}' } }
        : undefined;
    const file = bench.write('a.csv', visitors(':Ada', ':Bo'));
    await bench.push([file, '--max-failures', '5']);
    const { out } = await why(bench, 'example');
    expect(out).toMatch(
      /A•• E•••••• a••@e••••••\.c••, a\.csv:2, visitor, done, Harbour Trade Fair 2027\n {4}eventreg runs why reg-\S+\n/,
    );
    expect(out).toContain(
      'B• E•••••• b•@e••••••.c••, a.csv:3, visitor, failed, Harbour Trade Fair 2027\n    eventreg runs why a.csv:3\n',
    );
  });

  test('companions on one line are told apart', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ method }) =>
      method === 'POST' ? { answer: { status: 422, body: '{"message":"No."}' } } : undefined;
    const rows = 'persona,barcode,First name,Companion 1 First name\nvisitor,A,Ada,Bo\n';
    await bench.push([bench.write('a.csv', rows)]);
    const { out } = await why(bench, '2');
    expect(out).toContain('a.csv:2, visitor, failed, Harbour Trade Fair 2027\n    eventreg runs why A\n');
    expect(out).toContain(
      'a.csv:2/1, visitor, blocked, Harbour Trade Fair 2027\n    eventreg runs why a.csv:2/1\n',
    );
  });
});

describe('a guest is found however the name is typed', () => {
  const NAMES = [
    'persona,barcode,First name,Last name,E-mail',
    'visitor,NM-1,John,Smith 3rd,js3@example.com',
    "visitor,NM-2,Jean-Luc,O'Brien,jl@example.com",
    'visitor,NM-3,X,Æ A-12,xa12@example.com',
    'visitor,NM-4,Łukasz,Żółć,lz@example.com',
    'visitor,NM-5,Søren,Kierkegård,sk@example.com',
    'visitor,NM-6,İbrahim,Ilgın,ii@example.com',
    'visitor,NM-7,美咲,田中,mt@example.com',
    'visitor,NM-9,Gundula7,Hubsch7,g7@example.com',
    'visitor,NM-11,Nguyễn,Văn Đức,nvd@example.com',
    '',
  ].join('\n');
  const TYPED: readonly (readonly [typed: string, barcode: string])[] = [
    ['Kierkegaard', ''],
    [' gundula7 hubsch7 ', 'NM-9'],
    ...paired(`
      Smith 3rd → NM-1 | john smith → NM-1 | jean luc → NM-2 | JEANLUC → NM-2 | o'brien → NM-2 |
      O’Brien → NM-2 | obrien → NM-2 | Æ A-12 → NM-3 | ae a12 → NM-3 | lukasz zolc → NM-4 | soren → NM-5 |
      kierkegard → NM-5 | ILGIN → NM-6 | Ilgın → NM-6 | ibrahim → NM-6 | 田中 → NM-7 | Gundula7 → NM-9 |
      nguyen → NM-11 | van duc → NM-11
    `),
  ];

  test('in the journal and in the service, with the same words', async () => {
    const bench = await pushBench();
    expect((await bench.push([bench.write('a.csv', NAMES), '--no-check-dns'])).code).toBe(EXIT.done);
    const found: [string, string, string][] = [];
    for (const [typed] of TYPED) {
      const ended = await why(bench, typed, '--offline', '--json');
      const [story, ...more] = ended.code === EXIT.done ? listIn<Story>(ended.out) : [];
      const listed = await bench.run(['list', '--name', typed, '--json']);
      const records = listIn<{ barcode: string }>(listed.out).map(({ barcode }) => barcode);
      found.push([typed, more.length > 0 ? 'several' : (story?.barcode ?? ''), records.join()]);
    }
    expect(found).toEqual(TYPED.map(([typed, barcode]) => [typed, barcode, barcode]));
    for (const typed of ['nm-1', ' NM-1 ', 'nm-1 ']) {
      expect((await tell(bench, typed, '--offline')).map(({ barcode }) => barcode)).toEqual(['NM-1']);
    }
  });
});

describe('one list that was pushed to two services', () => {
  async function both(): Promise<{ bench: Bench; here: string; there: string; away: Bench }> {
    const bench = await pushBench();
    const away = await pushBench();
    const file = bench.write('guests.csv', GUESTS);
    const here = await bench.push([file]);
    const there = await bench.push([file], { env: away.env });
    return { bench, away, here: here.summary.run ?? '', there: there.summary.run ?? '' };
  }

  test.each(['EV-1', 'guests.csv:2', 'Ada'])(
    'has the story of the service in use, and says where else %s is',
    async (who) => {
      const { bench, away, here, there } = await both();
      const { out, err } = await why(bench, who);
      expect(out).toContain(`  event   Harbour Trade Fair 2027 at ${bench.service.url}/api\n`);
      expect([out.includes(`Run ${here}`), out.includes(there)]).toEqual([true, false]);
      expect(err.replaceAll(/\s+/g, ' ')).toContain(
        `It also fits in Harbour Trade Fair 2027 at ${away.service.url}/api: eventreg runs why ${who} --run ${there}`,
      );
      const other = await bench.run(['runs', 'why', who], { env: away.env });
      expect([other.out.includes(here), other.out.includes(`Run ${there}`)]).toEqual([false, true]);
    },
  );

  test('is two hits without settings, each with its service and with what leads to it alone', async () => {
    const { bench, away, here, there } = await both();
    const { out } = await bench.run(['runs', 'why', 'EV-1'], { env: {} });
    expect(out).toContain(`Harbour Trade Fair 2027 at ${away.service.url}/api\n`);
    const typed = [...out.matchAll(/eventreg (runs why .*)/g)].map(([, words = '']) => words.split(' '));
    const told = await Promise.all(typed.map(async (words) => await bench.run(words, { env: {} })));
    expect(told.map((one) => [there, here].map((run) => one.out.includes(`Run ${run}`)))).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

describe('what to do next', () => {
  test.each<[string, number | undefined, RegExp, RegExp]>([
    [
      'refused',
      422,
      /^It is not in the service\. The service refused what was sent: No\.$/,
      /^Mend what it names\. Run the same command again/,
    ],
    [
      'unauthorised',
      401,
      /^It is not in the service\. Its row has not been sent/,
      /^Run the same command again \(eventreg push a\.csv\): it sends/,
    ],
  ])('%s', async (_name, status, now, next) => {
    const bench = await pushBench();
    bench.service.fault = ({ method }) =>
      method === 'POST' && status !== undefined
        ? { answer: { status, body: '{"message":"No."}' } }
        : undefined;
    await bench.push([bench.write('a.csv', visitors('A'))]);
    expect(await tell(bench, 'A')).toMatchObject([
      { now: expect.stringMatching(now), next: expect.stringMatching(next) },
    ]);
  });

  test('rejected: why, by which column', async () => {
    const bench = await pushBench();
    const rows = 'persona,barcode,E-mail\nvisitor,A,a@example.com\nvisitor,B,nonsense@\n';
    await bench.push([bench.write('a.csv', rows), '--invalid', 'skip']);
    const [story] = await tell(bench, 'nonsense@');
    expect(story).toMatchObject({ next: 'Mend a.csv:3 and push the file again.', barcode: 'B' });
    expect(story?.runs[0]?.reasons).toMatchObject([{ column: 'E-mail' }]);
    expect((await why(bench, 'B')).out).toContain('    wrong   column "E-mail" (email): "n•••••••@"');
  });

  test('blocked: see the parent', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ method }) =>
      method === 'POST' ? { answer: { status: 422, body: '{"message":"No."}' } } : undefined;
    await bench.push([bench.write('a.csv', visitors('A', 'B/A'))]);
    expect(await tell(bench, 'B')).toMatchObject([
      { next: 'See what its parent needs: eventreg runs why A.' },
    ]);
  });

  test('uncertain without a barcode: decide, in words that can be typed', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ method }) => (method === 'POST' ? { answer: 'cut' } : undefined);
    const { summary } = await bench.push([bench.write('a.csv', visitors(':Ada'))]);
    const [story] = await tell(bench, '2');
    expect(story?.next).toContain(`eventreg runs decide ${summary.run} a.csv:2 sent, or not-sent`);
  });

  test('killed in the middle of sending: run it again', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A'))]);
    bench.journal((journal) => {
      journal.run(
        `UPDATE run SET state = 'sending', holder = '{"pid":1,"host":"h","startedAt":0,"since":0}'`,
      );
      journal.run(`UPDATE operation SET state = 'sending', listed_no = NULL`);
    });
    expect(await tell(bench, 'A')).toMatchObject([
      {
        now: 'It is in the service as it was sent. The run got no answer that says so.',
        next: expect.stringContaining('it looks whether it is there'),
        runs: [{ run_state: 'killed' }],
      },
    ]);
  });

  test('deleted with eventreg: all runs are in the story, in their order', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    await bench.push([bench.write('b.csv', visitors('A', 'B:Changed'))]);
    expect((await bench.run(['delete', '--barcode', 'A', '--yes'])).code).toBe(EXIT.done);
    const [story] = await tell(bench, 'A');
    expect(story?.runs.map(({ kind, state, plan }) => [kind, state, plan])).toEqual([
      ['delete', 'deleted', 'delete'],
      ['push', 'deleted', 'unchanged'],
      ['push', 'deleted', 'create'],
    ]);
    expect(story?.now).toContain('has deleted it');
  });
});
