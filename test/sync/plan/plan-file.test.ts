import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { comparePlan, type PlanComparison } from '../../../src/sync/plan/compare-plan.ts';
import { type PlanHeader, readPlanFile, writePlanFile } from '../../../src/sync/plan/plan-file.ts';
import type { PlanEntry } from '../../../src/sync/plan/plan-entries.ts';
import { PLAN_ACTIONS } from '../../../src/sync/decide/plan-decision.ts';
import { ROW_STATES } from '../../../src/registration/model/row-states.ts';
import { valueShower } from '../../../src/report/words/shown-value.ts';
import { anyText } from '../../report/arbitrary-text.ts';
import { entry, EVERYTHING, FIELDS } from '../../report/plan-entries-fixture.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const HEADER: PlanHeader = {
  createdAt: '2026-01-15T12:00:00.000Z',
  service: 'https://events.example.com/v1',
  eventId: '42',
  eventName: 'Harbour Trade Fair 2027',
  folder: '/home/ann',
  files: [{ file: 'guests.csv', sha256: 'ab'.repeat(32) }],
  options: { blank: 'clear', pad: ['barcode=13'], maxDelete: { kind: 'percent', value: 5 } },
  contentKey: 'k1',
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function readAll(path: string): Promise<PlanEntry[]> {
  const { entries } = await readPlanFile(path, 'p.plan');
  return [...entries.values()].map((json) => JSON.parse(json) as PlanEntry);
}

/** A plan of these entries, in a folder of its own. */
async function planOf(entries: readonly PlanEntry[], header: Partial<PlanHeader> = {}): Promise<string> {
  const path = join(temporaryDirectory(), 'p.plan');
  await writePlanFile(path, { ...HEADER, ...header }, entries);
  return path;
}

/** The lines of a plan. */
async function planLines(entries: readonly PlanEntry[]): Promise<string[]> {
  return readFileSync(await planOf(entries), 'utf8')
    .trimEnd()
    .split('\n');
}

describe('a saved plan', () => {
  test('is read back as it was written, and counted', async () => {
    const path = join(temporaryDirectory(), 'p.plan');
    expect(await writePlanFile(path, HEADER, EVERYTHING)).toEqual({
      create: 1,
      update: 1,
      unknown: 1,
      delete: 1,
      conflict: 1,
      uncertain: 1,
      unchanged: 1,
      kept: 0,
    });
    expect((await readPlanFile(path, 'p.plan')).header).toEqual(HEADER);
    expect(await readAll(path)).toEqual(EVERYTHING);
  });

  test('is for its owner only, also where a file of others was before; nothing else is left in the folder', async () => {
    const path = join(temporaryDirectory(), 'p.plan');
    writeFileSync(path, 'old');
    chmodSync(path, 0o644);
    await writePlanFile(path, HEADER, EVERYTHING);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(path, '..'))).toEqual(['p.plan']);
  });

  test('is NDJSON that says in its first line what it is, and in its last the digest of the others', async () => {
    const text = readFileSync(await planOf(EVERYTHING), 'utf8');
    const lines = text.trimEnd().split('\n');
    const values = lines.map((line) => JSON.parse(line) as unknown);
    expect(lines).toHaveLength(EVERYTHING.length + 2);
    expect(values[0]).toMatchObject({ format: 'eventreg-plan', version: 1, contentKey: 'k1', eventId: '42' });
    expect(values[1]).toMatchObject({ key: 'b:EV-1', action: 'create' });
    expect(values.at(-1)).toEqual({ sha256: sha256(text.slice(0, text.lastIndexOf('{'))) });
  });

  test('that cannot be written leaves what was there, and says why', async () => {
    const path = join(temporaryDirectory(), 'p.plan');
    writeFileSync(path, 'old');
    const failing = function* (): Generator<PlanEntry> {
      yield entry();
      throw new Error('the journal is gone');
    };
    await expect(writePlanFile(path, HEADER, failing())).rejects.toMatchObject({
      exitCode: EXIT.failed,
      message: `The plan cannot be written to ${path}: the journal is gone.`,
    });
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(join(path, '..'))).toEqual(['p.plan']);
    await expect(writePlanFile(join(path, 'below'), HEADER, [])).rejects.toThrow('cannot be written');
  });

  test('keeps any text of any entry', async () => {
    const text = anyText();
    const value = fc.option(fc.oneof(text, fc.array(text, { maxLength: 3 })), { nil: undefined });
    const maybe = fc.option(text, { nil: undefined });
    const sheet = fc.option(text, { nil: undefined });
    const anyEntry: fc.Arbitrary<PlanEntry> = fc.record({
      key: text,
      action: fc.constantFrom(...PLAN_ACTIONS, 'delete' as const),
      place: fc.option(fc.record({ file: text, sheet, line: fc.nat() }), { nil: undefined }),
      barcode: maybe,
      id: maybe,
      persona: maybe,
      state: fc.constantFrom(...ROW_STATES),
      changes: fc.array(fc.record({ field: text, before: value, after: value }), { maxLength: 3 }),
      why: maybe,
    });
    const path = join(temporaryDirectory(), 'p.plan');
    await fc.assert(
      fc.asyncProperty(fc.array(anyEntry, { maxLength: 5 }), async (some) => {
        const entries = some.map((one, at) => ({ ...one, key: `${at}:${one.key}` }));
        await writePlanFile(path, HEADER, entries);
        expect(await readAll(path)).toEqual(entries);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a plan that is not as it was written is refused', () => {
  const NOT_AS_WRITTEN = 'p.plan: this plan is not as it was written; it was edited, cut off or damaged.';
  const problem = async (bytes: string | Buffer): Promise<string> => {
    const path = join(temporaryDirectory(), 'p.plan');
    writeFileSync(path, bytes);
    return await readPlanFile(path, 'p.plan').then(
      () => 'none',
      (error: Error) => error.message,
    );
  };

  test('wherever it is cut off', async () => {
    const whole = readFileSync(await planOf(EVERYTHING));
    expect(await problem(whole)).toBe('none');
    const ends = [...whole.keys()].filter((at) => whole[at] === 10).map((at) => at + 1);
    const cuts = [...Array(40).keys(), ...ends.slice(0, -1).flatMap((end) => [end - 1, end, end + 20])];
    for (const length of [...cuts, whole.length - 1]) {
      const said = await problem(whole.subarray(0, length));
      if (length < (ends[0] ?? 0) - 1) expect(said).toBe('p.plan: this is no plan of eventreg.');
      else expect(said).toBe(NOT_AS_WRITTEN);
    }
  });

  test('whichever line was edited, left out, repeated, or moved', async () => {
    const lines = await planLines(EVERYTHING);
    const problemOf = (all: readonly string[]): Promise<string> => problem(`${all.join('\n')}\n`);
    expect(await problemOf(lines)).toBe('none');
    for (const [at, line] of lines.entries()) {
      // Valid JSON of the same meaning: not even that passes.
      expect(await problemOf(lines.with(at, line.replace(':', ': ')))).toBe(NOT_AS_WRITTEN);
      if (at > 0) expect(await problemOf(lines.toSpliced(at, 1))).toBe(NOT_AS_WRITTEN);
      expect(await problemOf(lines.toSpliced(at, 0, line))).toBe(NOT_AS_WRITTEN);
    }
    const [first = '', second = '', third = '', ...rest] = lines;
    const richer = second.replace('"GB"', '"US"');
    expect(richer).not.toBe(second);
    for (const wrong of [lines.with(1, richer), [first, third, second, ...rest], [...lines, second]]) {
      expect(await problemOf(wrong)).toBe(NOT_AS_WRITTEN);
    }
    expect(await problem(lines.join('\r\n'))).toBe(NOT_AS_WRITTEN);
  });

  test('what is no plan, and what a newer eventreg wrote, is told as that', async () => {
    expect(await problem('Barcode,First name\nA,Ada\n')).toBe('p.plan: this is no plan of eventreg.');
    expect(await problem(Buffer.from([0x50, 0x4b, 3, 4, 0xff, 10, 0, 10]))).toContain('no plan of eventreg');
    expect(await problem('{"format":"eventreg-plan","version":2}\n')).toBe(
      'p.plan: this plan was written by a newer eventreg.',
    );
    mkdirSync(join(temporaryDirectory(), 'd'));
    await expect(readPlanFile('/nowhere/p.plan', 'p.plan')).rejects.toThrow('p.plan: there is no such file.');
  });

  test('a line without an end is not read to it', async () => {
    const endless = ' '.repeat(33 * 1024 * 1024);
    expect(await problem(endless)).toBe('p.plan: this is no plan of eventreg.');
    const [header = ''] = await planLines([]);
    expect(await problem(`${header}\n${endless}`)).toBe(NOT_AS_WRITTEN);
  });

  test('lines that are whole and yet say nothing that a plan can', async () => {
    const problemOf = (...lines: readonly string[]): Promise<string> => {
      const text = lines.map((line) => `${line}\n`).join('');
      return problem(`${text}{"sha256":"${sha256(text)}"}\n`);
    };
    expect(await problemOf('{"format":"eventreg-plan","version":1}')).toBe(NOT_AS_WRITTEN);
    const [header = '', first = ''] = await planLines(EVERYTHING);
    expect(await problemOf(header)).toBe('none');
    expect(await problemOf(header, first)).toBe('none');
    for (const wrong of ['{"action":"create"}', '7', 'null', '{"key":}', '']) {
      expect(await problemOf(header, wrong)).toBe(NOT_AS_WRITTEN);
    }
    expect(await problemOf(header, first, first)).toBe(NOT_AS_WRITTEN);
  });
});

async function compare(
  path: string,
  now: Iterable<PlanEntry>,
  { contentKey = 'k1', showValues = true } = {},
): Promise<PlanComparison> {
  const saved = await readPlanFile(path, 'p.plan');
  const show = valueShower(FIELDS, showValues);
  return comparePlan(saved, now, { contentKey, isDone: () => false, show });
}

describe('a plan holds', () => {
  test('for the same rows in any order', async () => {
    const path = await planOf(EVERYTHING);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...EVERYTHING], { minLength: EVERYTHING.length }),
        async (now) => {
          expect(await compare(path, now)).toEqual({ count: 0, differences: [] });
        },
      ),
      { numRuns: 20 },
    );
  });

  test('for rows that are in doubt since', async () => {
    const path = await planOf(EVERYTHING);
    const doubtful = EVERYTHING.map((planned): PlanEntry => {
      const sent = planned.action === 'create' || planned.action === 'update';
      return sent ? { ...planned, state: 'uncertain', action: 'unknown', changes: [] } : planned;
    });
    expect((await compare(path, doubtful)).count).toBe(0);
  });
});

describe('a plan that no longer holds', () => {
  test('names registrations by place and barcode, new ones, gone ones, and deletions', async () => {
    const path = await planOf(EVERYTHING);
    const now = [
      ...EVERYTHING.slice(1, -1),
      entry({ barcode: 'EV-10', place: { file: 'guests.csv', line: 9 } }),
      entry({ key: 'h:x:1', barcode: undefined, place: { file: 'guests.csv', line: 10 } }),
      entry({ key: 'd:reg-8', barcode: undefined, place: undefined, action: 'delete', id: 'reg-8' }),
    ].map((one) => (one.key.startsWith('b:') ? one : { ...one, barcode: undefined }));
    const { count, differences } = await compare(path, now);
    expect(count).toBe(5);
    expect(differences.map(({ subject, findings }) => `${subject} ${findings.join('; ')}`)).toEqual([
      'guests.csv:9 (barcode EV-10) is new in the files',
      'guests.csv:10 is new in the files',
      'registration reg-8 is to be deleted, which the plan does not say',
      'guests.csv:2 (barcode EV-1) is gone from the files, or is rejected now',
      'barcode EV-9, registration reg-9 was to be deleted; now the service does not list it, or a row stands for it',
    ]);
  });

  test('names the first twenty, and counts the rest', async () => {
    const many = Array.from({ length: 25 }, (_, at) => entry({ barcode: `B${at}` }));
    const { count, differences } = await compare(await planOf([]), many);
    expect([count, differences.length]).toEqual([25, 20]);
  });

  test('is told of rows that changed in what it does not show', async () => {
    const path = await planOf(EVERYTHING);
    expect(await compare(path, EVERYTHING, { contentKey: 'k2' })).toEqual({
      count: 1,
      differences: [
        {
          subject: 'rows of the files',
          findings: ['have changed since the plan was made, in what it does not show'],
        },
      ],
    });
  });

  test('masks values of persons', async () => {
    const path = await planOf([entry()]);
    const now = [entry({ changes: [{ field: 'first_name', before: undefined, after: 'Bob' }] })];
    const { differences } = await compare(path, now, { contentKey: 'k2', showValues: false });
    expect(differences[0]?.findings).toEqual([
      'first_name was "A••••••••••" in the file, now it is "B••"',
      'country was "GB" in the file, now it is nothing',
    ]);
  });
});
