import { loadNationalPhones } from '../../../src/commands/push/load-national-phones.ts';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { DnsResolver } from '../../../src/runs/read/check-dns.ts';
import { checkRows } from '../../../src/runs/read/check-rows.ts';
import { ingest } from '../../../src/runs/read/ingest.ts';
import { MaskedRows } from '../../../src/runs/read/masked-rows.ts';
import type { Place } from '../../../src/registration/model/row.ts';
import { prepare } from '../../../src/runs/read/prepare.ts';
import { countRows } from '../../../src/sync/journal/queued-rows.ts';
import type { Journal } from '../../../src/sync/journal/journal.ts';
import type { SendContext } from '../../../src/sync/journal/send-context.ts';
import { rejectedRows } from '../../../src/runs/read/rejected-rows.ts';
import { beginRun } from '../../../src/sync/journal/runs.ts';
import { storeInput } from '../../../src/input/source/stored-input.ts';
import { DEFAULT_REPAIRS } from '../../../src/registration/repairs/repair-options.ts';
import type { EventInfo, FieldKind } from '../../../src/registration/model/persona.ts';
import type { PushEvent } from '../../../src/report/views/events.ts';
import { FOUND_OUT } from '../../support/found-out.ts';
import { openJournal, SELF, TARGET } from '../journal-bench.ts';

const field = (slug: string, kind: FieldKind) => ({
  id: undefined,
  slug,
  label: slug,
  type: kind,
  kind,
  choices: [],
  multiple: false,
  known: true,
});
const EVENT: EventInfo = {
  eventId: '1',
  slug: 'fair',
  name: 'Fair',
  timezone: undefined,
  startDate: undefined,
  endDate: undefined,
  personas: [
    {
      id: undefined,
      slug: 'visitor',
      name: 'Visitor',
      fields: [field('email', 'email'), field('second', 'email')],
    },
  ],
};

const failing = async (code: string): Promise<never> => {
  throw Object.assign(new Error(code), { code });
};
/** Knows one domain that takes mail, one that does not exist, and one that is silent. */
const resolver = (asked: string[]): DnsResolver => ({
  resolveMx: async (domain) => {
    asked.push(domain);
    if (domain === 'good.example') return [{ exchange: 'mx.good.example', priority: 1 }];
    return await failing(domain === 'silent.example' ? 'ETIMEOUT' : 'ENOTFOUND');
  },
  resolve4: async () => await failing('ENODATA'),
  resolve6: async () => await failing('ENODATA'),
});

/** Reads rows and checks them as push does, with a resolver of the test's own. */
async function check(
  text: string,
  invalid: 'stop' | 'skip',
): Promise<{ journal: Journal; run: string; asked: string[]; notes: string[]; examples: readonly Place[] }> {
  const journal = openJournal();
  const run = beginRun(journal, { kind: 'push', target: TARGET, files: ['a.csv'] }, 0, SELF);
  const notes: string[] = [];
  const asked: string[] = [];
  const reporter = {
    report: (event: PushEvent) => {
      if (event.type === 'note') notes.push(event.text);
    },
    pause: () => undefined,
    close: () => undefined,
  };
  const stopping = new AbortController().signal;
  const stored = await storeInput({ file: 'a.csv', open: () => Readable.from([text]) });
  const prepared = await prepare(
    [stored],
    {
      input: FOUND_OUT,
      mapping: { overrides: new Map(), ignore: [], recall: () => undefined },
      persona: 'visitor',
      totalsRows: undefined,
      nothing: undefined,
      skipsInvalid: false,
      said: { values: new Map(), phones: new Map(), dates: new Map(), leaveOut: new Map() },
      asks: false,
      tries: false,
      loadPhones: loadNationalPhones,
      makeBarcodes: undefined,
      repairs: DEFAULT_REPAIRS,
    },
    { event: EVENT, reporter, stopping },
  );
  const rows = { event: EVENT, persona: 'visitor', blank: 'omit' } as const;
  const masks = new MaskedRows(journal, {
    files: [],
    targetMark: undefined,
    takesSample: false,
    accepts: true,
    cloneOf: () => undefined,
  });
  const { examples, likeExamples } = await ingest(
    journal,
    run,
    prepared,
    { rows, keepCells: false, keepDomains: true, masks, stopping },
    reporter,
  );
  const context: Partial<SendContext> = { journal, reporter, stopping, target: TARGET, event: EVENT };
  await checkRows(
    run,
    { columns: prepared.mappings.findings.barcodeColumns(), likeExamples },
    { resolver: resolver(asked), invalid },
    context as SendContext,
  );
  return { journal, run, asked, notes, examples };
}

const ROWS = [
  'barcode,parent_barcode,email,second',
  'A,,a@good.example,a@bad.example',
  'B,A,b@GOOD.example,',
  'C,,c@bad.example,c@silent.example',
  'D,,d@silent.example,',
].join('\n');

test('every row with an address at a domain that takes no mail is rejected, each domain asked once', async () => {
  const { journal, run, asked, notes } = await check(ROWS, 'stop');
  expect(asked.sort()).toEqual(['bad.example', 'good.example', 'silent.example']);
  expect([...rejectedRows(journal, run)].map(({ place, reasons }) => [place.line, reasons])).toMatchObject([
    [
      2,
      [
        {
          column: 'second',
          value: 'a@bad.example',
          problem: 'is at bad.example, a domain that does not exist',
          personal: true,
        },
      ],
    ],
    [4, [{ column: 'email', value: 'c@bad.example' }]],
  ]);
  expect(notes).toEqual([
    'DNS gave no answer for 1 e-mail domain (silent.example); their addresses are taken as they are.',
  ]);
  expect(journal.all('SELECT * FROM email')).toEqual([]);
});

test('with skip their members go with them', async () => {
  const { journal, run } = await check(ROWS, 'skip');
  expect([...rejectedRows(journal, run)].map(({ place }) => place.line)).toEqual([2, 3, 4]);
  expect(countRows(journal, run)).toMatchObject({ pending: 1, rejected: 3 });
});

test('the example of a template is left out by what it holds, and what is left of it in another row is rejected', async () => {
  const { examples, journal, run } = await check(
    [
      'barcode,email,second',
      'EXAMPLE-1,maria.garcia@example.com,',
      ',maria.garcia@example.com,maria.garcia@example.com',
      'T1,maria.garcia@example.com,t@good.example',
      'EXAMPLE-1,b@good.example,',
      'T2,c@good.example,',
    ].join('\n'),
    'stop',
  );
  expect(examples.map(({ line }) => line)).toEqual([2, 3]);
  expect([...rejectedRows(journal, run)].map(({ place, reasons }) => [place.line, reasons[0]])).toEqual([
    [4, expect.objectContaining({ value: 'maria.garcia@example.com', code: 'example-row' })],
    [5, expect.objectContaining({ value: 'EXAMPLE-1', code: 'example-row' })],
  ]);
});
