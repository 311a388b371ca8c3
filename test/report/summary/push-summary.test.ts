import { describe, expect, test } from 'vitest';
import type { AuditResult, SummaryView } from '../../../src/report/views/summary-view.ts';
import { formatSummary, summaryRecord } from '../../../src/report/summary/push-summary.ts';
import { counts, NO_PLAN, view } from './summary-fixture.ts';

const NONE = { missing: 0, doubled: 0, gone: 0, orphaned: 0, unapplied: 0, unverified: 0, refused: 0 };
const NOTHING = { different: [], changed: [], spelling: [], hidden: [] };
const UNEXPECTED = { count: 0, ids: [] };
const WELL: AuditResult = { checked: 240, ...NONE, ...NOTHING, unexpected: UNEXPECTED, skipped: undefined };

const lines = (over: Partial<SummaryView>, showValues = false): string[] =>
  formatSummary(view(over), showValues).split('\n');

describe('a dry run', () => {
  const dry = { state: 'planned', run: undefined } as const;

  test('says what would become of each row, and how long it takes', () => {
    expect(
      lines({
        ...dry,
        counts: counts({ pending: 6, unchanged: 7, conflict: 1, uncertain: 2, rejected: 3 }),
        plan: { create: 3, update: 2, unknown: 1, unchanged: 5, kept: 0, delete: 4 },
        requests: 60,
        communications: 1,
      }),
    ).toEqual([
      'Dry run, nothing was sent. Harbour Trade Fair 2027:',
      '  6 to send · about 2 min',
      '    3 to create',
      '    2 to update',
      '    1 to send without comparing',
      '  5 unchanged: the service shows them as in the file',
      '  2 sent before and not changed since',
      '  1 in conflict with what the service holds, not sent',
      '  4 to delete: the file no longer has them',
      '  2 not known whether they arrived before: looked up first, sent only if they are not there',
      '  3 rejected, left out',
      '  1 ask the service to write to people (enable_comms)',
    ]);
  });

  test('counts the values in conflict of rows that go all the same, as a push does', () => {
    const one = { values: { kept: 0, conflict: 1, refused: 0 } };
    const text = 'in conflict, not sent: only you can tell which side is right';
    expect(lines({ ...dry, counts: counts({ pending: 1 }), ...one })).toContain(`  1 value ${text}`);
    expect(lines({ counts: counts({ done: 1 }), ...one })).toContain(`  1 value ${text}`);
    const two = { values: { kept: 0, conflict: 2, refused: 0 } };
    expect(lines({ counts: counts({ done: 1 }), ...two })).toContain(`  2 values ${text}`);
  });

  test('that compared nothing tells nothing apart', () => {
    expect(
      lines({ ...dry, counts: counts({ pending: 3 }), plan: { ...NO_PLAN, unknown: 3 }, requests: 3 }),
    ).toEqual(['Dry run, nothing was sent. Harbour Trade Fair 2027:', '  3 to send']);
  });

  test('has its numbers for programs; other pushes have none', () => {
    const plan = { ...NO_PLAN, create: 3, update: 2, delete: 4 };
    expect(summaryRecord(view({ ...dry, plan }), false)).toMatchObject({
      to_create: 3,
      to_update: 2,
      to_delete: 4,
      deletions_left: null,
      deleted: 0,
      audit: null,
    });
    expect(summaryRecord(view({ plan }), false)).toMatchObject({
      to_create: null,
      to_update: null,
      to_delete: null,
    });
    expect(Object.keys(summaryRecord(view(dry), false))).toEqual(Object.keys(summaryRecord(view(), false)));
  });
});

test('a service without a limit gives no time, and left time is told where it is known', () => {
  const left = { counts: counts({ pending: 300 }), requests: 303 };
  const budget = { limit: 30, remaining: 0, windowMs: 60_000, refillsAtMs: undefined };
  expect(lines({ ...left, state: 'stopped', budget })).toContain(
    '  300 still to send, about 10 min 6 s; nothing is sent twice',
  );
  expect(lines({ ...left, state: 'interrupted', budget: { ...budget, windowMs: undefined } })).toContain(
    '  300 still to send: run the same command again, nothing is sent twice',
  );
  const unlimited = { ...budget, limit: undefined };
  const dry = { ...left, state: 'planned', run: undefined } as const;
  expect(lines({ ...dry, budget: unlimited })).toContain(
    '  300 to send. How long it takes is not known yet.',
  );
  // A limit of none is a limit.
  expect(lines({ ...dry, budget: { ...budget, limit: 0 } })).toContain('  300 to send');
  expect(summaryRecord(view({ ...dry, budget }), false)).toMatchObject({
    requests_left: 303,
    expected_ms: 606_000,
    rate_limit: 30,
    rate_window_ms: 60_000,
    budget_left: 0,
  });
  expect(summaryRecord(view({ ...dry, budget: unlimited }), false)).toMatchObject({
    requests_left: 303,
    expected_ms: null,
    rate_limit: null,
  });
});

describe('a push that has ended', () => {
  test('says what was sent, deleted, and left', () => {
    expect(
      lines({
        counts: counts({ done: 7, accepted: 1, unchanged: 7, failed: 1, conflict: 2, blocked: 3 }),
        plan: { ...NO_PLAN, unchanged: 5 },
        deletions: counts({ deleted: 6, unchanged: 1, failed: 2, blocked: 1, uncertain: 1, pending: 3 }),
        deleted: 4,
        created: 3,
        updated: 4,
      }),
    ).toEqual([
      'Done. Harbour Trade Fair 2027:',
      '  8 sent (3 new, 4 updated)',
      '  5 unchanged: the service shows them as in the file',
      '  2 sent before and not changed since',
      '  1 refused by the service',
      '  2 in conflict with what the service holds',
      '  3 not sent because of their parent',
      '  4 deleted: the file no longer had them',
      '  3 not deleted, with the reason above',
      '  1 not known whether deleted: push the same again with --prune',
      '  3 still to delete: push the same again with --prune',
      '  run 20260115-abcdef, 12 s',
    ]);
  });

  test('says how deletions go on only where nothing has stopped it, which says it itself', () => {
    const deletions = counts({ pending: 3 });
    expect(lines({ deletions, state: 'stopped' })).toContain('  3 still to delete');
    expect(lines({ deletions, state: 'interrupted' })).toContain(
      '  3 still to delete: push the same again with --prune',
    );
  });

  test('has had nothing to do only when nothing was deleted either', () => {
    expect(lines({})[0]).toBe('Nothing to send. Harbour Trade Fair 2027:');
    expect(lines({ deleted: 1, deletions: counts({ deleted: 1 }) })[0]).toBe(
      'Done. Harbour Trade Fair 2027:',
    );
    expect(lines({ deletions: counts({ pending: 1 }) })[0]).toBe('Done. Harbour Trade Fair 2027:');
    expect(lines({ counts: counts({ uncertain: 3 }) })[0]).toBe('Done. Harbour Trade Fair 2027:');
    const failed = lines({ disputed: 1, counts: counts({ conflict: 2 }) });
    expect(failed[0]).toBe('Done. Harbour Trade Fair 2027:');
    expect(failed).toContain('  2 in conflict with what the service holds, 1 of them after being sent');
    expect(lines({ counts: counts({ failed: 1 }) })[0]).toBe('Done. Harbour Trade Fair 2027:');
    expect(lines({ state: 'stopped' })[0]).toBe('Stopped. Harbour Trade Fair 2027:');
  });

  test('counts what went wrong with deletions where programs look for it', () => {
    const deletions = counts({ failed: 1, uncertain: 2, sending: 1, conflict: 3, blocked: 4 });
    const record = summaryRecord(view({ counts: counts({ failed: 10 }), deletions, deleted: 5 }), false);
    expect(record['deletions_left']).toBe(7);
    expect(record).toMatchObject({ failed: 11, uncertain: 3, conflict: 3, blocked: 4, deleted: 5 });
  });

  test('names who is no longer in the list', () => {
    const ann = { id: '7', barcode: 'HM-1', name: 'Ann Lee' };
    const nobody = { id: '8', barcode: undefined, name: '' };
    const leftOutBy = [{ column: 'Status', text: 'refunded', rows: 1 }];
    expect(lines({ noLonger: [ann], leftOutBy }, true)).toContain(
      '1 person of the earlier list is not in this one, or left out; stays (--prune removes those without a row; those left out: eventreg delete): Ann Lee (HM-1)',
    );
    expect(lines({ noLonger: [ann] }, true)).toContain(
      '1 person of the earlier list is not in this one; stays (--prune removes them): Ann Lee (HM-1)',
    );
    const plan = { ...view({}).plan, delete: 1 };
    expect(lines({ noLonger: [ann], plan }, true)).toContain('1 person would be deleted: Ann Lee (HM-1)');
    const counts = { ...view({}).counts, conflict: 1 };
    expect(lines({ noLonger: [ann], plan, counts }, true)).toContain(
      '1 person would be deleted, once no row is in conflict: Ann Lee (HM-1)',
    );
    expect(lines({ noLonger: [ann, nobody] })).toContain(
      '2 people of the earlier list are not in this one; stay (--prune removes them): A•• L•• (HM-1), 8',
    );
    expect(lines({ noLonger: Array.from({ length: 11 }, () => nobody) })).toContainEqual(
      expect.stringMatching(/^11 people .*: (?:8, ){10}…$/),
    );
    expect(summaryRecord(view({ noLonger: [ann, nobody] }), true).no_longer_in_file).toEqual([
      { registration_id: '7', barcode: 'HM-1', name: 'Ann Lee' },
      { registration_id: '8', barcode: null, name: '' },
    ]);
    expect(summaryRecord(view({ noLonger: [ann] }), false).no_longer_in_file).toMatchObject([
      { name: 'A•• L••' },
    ]);
  });

  test('leads from problems to where all are', () => {
    const problems = Array.from({ length: 22 }, (_, at) => ({
      place: `a.csv:${at}`,
      state: 'conflict' as const,
      barcode: undefined,
      message: 'edited',
    }));
    expect(lines({ problems })[20]).toBe('… and 2 more: `eventreg runs show 20260115-abcdef`');
    expect(lines({ problems, state: 'planned', run: undefined })[20]).toBe('… and 2 more: --diff shows all');
  });
});

describe('the audit', () => {
  const said = (audit: Partial<AuditResult>): string[] => lines({ audit: { ...WELL, ...audit } }).slice(2);

  test('is one line when all is well', () => {
    expect(said({})).toEqual(['Audit: 240 of 240 are in the service as sent.']);
    expect(said({ checked: 0 })).toEqual([]);
    expect(lines({ audit: undefined }).slice(2)).toEqual([]);
  });

  test('names everything that is not, each with what it means', () => {
    expect(
      said({
        missing: 3,
        doubled: 2,
        unapplied: 1,
        different: [
          { field: 'phone', rows: 12 },
          { field: 'country', rows: 1 },
        ],
        unexpected: { count: 3, ids: ['reg-1', 'reg-2'] },
        unverified: 7,
      }),
    ).toEqual([
      'Audit: 237 of 240 are in the service.',
      '  3 missing: the service said that it took them, but does not list them',
      '  2 doubled: registered more than once; nothing is deleted, their ids are above',
      '  1 not applied: the service said that it took the change, but lists the old values',
      '  stored otherwise than sent: phone (12 rows), country (1 row)',
      '  3 registrations have appeared meanwhile that no row stands for: reg-1, reg-2, …',
      '  7 not verified: the service shows too little, or the list is too long',
    ]);
  });

  test('says where nothing could be told, and where it was not done', () => {
    expect(said({ checked: 0, unverified: 2 })).toEqual([
      'Audit:',
      '  2 not verified: the service shows too little, or the list is too long',
    ]);
    expect(said({ skipped: 'the service could not be read: 503' })).toEqual([
      'Audit: not done, the service could not be read: 503.',
    ]);
  });

  test('cuts long lists, and lets no name drive the terminal', () => {
    const different = Array.from({ length: 12 }, (_, at) => ({ field: `f${at}\u001B[2J`, rows: 1 }));
    const [, line] = said({ different });
    expect(line).toContain(String.raw`f9\u{1b}[2J (1 row) and 2 other fields`);
    expect(said({ unexpected: { count: 1, ids: ['\u001B'] } })[1]).toContain(String.raw`: \u{1b}`);
  });

  test('is whole for programs', () => {
    const audit = { ...WELL, missing: 1, unexpected: { count: 1, ids: ['reg-9'] } };
    const { refused: not_accepted, spelling: own_way, hidden: _, ...rest } = audit;
    expect(summaryRecord(view({ audit }), false)['audit']).toEqual({
      not_accepted,
      own_way,
      ...rest,
      skipped: null,
    });
  });
});
