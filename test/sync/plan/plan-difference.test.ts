import { describe, expect, test } from 'vitest';
import { differencesOf } from '../../../src/sync/plan/compare-plan.ts';
import type { PlanEntry } from '../../../src/sync/plan/plan-entries.ts';
import { valueShower } from '../../../src/report/words/shown-value.ts';
import { entry, FIELDS } from '../../report/plan-entries-fixture.ts';

const show = valueShower(FIELDS, true);

const change = (before: string | undefined, after: string | undefined, field = 'country') => ({
  field,
  before,
  after,
});

/** An entry by its action, with the changes of an update. */
const as = (action: PlanEntry['action'], over: Partial<PlanEntry> = {}): PlanEntry =>
  entry({ action, id: 'reg-1', changes: action === 'update' ? [change('FR', 'GB')] : [], ...over });

const LISTED = 'the service now lists it (registration reg-1)';
const AS_FILE = 'the service now lists it as it is in the file (registration reg-1)';
const GONE = 'the service does not list it now';
const OTHER = 'the service and the file now differ in country (registration reg-1)';
const HIDDEN = 'the service now shows too little of it to compare (registration reg-1)';
const STUCK = 'is now in conflict: edited';

const ACTIONS = ['create', 'update', 'unchanged', 'conflict', 'unknown'] as const;
type Action = (typeof ACTIONS)[number];

/** From an action of the plan to one of now; nothing where they are the same. */
const SENTENCES: Readonly<Record<Action, readonly [was: string, ...now: readonly (string | undefined)[]]>> = {
  create: ['was to be created', undefined, LISTED, LISTED, STUCK, LISTED],
  update: ['was to be updated', GONE, undefined, AS_FILE, STUCK, HIDDEN],
  unchanged: ['was in the service as it is in the file', GONE, OTHER, undefined, STUCK, HIDDEN],
  conflict: ['was in conflict', GONE, OTHER, AS_FILE, undefined, HIDDEN],
  unknown: ['was to be sent without comparing', GONE, OTHER, AS_FILE, STUCK, undefined],
};

describe('what was planned and what would be done now', () => {
  test.each(ACTIONS.flatMap((was) => ACTIONS.map((is, at) => [was, is, at] as const)))(
    '%s, now %s',
    (was, is, at) => {
      const [lead, ...sentences] = SENTENCES[was];
      const now = as(is, is === 'conflict' ? { why: 'edited' } : {});
      const expected = sentences[at] === undefined ? [] : [`${lead}, but ${sentences[at]}`];
      expect(differencesOf(as(was), now, { sameRows: false, show })).toEqual(expected);
    },
  );

  test('with the same rows it is the service that changed, and how is said', () => {
    const now = as('update', { changes: [change('FR', 'GB'), change(undefined, 'Ada', 'first_name')] });
    expect(differencesOf(as('unchanged'), now, { sameRows: true, show })).toEqual([
      'country was "GB" in the service, now it is "FR"',
      'first_name was "Ada" in the service, now it is nothing',
    ]);
  });
});

describe('values of an update', () => {
  const from =
    (was: readonly ReturnType<typeof change>[], is: readonly ReturnType<typeof change>[]) =>
    (sameRows: boolean): string[] =>
      differencesOf(as('update', { changes: was }), as('update', { changes: is }), { sameRows, show });

  test('the same ones are none', () => {
    expect(from([change('FR', 'GB')], [change('FR', 'GB')])(true)).toEqual([]);
  });

  test('in the service, in the file, and both', () => {
    const service = from([change('FR', 'GB')], [change('ES', 'GB')]);
    expect(service(true)).toEqual(['country was "FR" in the service, now it is "ES"']);
    expect(from([change('FR', 'GB')], [change('FR', 'IE')])(false)).toEqual([
      'country was "GB" in the file, now it is "IE"',
    ]);
    expect(from([change('FR', 'GB')], [change(undefined, undefined)])(false)).toEqual([
      'country was "FR" in the service, now it is nothing',
      'country was "GB" in the file, now it is nothing',
    ]);
  });

  test('of fields that are changed only then, or only now', () => {
    const gone = from([change('FR', 'GB'), change('x', 'y', 'remarks')], [change('FR', 'GB')]);
    expect(gone(true)).toEqual(['remarks was "x" in the service, now it is "y"']);
    expect(gone(false)).toEqual(['remarks is not to change any more']);
    const added = from([change('FR', 'GB')], [change('FR', 'GB'), change('x', 'y', 'remarks')]);
    expect(added(true)).toEqual(['remarks was "y" in the service, now it is "x"']);
    expect(added(false)).toEqual(['remarks is to change now']);
  });

  test('of lists', () => {
    const meals = (...after: readonly string[]) => [{ field: 'meals', before: [], after }];
    expect(
      differencesOf(as('update', { changes: meals('a', 'b') }), as('update', { changes: meals('a') }), {
        sameRows: false,
        show,
      }),
    ).toEqual(['meals was "a", "b" in the file, now it is "a"']);
  });

  test('that look the same masked are not said to be', () => {
    const masked = valueShower(FIELDS, false);
    const was = as('update', { changes: [change('Ada', 'Eva', 'first_name')] });
    const now = as('update', { changes: [change('Ana', 'Eva', 'first_name')] });
    expect(differencesOf(was, now, { sameRows: true, show: masked })).toEqual([
      'first_name is not what it was in the service',
    ]);
  });

  test('of another registration', () => {
    const now = as('update', { id: 'reg-2' });
    expect(differencesOf(as('update'), now, { sameRows: true, show })).toEqual([
      'was registration reg-1, now it is reg-2',
    ]);
  });
});

describe('deletions', () => {
  const deletion = (over: Partial<PlanEntry> = {}): PlanEntry =>
    entry({ key: 'd:reg-1', action: 'delete', place: undefined, id: 'reg-1', changes: [], ...over });

  test('of what was edited since', () => {
    const was = deletion({ changes: [change('FR', undefined)] });
    const now = deletion({ changes: [change('ES', undefined)] });
    expect(differencesOf(was, now, { sameRows: false, show })).toEqual([
      'country was "FR" in the service, now it is "ES"',
    ]);
    expect(differencesOf(was, was, { sameRows: false, show })).toEqual([]);
  });
});

describe('rows in doubt', () => {
  const doubt = as('unknown', { state: 'uncertain' });

  test.each<[PlanEntry['action'], string[]]>([
    ['create', []],
    ['unknown', []],
    ['conflict', []],
    ['unchanged', []],
    ['update', [`was to be sent without comparing, but ${OTHER}`]],
  ])('that were planned as such may turn out as %s', (action, expected) => {
    expect(differencesOf(doubt, as(action), { sameRows: true, show })).toEqual(expected);
  });

  test('are a difference where nothing was to be sent', () => {
    expect(differencesOf(as('create'), doubt, { sameRows: true, show })).toEqual([]);
    expect(differencesOf(as('unchanged'), doubt, { sameRows: true, show })).toEqual([
      'was in the service as it is in the file; an attempt since is in doubt',
    ]);
  });
});
