import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { EXIT, InterruptedError } from '../../../src/errors.ts';
import { fakePrompt } from '../../support/fake-runtime.ts';
import { barcodes, pushBench, visitors } from '../push-bench.ts';

describe('push of a good file', () => {
  test('sends every row once, and nothing when it is pushed again', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A:Ada', 'B:Bob', 'C:Cy'));
    const first = await bench.push([file]);
    expect(first).toMatchObject({ code: EXIT.done, summary: { state: 'finished', sent: 3, created: 3 } });
    expect(bench.kept().map(({ barcode, fields }) => [barcode, fields['first_name']])).toEqual([
      ['A', 'Ada'],
      ['B', 'Bob'],
      ['C', 'Cy'],
    ]);
    const again = await bench.push([file]);
    expect(again).toMatchObject({ code: EXIT.done, summary: { sent: 0, unchanged: 3, created: 0 } });
    expect(again.summary.run).not.toBe(first.summary.run);
    expect(bench.posts()).toHaveLength(3);
  });

  test('tells people in a few lines on stderr, and nothing on stdout', async () => {
    const bench = await pushBench();
    const { code, out, err } = await bench.run([
      'push',
      bench.write('a.csv', visitors('A', 'B')),
      '--progress',
      'none',
    ]);
    expect([code, out]).toEqual([EXIT.done, '']);
    expect(err).toMatch(
      /^E-mail domains are not looked up, because the service is on this machine\.\nHarbour Trade Fair 2027 at 127\.0\.0\.1:\d+ \(profile default\) · 2 new, 0 changed, 0 the same\nDone\. Harbour Trade Fair 2027 at 127\.0\.0\.1:\d+ \(profile default\):\n {2}2 sent \(2 new\)\n {2}run \d{8}-[0-9a-f]{6}, .*\nAudit: 2 of 2 are in the service as sent\.\n$/,
    );
  });

  test('sends parents before their members, whatever the order of the file', async () => {
    const bench = await pushBench();
    const rows = visitors('E/D', 'D/C', 'C/B', 'B/A', 'A', 'X/A', 'Y');
    expect(await bench.push([bench.write('a.csv', rows)])).toMatchObject({
      code: EXIT.done,
      summary: { sent: 7 },
    });
    const order = bench.postedBarcodes();
    const before = (one: string, other: string): boolean => order.indexOf(one) < order.indexOf(other);
    expect([
      before('A', 'B'),
      before('B', 'C'),
      before('C', 'D'),
      before('D', 'E'),
      before('A', 'X'),
    ]).toEqual(Array(5).fill(true));
    expect(bench.sandbox.registrations().find(({ barcode }) => barcode === 'X')?.parentBarcode).toBe('A');
  });

  test('takes rows from standard input', async () => {
    const bench = await pushBench();
    const ended = await bench.push(['-'], { stdinText: visitors('A', 'B') });
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 2 } });
  });

  test('takes several files with different columns, and flags that only one of them needs', async () => {
    const bench = await pushBench();
    const one = bench.write('one.csv', 'Barcode,Vorname,Notes\nA,Ada,x\n');
    const two = bench.write('two.json', JSON.stringify([{ barcode: 'B', fields: { last_name: 'Example' } }]));
    const ended = await bench.push([
      one,
      two,
      '--persona',
      'visitor',
      '--map',
      'Vorname=first_name',
      '--ignore-column',
      'Notes',
    ]);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 2 } });
    expect(bench.kept().map(({ fields }) => fields)).toEqual([
      { first_name: 'Ada' },
      { last_name: 'Example' },
    ]);
  });

  test('takes the mapping from a file beside the working directory, flags first', async () => {
    const bench = await pushBench();
    bench.write('map.json', JSON.stringify({ columns: { Vorname: 'last_name', Nachname: 'last_name' } }));
    const file = bench.write('a.csv', 'Vorname,Nachname\nAda,Example\n');
    const argv = [file, '--persona', 'visitor', '--mapping', 'map.json', '--map', 'Vorname=first_name'];
    expect((await bench.push(argv)).code).toBe(EXIT.done);
    expect(bench.kept()[0]?.fields).toEqual({ first_name: 'Ada', last_name: 'Example' });
    expect(await bench.push([file, '--mapping', 'none.json'])).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('The mapping file none.json cannot be read'),
    });
  });

  test('an unknown persona is a usage error that lists the known ones', async () => {
    const bench = await pushBench();
    const ended = await bench.push([bench.write('a.csv', 'barcode\nA\n'), '--persona', 'visiter']);
    expect(ended.code).toBe(EXIT.usage);
    expect(ended.err).toContain('has visitor, exhibitor, speaker');
    expect(bench.runs()).toEqual([]);
  });

  test('columns that match nothing are all named, and nothing is sent or kept', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', 'persona,Foo,Bar\nvisitor,1,2\n');
    const ended = await bench.push([file]);
    expect(ended.code).toBe(EXIT.usage);
    expect(ended.err).toContain('Foo');
    expect(ended.err).toContain('Bar');
    expect([bench.posts(), bench.runs()]).toEqual([[], []]);
  });

  test('blank cells leave fields as they are, or empty them with --blank clear', async () => {
    const bench = await pushBench();
    const head = 'persona,barcode,First name,Company\n';
    await bench.push([bench.write('a.csv', `${head}visitor,A,Ada,Acme\n`)]);
    await bench.push([bench.write('a.csv', `${head}visitor,A,Eva,\n`)]);
    expect(bench.kept()[0]?.fields).toEqual({ first_name: 'Eva', company: 'Acme' });
    const cleared = await bench.push(['a.csv', '--blank', 'clear']);
    expect(cleared.summary).toMatchObject({ sent: 1, unchanged: 0 });
    expect(bench.kept()[0]?.fields).toEqual({ first_name: 'Eva' });
  });
});

describe('push of a file with invalid rows', () => {
  const mixed = [
    'persona,barcode,parent_barcode,First name,E-mail',
    'visitor,A,,Ada,a@example.com',
    'visitor,B,,Bob,not-an-address',
    'visitor,C,B,Cy,c@example.com',
    'visitor,D,A,Di,d@example.com',
    '',
  ].join('\n');

  test('sends nothing unless told to skip them', async () => {
    const bench = await pushBench();
    const ended = await bench.push([bench.write('a.csv', mixed)]);
    expect(ended).toMatchObject({ code: EXIT.rejected, summary: { state: 'refused', sent: 0, rejected: 1 } });
    expect(ended.err).toContain('a.csv:3  column "E-mail" (email)');
    expect(ended.err).not.toContain('not-an-address');
    expect(ended.err).toContain('Nothing was sent: 1 of 4 rows cannot be.');
    expect(bench.posts()).toEqual([]);
    expect(bench.states()).toEqual([]);
    expect([ended.summary.run, bench.runs()]).toEqual([null, []]);
  });

  test('--invalid skip sends the others, but no member of a rejected row', async () => {
    const bench = await pushBench();
    const ended = await bench.push([bench.write('a.csv', mixed), '--invalid', 'skip']);
    expect(ended).toMatchObject({
      code: EXIT.rejected,
      summary: { state: 'finished', sent: 2, rejected: 2 },
    });
    expect(ended.err).toContain(
      'a.csv:4  column "parent_barcode": "B" is the barcode of a row that is rejected itself (a.csv:3)',
    );
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['A', 'D']);

    const again = await bench.push(['a.csv', '--invalid', 'skip']);
    expect(again).toMatchObject({ code: EXIT.rejected, summary: { sent: 0, unchanged: 2, rejected: 2 } });

    bench.write('a.csv', mixed.replace('not-an-address', 'b@example.com'));
    const mended = await bench.push(['a.csv']);
    expect(mended).toMatchObject({ code: EXIT.done, summary: { sent: 2, unchanged: 2, rejected: 0 } });
  });

  test.each([
    ['that the others showed', ['25/12/1990', '03/04/1991'], [], ' with --set date-order=dmy.'],
    [
      'that was given',
      ['02/01/1990', '03/04/1991'],
      ['--set', 'date-order=mdy'],
      ' with --set date-order=mdy.',
    ],
    ['of dates that are certain', ['1990-12-25', '1991-04-03'], [], '.'],
    ['that is no one order', ['25/12/1990', '04/25/1991'], [], '.'],
  ])('the rejected rows are to be read with the order of dates %s', async (_, [one, two], flags, end) => {
    const bench = await pushBench();
    const head = 'persona,barcode,First name,E-mail,Date of birth';
    const rows = [`visitor,A,Ada,ada@example.com,${one}`, `visitor,B,Bob,bad,${two}`, ''];
    const file = bench.write('a.csv', [head, ...rows].join('\n'));
    const ended = await bench.push([file, '--invalid', 'skip', '--rejects', 'rej.csv', ...flags]);
    expect(ended.err).toContain(`rej.csv: mend them and push that file${end}\n`);
  });

  test.each([
    ['rejects.csv', (text: string) => text.replace('not-an-address', 'b@example.com')],
    ['rejects.json', (text: string) => text.replace('not-an-address', 'b@example.com')],
    ['rejects.ndjson', (text: string) => text.replace('not-an-address', 'b@example.com')],
    ['rejects.txt', (text: string) => text.replace('not-an-address', 'b@example.com')],
  ])('%s holds the rejected rows; mended, it goes through without a flag', async (name, mend) => {
    const bench = await pushBench();
    const file = bench.write('a.csv', mixed.replaceAll(',', ';'));
    const ended = await bench.push([file, '--invalid', 'skip', '--rejects', name]);
    expect(ended.err).toContain(`2 rejected rows written to ${join(bench.directory, name)}`);
    const written = readFileSync(join(bench.directory, name), 'utf8');
    expect(written).toContain('E-mail: has no @');
    expect(statSync(join(bench.directory, name)).mode & 0o777).toBe(0o600);
    bench.write(name, mend(written));
    expect(await bench.push([name])).toMatchObject({ code: EXIT.done, summary: { sent: 2, rejected: 0 } });
    expect(bench.sandbox.registrations()).toHaveLength(4);
  });

  test('writes no rejects file when there is nothing to write', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A'));
    expect((await bench.push([file, '--rejects', 'r.csv'])).code).toBe(EXIT.done);
    expect(existsSync(join(bench.directory, 'r.csv'))).toBe(false);
  });
});

describe('--dry-run', () => {
  test('sends nothing, keeps no run, and says what a run would do', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B', 'C'));
    const dry = await bench.push([file, '--dry-run']);
    expect(dry).toMatchObject({
      code: EXIT.done,
      summary: { run: null, state: 'planned', pending: 3, sent: 0 },
    });
    expect(dry.err).toContain('3 to send\n');
    expect([bench.posts(), bench.runs()]).toEqual([[], []]);

    await bench.push([file]);
    bench.write('a.csv', visitors('A', 'B:Eva', 'C'));
    const edited = await bench.push([file, '--dry-run']);
    expect(edited.summary).toMatchObject({ pending: 1, unchanged: 2 });
    expect(bench.runs()).toHaveLength(1);
    expect((await bench.push([file])).summary).toMatchObject({ sent: 1, unchanged: 2, updated: 1 });
    const nothing = await bench.push([file, '--dry-run']);
    expect(nothing).toMatchObject({ code: EXIT.done, summary: { pending: 0, unchanged: 3 } });
    expect(bench.posts()).toHaveLength(4);
  });

  test('rejects what a run would reject', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'A', 'B'));
    expect(await bench.push([file, '--dry-run'])).toMatchObject({
      code: EXIT.rejected,
      summary: { state: 'refused', rejected: 2 },
    });
    const skipping = await bench.push([file, '--dry-run', '--invalid', 'skip']);
    expect(skipping).toMatchObject({
      code: EXIT.rejected,
      summary: { state: 'planned', rejected: 2, pending: 1 },
    });
    expect(bench.runs()).toEqual([]);
  });
});

describe('messages to people', () => {
  const comms =
    'persona,barcode,First name,enable_comms\nvisitor,A,Ada,yes\nvisitor,B,Bob,no\nvisitor,C,Cy,yes\n';

  test('are not asked for without a yes', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', comms);
    const ended = await bench.push([file]);
    expect(ended.code).toBe(EXIT.guarded);
    expect(ended.err).toContain('e-mail or text messages to 2 people (enable_comms)');
    expect(ended.err).toContain('Add --yes');
    expect(ended.summary).toMatchObject({ state: 'stopped', sent: 0, pending: 3, communications: 0 });
    expect(bench.posts()).toEqual([]);
  });

  test('are asked for with --yes, once', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', comms);
    expect((await bench.push([file, '--dry-run'])).summary.communications).toBe(2);
    expect(await bench.push([file, '--yes'])).toMatchObject({
      code: EXIT.done,
      summary: { sent: 3, communications: 2 },
    });
    expect(bench.kept().map(({ enableComms }) => enableComms)).toEqual([true, false, true]);
    expect(await bench.push([file])).toMatchObject({
      code: EXIT.done,
      summary: { sent: 0, communications: 0 },
    });
  });

  test.each([true, false])('at a terminal the answer %s counts', async (answer) => {
    const bench = await pushBench();
    const { prompt, asked, acting } = fakePrompt({ 'messages to 2 people': answer });
    const ended = await bench.push([bench.write('a.csv', comms)], { tty: true, prompt: async () => prompt });
    expect(asked).toHaveLength(1);
    expect(acting).toEqual(asked);
    expect(ended.code).toBe(answer ? EXIT.done : EXIT.guarded);
    expect(bench.posts()).toHaveLength(answer ? 3 : 0);
  });
});

describe('Ctrl-C', () => {
  test('lets requests under way finish, keeps the rest, and the same command sends the rest once', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors(...barcodes(30)));
    const stopping = new AbortController();
    bench.service.fault = ({ method, nth }) => {
      if (method === 'POST' && nth === 9) stopping.abort(new InterruptedError());
      return undefined;
    };
    const ended = await bench.push([file], { stopping: stopping.signal });
    expect(ended).toMatchObject({ code: EXIT.interrupted, summary: { state: 'interrupted', uncertain: 0 } });
    const { sent, pending } = ended.summary;
    expect(sent).toBeGreaterThanOrEqual(10);
    expect(sent).toBeLessThanOrEqual(18);
    expect([sent + pending, bench.kept().length]).toEqual([30, sent]);

    const resumed = await bench.push([file]);
    expect(resumed).toMatchObject({
      code: EXIT.done,
      summary: { sent: pending, unchanged: sent, created: pending },
    });
    expect(resumed.err).toContain(`Going on from run ${ended.summary.run}.`);
    expect(bench.postedBarcodes().sort()).toEqual(barcodes(30));
  });

  test('while the last request is out says that nothing was read back, and the next push does', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B', 'C'));
    const stopping = new AbortController();
    bench.service.fault = ({ method, nth }) => {
      if (method === 'POST' && nth === 2) stopping.abort(new InterruptedError());
      return undefined;
    };
    const ended = await bench.push([file, '--concurrency', '1'], { stopping: stopping.signal });
    const audit = { checked: 0, skipped: 'it was interrupted' };
    const summary = { state: 'interrupted', sent: 3, audit };
    expect(ended).toMatchObject({ code: EXIT.interrupted, summary });
    expect(ended.err).toContain('Audit: not done, it was interrupted.');
    expect(bench.runs()[0]?.state).toBe('interrupted');
    bench.service.fault = () => undefined;
    const resumed = await bench.push([file]);
    expect(resumed).toMatchObject({ code: EXIT.done, summary: { sent: 0, unchanged: 3 } });
    expect(bench.posts()).toHaveLength(3);
  });

  test('before anything was sent leaves nothing behind', async () => {
    const bench = await pushBench();
    const stopping = AbortSignal.abort(new InterruptedError());
    const ended = await bench.push([bench.write('a.csv', visitors('A'))], { stopping });
    expect(ended.code).toBe(EXIT.interrupted);
    expect([bench.posts(), bench.runs()]).toEqual([[], []]);
  });
});

describe('the files of a push', () => {
  test('each is named once, by whatever name', async () => {
    const bench = await pushBench();
    bench.write('a.csv', visitors(':Ada'));
    for (const files of [
      ['a.csv', 'a.csv'],
      ['a.csv', './a.csv'],
      ['-', '-'],
    ]) {
      const ended = await bench.push(files);
      expect(ended).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('Name each file once') });
    }
    expect(bench.posts()).toEqual([]);
  });

  test('without a row are refused', async () => {
    const bench = await pushBench();
    for (const text of ['persona,First name\n', '[]']) {
      const ended = await bench.push([bench.write('none.txt', text)]);
      expect(ended).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('there are no rows') });
    }
    expect(bench.runs()).toEqual([]);
  });

  test('with equal rows and no barcodes are sent with a warning', async () => {
    const bench = await pushBench();
    const row = 'visitor,Ada,Lovelace';
    const file = bench.write(
      'a.csv',
      ['persona,First name,Last name', row, row, 'visitor,Bob,', row].join('\n'),
    );
    const ended = await bench.push([file]);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 4 } });
    expect(ended.err).toContain('warning: 2 rows without a barcode are equal to an earlier row (a.csv:5)');
  });

  test('with a row of which nothing is sent are not sent: it would register nobody', async () => {
    const bench = await pushBench();
    const rows = ['persona,First name,Speaker name', 'speaker,Ada,Ada', 'speaker,,TBC'];
    const ended = await bench.push([
      bench.write('a.csv', rows.join('\n')),
      '--ignore-column',
      'Speaker name',
    ]);
    expect(ended).toMatchObject({ code: EXIT.rejected, summary: { sent: 0, rejected: 1 } });
    expect(ended.err).toContain('a.csv:3  holds no value that is sent, so that it would register nobody');
    const members = ['persona,barcode,parent_barcode', 'visitor,A,', 'visitor,,A'];
    expect((await bench.push([bench.write('b.csv', members.join('\n'))])).code).toBe(EXIT.done);
  });

  test('with one person twice, by e-mail and name, and no barcodes are sent with a warning', async () => {
    const bench = await pushBench();
    const rows = [
      'persona,First name,Last name,E-mail,Remarks',
      'visitor,Ada,Lovelace,ada@example.com,',
      'visitor,Augusta,Lovelace,ada@example.com,of the same address',
      'speaker,Ada,Lovelace,ada@example.com,',
      'visitor,ADA,Lovelace,Ada@Example.com,I come later',
    ];
    const ended = await bench.push([bench.write('form.csv', rows.join('\n'))]);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 4 } });
    expect(ended.err).toContain(
      'warning: 1 person stands twice (same e-mail and name, no barcode). Each of their rows that is sent becomes a registration of its own (form.csv:5, after form.csv:2); --set same-person=last sends the later row',
    );
  });

  test('are not waited for after Ctrl-C, also when they say nothing', async () => {
    const bench = await pushBench();
    const stop = new AbortController();
    const silent = new PassThrough();
    setImmediate(() => stop.abort(new InterruptedError()));
    const ended = await bench.run(['push', '-'], { stdin: silent, stopping: stop.signal });
    expect(ended).toMatchObject({ code: EXIT.interrupted, err: expect.stringContaining('Interrupted') });
    expect(bench.runs()).toEqual([]);
  });
});

describe('the rejects file', () => {
  const bad = 'persona,barcode,E-mail\nvisitor,A,a@example.com\nvisitor,B,nonsense\n';

  test('is never one of the files that are read', async () => {
    const bench = await pushBench();
    bench.write('a.csv', bad);
    bench.write('map.json', '{}');
    for (const file of ['a.csv', './a.csv', 'map.json']) {
      const ended = await bench.push(['a.csv', '--mapping', 'map.json', '--rejects', file, '--yes']);
      expect(ended).toMatchObject({
        code: EXIT.usage,
        err: expect.stringContaining('one of the files that are read'),
      });
    }
    expect(readFileSync(join(bench.directory, 'a.csv'), 'utf8')).toBe(bad);
  });

  test('replaces another file only with a yes', async () => {
    const bench = await pushBench();
    bench.write('a.csv', bad);
    bench.write('mended.csv', 'work of an hour');
    const push = ['a.csv', '--rejects', 'mended.csv'];
    expect(await bench.push(push)).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('--yes'),
    });
    expect(readFileSync(join(bench.directory, 'mended.csv'), 'utf8')).toBe('work of an hour');
    expect((await bench.push([...push, '--yes'])).code).toBe(EXIT.rejected);
    expect(readFileSync(join(bench.directory, 'mended.csv'), 'utf8')).toContain('nonsense');
  });

  test('needs a folder that is there', async () => {
    const bench = await pushBench();
    const ended = await bench.push([bench.write('a.csv', bad), '--rejects', 'none/rejects.csv']);
    expect(ended).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('a folder that does not exist'),
    });
  });
});

describe('the summary for programs', () => {
  test('names rejected rows with their reasons, but not their values', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', 'persona,barcode,E-mail\nvisitor,B,nonsense\n');
    for (const more of [[], ['--dry-run'], ['--invalid', 'skip']]) {
      const { code, summary, out } = await bench.push([file, ...more]);
      expect(code).toBe(EXIT.rejected);
      expect(summary.problems).toMatchObject([
        { place: 'a.csv:2', state: 'rejected', barcode: 'B', column: 'E-mail', message: 'has no @' },
      ]);
      expect(out).not.toContain('nonsense');
    }
  });

  test('is one line of CSV with --output csv', async () => {
    const bench = await pushBench();
    const ended = await bench.run(['push', bench.write('a.csv', visitors('A')), '--output', 'csv']);
    expect(ended.out).toMatch(
      /^run,state,event,host,profile,sent,.*\n\d{8}-[0-9a-f]{6},finished,Harbour Trade Fair 2027,127\.0\.0\.1:\d+,default,1,.*\n$/,
    );
  });
});
