import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import type { Switches } from '../../../src/sandbox/store/switches.ts';
import { withRecords } from '../../support/bodies.ts';
import { type Bench, pushBench } from '../push-bench.ts';
import { backups, registerByHand } from '../service-hands.ts';
import {
  companies,
  diffOf,
  edit,
  find,
  guest,
  hide,
  MINUTE_MS,
  NAMES,
  push,
  pushed,
  textOf,
  visitors,
} from './lists.ts';

const list = (company: string): string =>
  visitors(
    'First name,Last name,E-mail,Company',
    `Ana,Poole,ana@example.com,${company}`,
    'Bob,Poole,bob@example.com,Acme',
  );

test.each<[string, Partial<Switches>]>([
  ['no ids', { idShown: 'nowhere' }],
  ['ids in answers alone', { idShown: 'answers' }],
  ['neither ids nor barcodes', { idShown: 'nowhere', recordBarcode: 'hidden' }],
])('where the list shows no values and %s, a row that was edited is nobody new', async (_, switches) => {
  const bench = await pushed(list('Acme'), { recordShape: 'no-fields', ...switches });
  const ended = await push(bench, list('Best'));
  expect([ended.code, bench.kept().length]).toEqual([EXIT.rejected, 2]);
  expect(textOf(ended)).toContain('one that was sent before has its e-mail');
  expect((await push(bench, list('Best'), '--match', 'none')).summary.sent).toBe(1);
});

describe.each<[string, (text: string) => string | undefined]>([
  ['hidden', () => undefined],
  ['masked', (text) => `${text.slice(0, 4)}•••••`],
  ['cut', (text) => text.slice(0, 12)],
])('a value that the list shows %s', (_, show) => {
  const FIRM = 'Acme Trade and Services Ltd';
  const rows = (remark: string, ...barcodes: readonly string[]): string =>
    visitors(`${NAMES},Company,Remarks`, ...barcodes.map((one) => `${guest(one)},${FIRM} ${one},${remark}`));

  /** Three guests of whom the list shows the company so. */
  async function showing(): Promise<Bench> {
    const bench = await pushBench();
    bench.service.shown = (body, { method }) =>
      method === 'GET'
        ? withRecords(body, ({ fields, ...record }) => {
            const { company, ...others } = fields as Record<string, unknown>;
            return {
              ...record,
              fields: { ...others, company: typeof company === 'string' ? show(company) : company },
            };
          })
        : body;
    await push(bench, rows('', 'A', 'B', 'C'));
    await push(bench, rows('', 'A', 'B', 'C'), '--keep');
    await bench.clock.advance(MINUTE_MS);
    return bench;
  }

  test('is no edit, and is told where an update sends it once more, over what staff have written', async () => {
    const bench = await showing();
    edit(bench, 'A', { company: `${FIRM} A and Sons` });
    const unchanged = await push(bench, rows('', 'A', 'B', 'C'));
    expect([unchanged.code, unchanged.summary.values_kept]).toEqual([EXIT.done, 0]);
    expect(unchanged.err).toContain('company of visitor whole: whether it is there as in the file');
    const next = rows('by the door', 'A');
    expect(await diffOf(bench, next)).toMatch(/company: .* as sent before; what is there now is not shown/);
    const { code, err } = await push(bench, next);
    expect([code, find(bench, 'A').fields['company']]).toEqual([EXIT.done, `${FIRM} A`]);
    expect(err).toContain('The service does not show company of visitor whole: each update sends');
  });

  test('comes back with all at once where it was sent from here, and is told to be lost where it was not', async () => {
    const bench = await showing();
    const walkIn = { first_name: 'Wanda', last_name: 'Ek', email: 'w@example.com', company: `${FIRM} W` };
    await registerByHand(bench, { barcode: 'W', fields: walkIn });
    const pruned = await push(bench, rows('', 'A'), '--prune', '--yes', '--max-delete', '3');
    expect(pruned.summary).toMatchObject({ deleted: 3 });
    expect(pruned.err).toContain(
      'does not show company of 1 registration whole, and it was not sent from here',
    );
    const [backup = ''] = backups(bench).map((file) => readFileSync(file, 'utf8'));
    expect([backup.match(/Ltd/g)?.length, backup.includes('•')]).toEqual([2, false]);
    const undone = await bench.run(['runs', 'undo', pruned.summary.run ?? '', '--yes']);
    expect([undone.code, undone.err]).toEqual([EXIT.rejected, expect.stringContaining('3 restored')]);
    expect(undone.err).toContain('1 registration comes back without all that was there');
    const companyOf = (one: string): unknown => find(bench, one).fields['company'];
    expect(['B', 'C', 'W'].map(companyOf)).toEqual([`${FIRM} B`, `${FIRM} C`, undefined]);
  });
});

test('where no values are shown nothing is waited for once the answer names whom it changed', async () => {
  const bench = await pushed(companies('Acme', 'A', 'B'), { recordShape: 'no-fields' });
  const began = bench.clock.now();
  const { code, summary } = await push(bench, companies('Best', 'A', 'B'), '--yes');
  expect([code, summary.sent, bench.clock.now() - began < MINUTE_MS / 2]).toEqual([EXIT.done, 2, true]);
});

test.each<[string, string | undefined]>([
  ['hidden', undefined],
  ['masked', 'x***@example.com'],
])('people without barcodes are told by their names where e-mails are %s', async (_, email) => {
  const rows = visitors('First name,Last name,E-mail', 'Ana,Poole,xa@example.com', 'Bob,Ray,xb@example.com');
  for (const flags of [[], ['--no-audit']]) {
    const bench = await pushBench({ createBody: 'empty' });
    bench.service.shown = (body) =>
      withRecords(body, (one) => ({ ...one, fields: { ...(one['fields'] as object), email } }));
    const ended = [await push(bench, rows, ...flags), await push(bench, rows, '--overwrite', '--yes')];
    expect([ended.map(({ code }) => code), bench.kept().length]).toEqual([[EXIT.done, EXIT.done], 2]);
  }
});

test('values that the list keys by labels are compared', async () => {
  const bench = await pushed(list('Acme'), { recordShape: 'labels' });
  edit(bench, 'Ana', { company: 'by staff' });
  const codes = [];
  for (const company of ['Acme', 'Best']) codes.push((await push(bench, list(company))).summary.values_kept);
  expect([codes, find(bench, 'Ana').fields['company']]).toEqual([[1, 0], 'by staff']);
});

describe('a new row with the e-mail of somebody whose persona no list shows', () => {
  const rows = (...more: readonly string[]): string =>
    ['persona,barcode,First name,Last name,E-mail', 'exhibitor,X1,Cy,Poole,cy@example.com', ...more, ''].join(
      '\n',
    );
  const ANA = 'visitor,V1,Ana,Poole,ana@example.com';
  const NEW = 'exhibitor,X2,Ana,Poole,ana@example.com';

  async function hiding(recognise: Switches['recognise'], first: string): Promise<Bench> {
    const bench = await pushBench({ recognise, listTotal: 'hidden', filterSpelling: 'none' });
    hide(bench, ({ persona }) => persona === 'visitor');
    await push(bench, first, '--yes');
    await bench.clock.advance(MINUTE_MS);
    return bench;
  }
  const visitor = (bench: Bench): unknown[] =>
    bench.kept().flatMap(({ persona, barcode }) => (persona === 'visitor' ? barcode : []));

  test.each([
    ['who is in the files still', rows(ANA, NEW)],
    ['who is not in the files any more', rows(NEW)],
  ])('%s is not sent over that one', async (_, next) => {
    const bench = await hiding('email', rows(ANA));
    const ended = await push(bench, next, '--yes');
    expect([ended.code, visitor(bench), bench.posts().length]).toEqual([EXIT.rejected, ['V1'], 2]);
    expect(textOf(ended)).toContain('has its e-mail as another persona');
  });

  test('is sent where it is said to be another person, and told where the service does not agree', async () => {
    const bench = await hiding('email', rows(ANA));
    const ended = await push(bench, rows(NEW), '--yes', '--match', 'none');
    expect([ended.code, ended.summary.conflict]).toEqual([EXIT.rejected, 1]);
    expect(textOf(ended)).toContain('that was sent before instead of adding one');
    expect(
      (await push(bench, rows('exhibitor,X3,Al,Poole,ana@example.com'), '--match', 'none')).summary.sent,
    ).toBe(0);
  });

  test('is sent where it is said to be another person, and so it is', async () => {
    const bench = await hiding('barcode', rows(ANA));
    const ended = await push(bench, rows(ANA, NEW), '--yes', '--match', 'none');
    expect([ended.code, bench.kept().length]).toEqual([EXIT.done, 3]);
    expect((await push(bench, rows(ANA, NEW))).code).toBe(EXIT.done);
  });

  test('is not called the same as one that the same push registers', async () => {
    const bench = await hiding('barcode', rows(ANA, NEW));
    expect(bench.kept()).toHaveLength(3);
    expect(textOf(await bench.run(['runs', 'show']))).not.toContain('took a.csv:4 for the same person');
    expect(bench.states()).not.toContain('conflict');
  });
});

test('a row in doubt whose barcode has lost its zeros since is not sent once more', async () => {
  const row = (barcode: string): string => visitors('barcode,First name,Last name', `${barcode},Gus,Noether`);
  const bench = await pushBench({ listTotal: 'hidden', filterSpelling: 'none' });
  hide(bench, () => true);
  expect((await push(bench, row('00500'))).code).toBe(EXIT.uncertain);
  const ended = await push(bench, row('500'), '--yes');
  expect([ended.code, bench.kept().length]).toEqual([EXIT.rejected, 1]);
  expect(textOf(ended)).toContain('it has the barcode but for case and zeros of guests.csv:2');
});

test('a guest who was made a member, where no list shows members, is not said to be deleted', async () => {
  const member = `visitor,A,P,Ana,Poole,ana@example.com`;
  const rows = (...some: readonly string[]): string =>
    ['persona,barcode,parent_barcode,First name,Last name,E-mail', ...some, ''].join('\n');
  const bench = await pushBench({ listTotal: 'hidden' });
  hide(bench, ({ parent_barcode: parent }) => typeof parent === 'string');
  await push(bench, rows('visitor,A,,Ana,Poole,ana@example.com'));
  await push(bench, rows('visitor,P,,Pia,Poole,pia@example.com', member), '--yes');
  await bench.clock.advance(MINUTE_MS);
  const ended = await push(bench, rows(member), '--yes');
  expect([ended.code, textOf(ended)]).toEqual([EXIT.done, expect.not.stringContaining('deleted in')]);
});

describe('a guest who has another name and e-mail by now', () => {
  const RENAMED = { first_name: 'Zoe', last_name: 'Klein', email: 'zoe@example.com' };

  test.each(['Acme', 'Best'])(
    'is not said to be deleted where neither ids nor barcodes are shown: %s',
    async (company) => {
      const bench = await pushed(list('Acme'), { idShown: 'nowhere', recordBarcode: 'hidden' });
      edit(bench, 'Ana', RENAMED);
      const ended = await push(bench, list(company));
      expect([ended.code, bench.kept().length]).toEqual([EXIT.rejected, 2]);
      expect(textOf(ended)).toContain('it was deleted there, or given another name and e-mail');
    },
  );

  test('is not said to be deleted because the row was edited', async () => {
    const bench = await pushed(list('Acme'));
    edit(bench, 'Ana', RENAMED);
    const ended = await push(bench, list('Best'));
    expect([ended.code, bench.kept().length]).toEqual([EXIT.rejected, 2]);
    expect(textOf(ended)).toContain('has another name now');
  });
});
