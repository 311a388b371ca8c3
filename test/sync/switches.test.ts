import { describe, expect, test } from 'vitest';
import { EXIT, type ExitCode } from '../../src/errors.ts';
import { SWITCHES, type Switches } from '../../src/sandbox/store/switches.ts';
import { type Bench, type Ended, pushBench } from './push-bench.ts';
import { listIn } from '../support/documents.ts';
import { IS_NIGHT } from '../support/night.ts';

/** Values of the switches that take a number. */
const NUMBERS: Partial<Record<keyof Switches, readonly number[]>> = {
  limit: [3, 10],
  windowMs: [50, 5000],
  perPageCap: [1, 7],
  latencyMs: [1, 10],
  readLagMs: [500],
  landMs: [1, 10],
};

/** Switches that say nothing unless requests are limited. */
const NEED_A_LIMIT: readonly (keyof Switches)[] = ['windowMs', 'limiter', 'pastLimit', 'rateHeaders'];

/** How a command ends, and what it says when it does not end well. */
type Ending = readonly [code: ExitCode, says: string];
const WELL: Ending = [EXIT.done, ''];

/** What differs from "everything works". */
interface Expected {
  event: Ending;
  push: Ending;
  /** The same file again, one row of it edited. */
  edit: Ending;
  list: Ending;
  delete: Ending;
  /** First names that the service holds for the edited barcode after that. */
  edited: readonly string[];
  /** Lists show barcodes. */
  shown: boolean;
}

const ALL_WELL: Expected = {
  event: WELL,
  push: WELL,
  edit: WELL,
  list: WELL,
  delete: WELL,
  edited: ['Eva'],
  shown: true,
};

function allEnd(ending: Ending): Partial<Expected> {
  return { event: ending, push: ending, edit: ending, list: ending, delete: ending, edited: [] };
}

const EXCEPTIONS: Readonly<Record<string, Partial<Expected>>> = {
  'auth=401': allEnd([EXIT.unauthorised, 'the service did not accept the token (401: Unauthenticated.)']),
  'event=html': allEnd([EXIT.failed, 'a web page titled "Log in"']),
  'event=redirect': allEnd([EXIT.failed, 'redirects to /login (302)']),
  'event=404': {
    ...allEnd([EXIT.failed, 'Could not read the event: the service answered 404']),
    list: WELL,
  },
  'event=500': {
    ...allEnd([EXIT.failed, 'Could not read the event: the service answered 500']),
    list: WELL,
  },
  'upsert=double': {
    edit: [EXIT.rejected, 'a.csv:2 (barcode A) conflict: the service has added a registration'],
    edited: ['Ada', 'Eva'],
  },
  'upsert=refuse': {
    edit: [EXIT.rejected, 'a.csv:2 (barcode A) conflict: The barcode is already taken.'],
    edited: ['Ada'],
  },
  'upsert=ignore': {
    edit: [EXIT.rejected, 'a.csv:2 (barcode A) conflict: the service answered that it took the change'],
    edited: ['Ada'],
  },
  'recordShape=no-fields': {
    edit: [EXIT.guarded, 'so nothing can be looked at'],
    edited: ['Ada'],
  },
  'recordShape=no-values': {
    edit: [EXIT.guarded, 'so nothing can be looked at'],
    edited: ['Ada'],
  },
  'recordBarcode=hidden': {
    delete: [EXIT.guarded, 'does not show the barcodes of its registrations'],
    shown: false,
  },
  'idShown=answers': { delete: [EXIT.guarded, 'that it deletes by barcode is not proven'] },
  'idShown=nowhere': { delete: [EXIT.guarded, 'that it deletes by barcode is not proven'] },
};

const TRIED = SWITCHES.filter(({ name }) => !name.startsWith('webhook'));

const CASES = TRIED.flatMap(({ name, allowed }) => {
  const values = 'min' in allowed ? (NUMBERS[name] ?? []) : allowed;
  return values.map((value): [string, Partial<Switches>] => [
    `${name}=${value}`,
    { ...(NEED_A_LIMIT.includes(name) ? { limit: 5 } : {}), [name]: value },
  ]);
});

test('every switch is tried', () => {
  expect(new Set(CASES.map(([name]) => name.split('=')[0]))).toEqual(new Set(TRIED.map(({ name }) => name)));
  const unknown = Object.keys(EXCEPTIONS).filter((name) => !CASES.some(([known]) => known === name));
  expect(unknown).toEqual([]);
});

const BARCODES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

/** Eight registrations in two groups, the last of another persona. */
function rows(first: string, meal: string): string {
  return [
    'persona,barcode,parent_barcode,First name,E-mail,Lunch',
    `visitor,A,,${first},a@example.com,${meal}`,
    'visitor,B,A,Bob,b@example.com,',
    'visitor,C,B,Cy,,',
    'visitor,D,A,Di,,',
    'visitor,E,,Ed,,',
    'visitor,F,E,Flo,,',
    'visitor,G,,Gus,,',
    'exhibitor,H,,Hal,h@example.com,',
    '',
  ].join('\n');
}

/** By day so many values meet in one service, where each leaves all as it is; at night each is alone. */
const TOGETHER = IS_NIGHT ? 1 : 8;

/** Cases together, none of which sets what another one sets. Those that change something stay alone. */
const GROUPS = CASES.reduce<typeof CASES>((groups, [name, switches]) => {
  const fits = ([others, set]: (typeof CASES)[number]): boolean =>
    others.split(', ').length < TOGETHER &&
    EXCEPTIONS[name] === undefined &&
    EXCEPTIONS[others] === undefined &&
    Object.keys(switches).every((key) => !(key in set));
  const group = groups.find(fits);
  if (group === undefined) return [...groups, [name, switches]];
  group[0] += `, ${name}`;
  Object.assign(group[1], switches);
  return groups;
}, []);

function expectEnding({ code, err }: Ended, [expected, says]: Ending): void {
  expect({ code, err }).toEqual({ code: expected, err: expect.stringContaining(says) });
}

describe.each(GROUPS)('with %s', (name, switches) => {
  const expected = { ...ALL_WELL, ...EXCEPTIONS[name] };

  test('event, push, list and delete work or say why not', async () => {
    const bench = await pushBench(switches);
    const meal = await showsTheEvent(bench, expected);
    await pushes(bench, expected, meal);
    await lists(bench, expected);
    await deletes(bench, expected);
    expect(bench.service.requests.length).toBeLessThan(150);
  });
});

/** Returns the first lunch that the event offers. */
async function showsTheEvent(bench: Bench, expected: Expected): Promise<string> {
  const ended = await bench.run(['event', 'fields', 'visitor', '--json']);
  expectEnding(ended, expected.event);
  if (ended.code !== EXIT.done) return '';
  const fields = listIn<{ slug: string; choices: string[] }>(ended.out);
  expect(fields).toHaveLength(14);
  return fields.find(({ slug }) => slug === 'meal')?.choices[0] ?? 'none';
}

async function pushes(bench: Bench, expected: Expected, meal: string): Promise<void> {
  const first = await bench.push([bench.write('a.csv', rows('Ada', meal))]);
  expectEnding(first, expected.push);
  if (first.code === EXIT.done) {
    expect(first.summary).toMatchObject({ sent: 8, unchanged: 0, uncertain: 0, failed: 0 });
    const again = await bench.push(['a.csv']);
    expect(again).toMatchObject({ code: EXIT.done, summary: { sent: 0, unchanged: 8 } });
    const kept = bench.kept();
    expect(kept.map(({ barcode }) => barcode)).toEqual(BARCODES);
    expect(kept[0]?.fields).toEqual({ first_name: 'Ada', email: 'a@example.com', meal });
    expect(kept.map(({ parentBarcode }) => parentBarcode ?? '-').join('')).toBe('-ABA-E--');
  }
  expectEnding(await bench.push([bench.write('a.csv', rows('Eva', meal))]), expected.edit);
  const edited = bench.kept().filter(({ barcode }) => barcode === 'A');
  expect(edited.map(({ fields }) => fields['first_name'])).toEqual(expected.edited);
}

async function lists(bench: Bench, expected: Expected): Promise<void> {
  const ended = await bench.run(['list', '--all', '--json']);
  expectEnding(ended, expected.list);
  if (ended.code !== EXIT.done) return;
  const listed = listIn<{ barcode?: string }>(ended.out);
  const codesOf = (records: readonly { barcode?: string }[]): (string | undefined)[] =>
    records.map(({ barcode }) => (expected.shown ? barcode : undefined)).sort();
  expect(codesOf(listed)).toEqual(codesOf(bench.kept()));
  const { out } = await bench.run(['list', '--all', '--persona', 'exhibitor', '--json']);
  expect(codesOf(listIn<{ barcode?: string }>(out))).toEqual(
    codesOf(expected.push === WELL ? [{ barcode: 'H' }] : []),
  );
}

async function deletes(bench: Bench, expected: Expected): Promise<void> {
  const before = bench.kept().map(({ barcode }) => barcode);
  const ended = await bench.run(['delete', '--barcode', 'G', '--yes']);
  expectEnding(ended, expected.delete);
  const gone = ended.code === EXIT.done ? ['G'] : [];
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(before.filter((one) => !gone.includes(one)));
}
