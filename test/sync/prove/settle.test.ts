import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT, InterruptedError } from '../../../src/errors.ts';
import { Journal } from '../../../src/sync/journal/journal.ts';
import { deleteRun } from '../../../src/sync/journal/runs.ts';
import { stepsOf as stepsOfRow } from '../journal-bench.ts';
import type { Switches } from '../../../src/sandbox/store/switches.ts';
import type { Fault } from '../../support/faulty-service.ts';
import { barcodes, type Bench, pushBench, visitors } from '../push-bench.ts';

const CUT: Fault = { answer: 'cut' };
const LANDED: Fault = { answer: 'cut', passOn: true };

/** Breaks the next POST that holds a text. */
function breakPost(bench: Bench, text: string, fault: Fault, meanwhile?: () => Promise<void>): void {
  let broken = false;
  bench.service.fault = async ({ method, body }) => {
    if (broken || method !== 'POST' || !body.includes(text)) return undefined;
    broken = true;
    await meanwhile?.();
    return fault;
  };
}

async function ask(bench: Bench, method: string, path: string, body?: object): Promise<void> {
  await fetch(`${bench.sandbox.baseUrl}/registration${path}`, {
    method,
    headers: { authorization: `Bearer ${bench.sandbox.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const person = (first: string, email: string): object => ({
  persona: 'visitor',
  fields: { first_name: first, last_name: 'Example', email },
});

/** Visitors without barcodes: `first:email`. */
function guests(...people: readonly string[]): string {
  const lines = people.map((one) => {
    const [first, email] = one.split(':');
    return `visitor,${first},Example,${email}`;
  });
  return ['persona,First name,Last name,E-mail', ...lines, ''].join('\n');
}

const namesOf = (bench: Bench): string[] =>
  bench
    .kept()
    .map(({ fields }) => String(fields['first_name']))
    .sort();

/** `what detail` of every step of the row on a line of the newest run. */
function stepsOf(bench: Bench, line: number): string[] {
  const run = bench.runs()[0]?.id ?? '';
  return bench.journal((journal) => {
    const row = journal.get<{ seq: number }>('SELECT seq FROM row WHERE run = $run AND line = $line', {
      $run: run,
      $line: line,
    });
    return stepsOfRow(journal, run, row?.seq ?? -1).map(({ what, detail }) =>
      `${what} ${detail ?? ''}`.trim(),
    );
  });
}

describe('an update that got no answer', () => {
  /** A is known as Ada; then an update of it is broken. */
  async function brokenUpdate(fault: Fault, meanwhile?: (bench: Bench) => Promise<void>) {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A:Ada', 'B:Bo'))]);
    // The first update goes ahead, to see what the service does with a known barcode.
    await bench.push([bench.write('a.csv', visitors('A:Ada', 'B:Bob'))]);
    breakPost(bench, '"A"', fault, meanwhile && (() => meanwhile(bench)));
    return { bench, ended: await bench.push([bench.write('a.csv', visitors('A:Eva', 'B:Bob'))]) };
  }

  test('and has landed is done', async () => {
    const { bench, ended } = await brokenUpdate(LANDED);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 1, updated: 1, uncertain: 0 } });
    expect(stepsOf(bench, 2).at(-1)).toBe('looked done: found in the service as sent');
    expect(bench.posts()).toHaveLength(4);
  });

  test('and has not landed is sent once more, when that was seen twice', async () => {
    const { bench, ended } = await brokenUpdate(CUT);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 1, uncertain: 0 } });
    expect(namesOf(bench)).toEqual(['Bob', 'Eva']);
    expect(stepsOf(bench, 2).map((step) => step.split(':')[0])).toEqual([
      'sent',
      'answered uncertain',
      'looked pending',
      'sent',
      'answered done',
    ]);
  });

  test('is a conflict when its registration is gone: it is not created behind the back of who deleted it', async () => {
    const { bench, ended } = await brokenUpdate(CUT, async (bench) => {
      const id = bench.kept().find(({ barcode }) => barcode === 'A')?.id ?? '';
      await ask(bench, 'DELETE', `/${id}`);
    });
    expect(ended).toMatchObject({ code: EXIT.rejected, summary: { sent: 0, conflict: 1 } });
    expect(ended.summary.problems[0]?.message).toBe(
      'it is not listed any more: deleted in the service since it was compared, or given another barcode',
    );
    expect(namesOf(bench)).toEqual(['Bob']);
  });

  test('is a conflict when somebody else has changed the same value', async () => {
    const { bench, ended } = await brokenUpdate(CUT, async (bench) => {
      await ask(bench, 'POST', '', { ...person('Zoe', 'a@example.com'), barcode: 'A' });
    });
    expect(ended).toMatchObject({ code: EXIT.rejected, summary: { conflict: 1 } });
    expect(ended.summary.problems[0]?.message).toContain('first_name');
    expect(namesOf(bench)).toEqual(['Bob', 'Zoe']);
  });
});

describe('where the service shows little', () => {
  const push = async (switches: Partial<Switches>, fault: Fault) => {
    const bench = await pushBench(switches);
    breakPost(bench, '"A"', fault);
    return { bench, ended: await bench.push([bench.write('a.csv', visitors('A', 'B'))]) };
  };

  test('a registration that was not there before came by the request, fields or not', async () => {
    const { bench, ended } = await push({ recordShape: 'no-fields' }, LANDED);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 2 } });
    expect(bench.posts()).toHaveLength(2);
  });

  test('an absent one is sent once more', async () => {
    const { bench, ended } = await push({ recordShape: 'no-fields' }, CUT);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 2 } });
    expect(bench.kept()).toHaveLength(2);
  });
});

describe('a row without a barcode', () => {
  const list = guests('Ada:ada@example.com', 'Bob:bob@example.com');

  test('is settled by its e-mail with --match email', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', list);
    breakPost(bench, 'Ada', LANDED);
    expect(await bench.push([file, '--match', 'email'])).toMatchObject({
      code: EXIT.done,
      summary: { sent: 2 },
    });
    expect(bench.posts()).toHaveLength(2);
  });

  test('is sent once more with --match email when nobody has its e-mail', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', list);
    breakPost(bench, 'Ada', CUT);
    const before = bench.clock.now();
    expect(await bench.push([file, '--match', 'email'])).toMatchObject({
      code: EXIT.done,
      summary: { sent: 2 },
    });
    expect(bench.clock.now() - before).toBeGreaterThanOrEqual(60_000);
    expect(namesOf(bench)).toEqual(['Ada', 'Bob']);
  });

  test.each<[string, Fault, (() => object) | undefined, RegExp]>([
    [
      'there',
      LANDED,
      () => person('Ada', 'ada@example.com'),
      /^likely there: registrations reg-\S+, reg-\S+ have all that was sent; say what is so with `eventreg runs decide \S+ a\.csv:2 sent`, or not-sent$/,
    ],
    ['not there', CUT, undefined, /^likely not there: no registration with its e-mail is listed; say/],
    [
      'perhaps there',
      CUT,
      () => person('Eva', 'ada@example.com'),
      /^perhaps there: registration reg-\S+ has its e-mail, but other values in: first_name; say/,
    ],
  ])('stays uncertain without, with a note that it is likely %s', async (_name, fault, meanwhile, note) => {
    const bench = await pushBench();
    const file = bench.write('a.csv', list);
    breakPost(bench, 'Ada', fault, async () => {
      if (meanwhile !== undefined) await ask(bench, 'POST', '', meanwhile());
    });
    const ended = await bench.push([file]);
    expect(ended).toMatchObject({ code: EXIT.uncertain, summary: { sent: 1, uncertain: 1 } });
    expect(ended.summary.problems[0]?.message).toMatch(note);
    const steps = stepsOf(bench, 2);
    // The same again is no news.
    expect(await bench.push([file])).toMatchObject({
      code: EXIT.uncertain,
      summary: { sent: 0, uncertain: 1 },
    });
    expect(stepsOf(bench, 2)).toEqual([]);
    expect(steps.at(-1)).toMatch(/^looked uncertain: /);
  });

  test('that is listed late is done once it is listed, and is nobody whom no row stands for', async () => {
    const bench = await pushBench({ readLagMs: 3000 });
    bench.service.fault = ({ method, nth }) =>
      method === 'POST' && nth === 1 ? { passOn: true, answer: 'cut' } : undefined;
    const list = guests('Ada:a@example.com', 'Bo:b@example.com', 'Cy:c@example.com');
    const ended = await bench.push([bench.write('a.csv', list)]);
    const audit = { unexpected: { count: 0, ids: [] } };
    expect(ended).toMatchObject({ code: EXIT.done, summary: { uncertain: 0, audit } });
    expect(namesOf(bench)).toEqual(['Ada', 'Bo', 'Cy']);
  });

  test('is not taken for the registration of its twin', async () => {
    const bench = await pushBench();
    let posts = 0;
    bench.service.fault = ({ method }) => (method === 'POST' && posts++ === 1 ? CUT : undefined);
    const ended = await bench.push([bench.write('a.csv', guests('Ada:a@example.com', 'Ada:a@example.com'))]);
    expect(ended.summary.problems[0]?.message).toContain('has its e-mail, with the id of another row');
  });

  test.each<[string, string, string]>([
    ['e-mail', 'Ada:ada@example.com', 'Bob:bob@example.com'],
    ['name', 'Ada:', 'Bob:'],
  ])('is done where just one registration has all that was sent, found by its %s', async (_by, ...people) => {
    const bench = await pushBench();
    const file = bench.write('a.csv', guests(...people));
    breakPost(bench, 'Ada', LANDED);
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 2, uncertain: 0 } });
    // It is linked: the next push knows whose it is.
    const [ada] = bench.sandbox.registrations();
    if (ada !== undefined) bench.sandbox.put({ ...ada, fields: { ...ada.fields, company: 'Quay' } });
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 0 } });
    expect(namesOf(bench)).toEqual(['Ada', 'Bob']);
  });

  test.each([{}, { idShown: 'nowhere' }] as const)(
    'of two that are equal is one of them where one is there %o',
    async (switches) => {
      const bench = await pushBench(switches);
      const file = bench.write('a.csv', guests('Ada:', 'Ada:'));
      let posts = 0;
      bench.service.fault = ({ method }) => (method !== 'POST' ? undefined : posts++ === 0 ? LANDED : CUT);
      expect((await bench.push([file])).summary).toMatchObject({ sent: 1, uncertain: 1 });
      expect(namesOf(bench)).toEqual(['Ada']);
    },
  );

  test('is not taken for the registration of a row whose id is not known', async () => {
    const bench = await pushBench({ createStatus: '202' });
    const list =
      'persona,First name,E-mail,Company\nvisitor,Ada,a@example.com,Quay\nvisitor,Ada,a@example.com,\n';
    let posts = 0;
    bench.service.fault = ({ method, body }) =>
      method === 'POST' && !body.includes('Quay') && posts++ === 0 ? CUT : undefined;
    const ended = await bench.push([bench.write('a.csv', list), '--no-audit']);
    expect(ended).toMatchObject({ code: EXIT.uncertain, summary: { uncertain: 1 } });
    expect(bench.sandbox.registrations()).toHaveLength(1);
  });

  test('is found in a long list that is read anyway', async () => {
    const bench = await pushBench({ perPageCap: 2 });
    await bench.push([bench.write('b.csv', visitors(...barcodes(40)))]);
    breakPost(bench, 'Ada', LANDED);
    expect(await bench.push([bench.write('a.csv', list)])).toMatchObject({ code: EXIT.done });
  });

  describe('when the list changes', () => {
    const people = Array.from({ length: 20 }, (_, at) => `G${at}:g${at}@example.com`);
    const changed = (company: string): string =>
      guests(...people)
        .replaceAll('com\n', `com,${company}\n`)
        .replace('E-mail', 'E-mail,Company');

    /** Two of the rows got no answer, and have landed or not. */
    async function doubtful(fault: Fault): Promise<Bench> {
      const bench = await pushBench();
      bench.service.fault = ({ method, body }) =>
        method === 'POST' && /"G[37]"/.test(body) ? fault : undefined;
      await bench.push([bench.write('a.csv', changed('Acme'))]);
      bench.service.fault = () => undefined;
      return bench;
    }
    const companies = (bench: Bench): unknown[] => bench.kept().map(({ fields }) => fields['company']);

    test('is updated with all others once it is found', async () => {
      const bench = await doubtful(LANDED);
      const ended = await bench.push([bench.write('a.csv', changed('Quay'))]);
      expect(ended).toMatchObject({ code: EXIT.done, summary: { updated: 20, created: 0 } });
      expect(companies(bench)).toEqual(people.map(() => 'Quay'));
    });

    test.each<[string, Fault]>([
      ['not there', CUT],
      ['there otherwise', LANDED],
    ])('stands alone in the way where it is %s: the others are sent', async (_name, fault) => {
      const bench = await doubtful(fault);
      for (const one of bench.sandbox.registrations()) {
        if (/^G[37]$/.test(String(one.fields['first_name'])))
          bench.sandbox.put({ ...one, fields: { ...one.fields, last_name: 'Examples' } });
      }
      const ended = await bench.push([bench.write('a.csv', changed('Quay'))]);
      expect(ended).toMatchObject({ code: EXIT.rejected, summary: { updated: 18, conflict: 2, created: 0 } });
      expect(companies(bench).filter((company) => company === 'Quay')).toHaveLength(18);
    });
  });
});

/** A push whose first registration was being deleted when that was broken off; the request has landed or not. */
async function interruptedDelete(bench: Bench, landed: boolean): Promise<void> {
  const [victim] = bench.kept();
  const stop = new AbortController();
  bench.service.fault = ({ method }) => {
    if (method !== 'DELETE') return undefined;
    stop.abort(new InterruptedError());
    return landed ? LANDED : CUT;
  };
  await bench.run(['delete', victim?.id ?? '', '--yes'], { stopping: stop.signal });
  bench.service.fault = () => undefined;
  expect(bench.states()).toEqual(['uncertain']);
}

describe('a row whose registration was being deleted when that was broken off', () => {
  const pushed = async (file: string, landed: boolean): Promise<Bench> => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', file)]);
    await interruptedDelete(bench, landed);
    return bench;
  };

  test.each([
    ['by its barcode', visitors('A', 'B')],
    ['by its id', guests('Ada:a@example.com', 'Bob:b@example.com')],
  ])('is seen to be there still, %s', async (_name, file) => {
    const bench = await pushed(file, false);
    const before = bench.clock.now();
    expect(await bench.push(['a.csv'])).toMatchObject({
      code: EXIT.done,
      summary: { uncertain: 0 },
    });
    // The delete might still have landed.
    expect(bench.clock.now() - before).toBeGreaterThan(50_000);
    expect(bench.posts()).toHaveLength(2);
    // Of the push that sent it nothing was ever uncertain.
    expect(bench.runs().at(-1)).toMatchObject({ counts: { new: 2, uncertain: 0 }, later: [] });
  });

  test.each([
    ['by its barcode', visitors('A', 'B')],
    ['by its id', guests('Ada:a@example.com', 'Bob:b@example.com')],
  ])('is sent again when it is gone, as after any delete, %s', async (_name, file) => {
    const bench = await pushed(file, true);
    expect(await bench.push(['a.csv'])).toMatchObject({
      code: EXIT.done,
      summary: { sent: 1, uncertain: 0 },
    });
    expect(bench.kept()).toHaveLength(2);
    expect(bench.posts()).toHaveLength(3);
  });
});

test('A push of other rows does not wait to see twice that a delete has landed', async () => {
  const bench = await pushBench();
  await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
  await interruptedDelete(bench, true);
  const before = bench.clock.now();
  expect(await bench.push([bench.write('c.csv', visitors('C'))])).toMatchObject({ code: EXIT.done });
  expect(bench.clock.now() - before).toBeLessThan(10_000);
  const doubts = `SELECT 1 FROM row WHERE state = 'uncertain'`;
  expect(bench.journal((journal) => journal.all(doubts))).toEqual([]);
});

describe('absent twice', () => {
  /** How long a push takes whose first row got no answer, and whose first so many lists are empty. */
  async function msWithEmptyLists(count: number): Promise<number> {
    const bench = await pushBench();
    let left = count;
    bench.service.fault = ({ method, path, body, nth }) => {
      if (method === 'POST' && nth < 2 && body.includes('"A"')) return CUT;
      if (method === 'POST' || !path.includes('/registration') || bench.posts().length === 0)
        return undefined;
      left -= 1;
      return left >= 0 ? { answer: { status: 200, body: '[]' } } : undefined;
    };
    const before = bench.clock.now();
    const ended = await bench.push([bench.write('a.csv', visitors('A', 'B')), '--no-audit']);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 2 } });
    // A second passes before a command.
    return bench.clock.now() - before - 1000;
  }

  test('is the time in which a request may land', async () => {
    expect(await msWithEmptyLists(0)).toBe(60_000);
  });

  test('does not count a list that lacks what is there for certain', async () => {
    expect(await msWithEmptyLists(1)).toBe(60_000);
  });

  test('takes another look, ten seconds later, where the last look was the first to miss it', async () => {
    expect(await msWithEmptyLists(4)).toBe(70_000);
  });
});

test('A row that was updated, and deleted with eventreg since, is sent again', async () => {
  const bench = await pushBench();
  await bench.push([bench.write('a.csv', visitors('A:Ada', 'B'))]);
  await bench.push([bench.write('a.csv', visitors('A:Eva', 'B'))]);
  await interruptedDelete(bench, true);
  expect(await bench.push(['a.csv'])).toMatchObject({ code: EXIT.done, summary: { sent: 1, conflict: 0 } });
  expect(namesOf(bench)).toEqual(['Ada', 'Eva']);
});

test('A list that never stands still does not show that nobody has an e-mail', async () => {
  const bench = await pushBench({ perPageCap: 2 });
  await bench.push([bench.write('b.csv', visitors('X', 'Y', 'Z'))]);
  const file = bench.write('a.csv', guests('Ada:ada@example.com', 'Bob:bob@example.com'));
  let cut = false;
  let moving = true;
  bench.service.fault = async ({ method, path, body }) => {
    if (method === 'GET' && path.includes('/registration') && cut && moving) {
      // Somebody comes and goes, page by page.
      const guest = bench.kept().find(({ fields }) => fields['first_name'] === 'Guest');
      if (guest === undefined) await ask(bench, 'POST', '', person('Guest', 'guest@example.com'));
      else await ask(bench, 'DELETE', `/${guest.id}`);
    }
    if (cut || method !== 'POST' || !body.includes('Ada')) return undefined;
    cut = true;
    return CUT;
  };
  const ended = await bench.push([file, '--match', 'email', '--no-audit']);
  expect(ended).toMatchObject({ code: EXIT.uncertain, summary: { sent: 1, uncertain: 1 } });
  expect(ended.summary.problems[0]?.message).toContain('that proves nothing');
  moving = false;
  expect(await bench.push([file, '--match', 'email'])).toMatchObject({
    code: EXIT.done,
    summary: { sent: 1 },
  });
});

test('With --match email, what only people can judge stays uncertain: nothing is sent again by another push', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', guests('Ada:ada@example.com', 'Bob:bob@example.com'));
  breakPost(bench, 'Ada', CUT, async () => {
    await ask(bench, 'POST', '', person('Eva', 'ada@example.com'));
  });
  const ended = await bench.push([file, '--match', 'email']);
  expect(ended).toMatchObject({ code: EXIT.uncertain, summary: { sent: 1, uncertain: 1 } });
  expect(ended.summary.problems[0]?.message).toMatch(
    /^the service holds other values in: first_name; say what is so with `eventreg runs decide \S+ a\.csv:2 sent`, or not-sent$/,
  );
  for (const flags of [['--match', 'email'], []]) {
    expect(await bench.push([file, ...flags])).toMatchObject({ code: EXIT.uncertain, summary: { sent: 0 } });
  }
  expect(bench.posts()).toHaveLength(2);
});

describe('where no list shows ids', () => {
  const LIST = guests('Ada:ada@example.com', 'Bob:bob@example.com', 'Cy:cy@example.com');
  const push = async (switches: Partial<Switches>, list: string, fault: Fault) => {
    const bench = await pushBench(switches);
    breakPost(bench, 'Bob', fault);
    return { bench, ended: await bench.push([bench.write('a.csv', list)]) };
  };

  test.each([
    [{ idShown: 'nowhere' }],
    [{ idShown: 'answers', createBody: 'text' }],
    [{ idShown: 'answers', recordBarcode: 'hidden' }],
  ] as const)('a row that is listed with all that was sent is settled %o', async (switches) => {
    const { bench, ended } = await push(switches, LIST, LANDED);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 3, uncertain: 0 } });
    expect(namesOf(bench)).toEqual(['Ada', 'Bob', 'Cy']);
  });

  test('one that is listed after all is settled by the next push', async () => {
    const bench = await pushBench({ idShown: 'answers', readLagMs: 90_000 });
    const file = bench.write('a.csv', LIST);
    expect(await bench.push([file])).toMatchObject({ summary: { uncertain: 3 } });
    await bench.clock.advance(90_000);
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { unchanged: 3 } });
    expect(bench.posts()).toHaveLength(3);
  });

  test('one that another row stands for is not, and the way out is named', async () => {
    const bench = await pushBench({ idShown: 'nowhere' });
    let posts = 0;
    bench.service.fault = ({ method }) => (method === 'POST' && posts++ === 2 ? CUT : undefined);
    const people = ['Ada:ada@example.com', 'Bob:bob@example.com', 'Bob:bob@example.com'];
    const { code, summary } = await bench.push([bench.write('a.csv', guests(...people))]);
    expect([code, summary.sent]).toEqual([EXIT.uncertain, 2]);
    expect(summary.problems[0]?.message).toMatch(
      /^likely there: .*; say what is so with `eventreg runs decide \S+ a\.csv:4 sent`, or not-sent$/,
    );
  });
});

describe('doubts of another file', () => {
  /** A push that was stopped: what was sent of `who` got no answer, and has landed or not. */
  async function doubtful(bench: Bench, people: string, who: string, passOn: boolean): Promise<string> {
    bench.service.fault = ({ method, body }) => {
      if (method !== 'POST') return undefined;
      if (body.includes(`"${who}"`)) return { answer: 'cut', passOn };
      return body.includes('"Zoe"') ? { answer: { status: 401, body: '{}' } } : undefined;
    };
    const { summary } = await bench.push([bench.write('a.csv', people), '--concurrency', '1']);
    bench.service.fault = () => undefined;
    return summary.run ?? '';
  }
  /** Does something while another process has a run. */
  async function whileHeld(bench: Bench, run: string, work: () => Promise<unknown>): Promise<void> {
    const journal = new Journal(join(bench.directory, 'state'));
    journal.locks.take(run);
    await work();
    journal.close();
  }
  const other = (bench: Bench) => bench.push([bench.write('b.csv', visitors('C:Cy'))]);
  const NEW = visitors('A:Ada', 'B:Bob', 'Z:Zoe');

  test.each<[string, boolean, string]>([
    ['are done where they are there', true, 'done'],
    ['wait for the next push of theirs where they are not', false, 'pending'],
  ])('%s; nothing of them is sent', async (_name, passOn, state) => {
    const bench = await pushBench();
    const run = await doubtful(bench, NEW, 'Ada', passOn);
    expect(await other(bench)).toMatchObject({ code: EXIT.done, summary: { sent: 1 } });
    expect(bench.states(run)).toEqual([state, 'done', 'pending']);
    expect(bench.runs().find(({ id }) => id === run)).toMatchObject({ state: 'stopped', holder: undefined });
    expect((await bench.push(['a.csv'])).code).toBe(EXIT.done);
    expect(bench.kept()).toHaveLength(4);
  });

  test('are left alone while another process works on them', async () => {
    const bench = await pushBench();
    const run = await doubtful(bench, NEW, 'Ada', true);
    await whileHeld(bench, run, () => other(bench));
    expect(bench.states(run)[0]).toBe('uncertain');
  });

  /** Of a known guest, whose update got no answer; another process has that run while a row about her is pushed. */
  async function pushedMeanwhile(row: string) {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A:Ada', 'B:Bob'))]);
    const run = await doubtful(bench, visitors('A:Eva', 'B:Zoe'), 'Eva', false);
    await whileHeld(bench, run, () => bench.push([bench.write('c.csv', visitors(row))]));
    const later = bench.runs()[0]?.id ?? '';
    return { bench, run, later, posts: bench.posts().length };
  }

  test('about what a later push has sent otherwise since are conflicts, and not looked for', async () => {
    const { bench, run, later, posts } = await pushedMeanwhile('A:Zed');
    await other(bench);
    expect([bench.states(run)[0], bench.posts().length]).toEqual(['conflict', posts + 1]);
    const { out } = await bench.run(['runs', 'show', run]);
    expect(out).toContain(`run ${later} has sent it since`);
  });

  test('about what a later push has sent just so since are done', async () => {
    const { bench, run, later, posts } = await pushedMeanwhile('A:Zed');
    const same = `UPDATE source SET hash = (SELECT hash FROM source WHERE run = ? AND seq = 0) WHERE run = ? AND seq = 0`;
    bench.journal((journal) => journal.run(same, [later, run]));
    await other(bench);
    expect([bench.states(run)[0], bench.posts().length]).toEqual(['done', posts + 1]);
  });

  test('are those of the same row of a later push, which is settled with them', async () => {
    const { bench, run, later, posts } = await pushedMeanwhile('A:Eva');
    expect(bench.states(later)).toEqual(['uncertain']);
    await other(bench);
    expect([bench.states(run)[0], bench.states(later), bench.posts().length]).toEqual([
      'pending',
      ['pending'],
      posts + 1,
    ]);
    expect(bench.runs().find(({ id }) => id === later)?.later).toMatchObject([
      { text: '1 uncertain row: 1 not there' },
    ]);
    expect(await bench.push(['c.csv'])).toMatchObject({ code: EXIT.done, summary: { updated: 1 } });
  });

  test('stay theirs where the run is forgotten whose request caused them', async () => {
    const { bench, run, later } = await pushedMeanwhile('A:Eva');
    bench.journal((journal) => deleteRun(journal, run));
    await other(bench);
    expect(bench.states(later)).toEqual(['conflict']);
    expect(await bench.push(['c.csv'])).toMatchObject({ code: EXIT.done, summary: { updated: 1 } });
  });

  test('are held against what later pushes have sent, where nothing else of their run is listed any more', async () => {
    const bench = await pushBench();
    const { summary } = await bench.push([bench.write('a.csv', visitors('A:Ada', 'B:Bob'))]);
    const unknown = `UPDATE operation SET state = 'uncertain', listed_no = NULL WHERE barcode = 'A'`;
    bench.journal((journal) => journal.run(unknown));
    for (const { id } of bench.kept()) await ask(bench, 'DELETE', `/${id}`);
    await other(bench);
    expect(bench.states(summary.run ?? '')).toEqual(['uncertain', 'done']);
    await other(bench);
    expect(bench.states(summary.run ?? '')).toEqual(['pending', 'done']);
  });

  test('are not settled by a registration that a later push has made of somebody alike', async () => {
    const bench = await pushBench();
    const ada = 'Ada:ada@example.com';
    breakPost(bench, 'Ada', CUT);
    const { summary } = await bench.push([bench.write('a.csv', guests(ada))]);
    const twice = bench.write('a.csv', guests(ada, ada));
    expect((await bench.push([twice])).summary).toMatchObject({ sent: 1, uncertain: 1 });
    expect(await bench.push([twice])).toMatchObject({
      code: EXIT.uncertain,
      summary: { unchanged: 1, uncertain: 1 },
    });
    expect(bench.states(summary.run ?? '')).toEqual(['uncertain']);
    expect(bench.kept()).toHaveLength(1);
  });
});
