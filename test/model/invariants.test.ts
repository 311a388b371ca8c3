import { describe, expect, test } from 'vitest';
import type { RequestLogEntry } from '../../src/sandbox/server.ts';
import type { SandboxRegistration } from '../../src/sandbox/store/stored-row.ts';
import { DEFAULT_SWITCHES } from '../../src/sandbox/store/switches.ts';
import { countsAreTrue, dryRunIsTheRun } from './invariants/counts.ts';
import {
  everyRowIsCreatedOnce,
  nobodyIsBroughtBack,
  nobodyIsTakenOverUnasked,
} from './invariants/created.ts';
import { editsAreKept, nobodyIsChangedUnseen } from './invariants/edits.ts';
import { messagesOnlyWhereTheFileSaysSo } from './invariants/messages.ts';
import { nothingIsSent } from './invariants/sent.ts';
import { calmEndsWell, exitZeroIsTrue } from './invariants/truth.ts';
import { onlyTheChosenAreGone, undoDeletesOnlyWhatIsNew, undoIsExactOrSaysSo } from './invariants/undo.ts';
import { sentencesAreTrue } from './invariants/sentences.ts';
import { nobodyGetsAnothersValues, nobodyIsDoubled, substitutesAreTold } from './invariants/strict.ts';
import { nobodyIsGoneUntold, nothingUnsentChangesUntold } from './invariants/unsent.ts';
import { linkRows } from './link-rows.ts';
import { Model } from './model.ts';
import type { ObservedPush } from './observe.ts';
import { readSaid } from './said.ts';
import type { FileRow } from './scenario.ts';
import { type Foreign, withForeign } from './world.ts';

function registration(id: string, more: Partial<SandboxRegistration> = {}): SandboxRegistration {
  return {
    id,
    persona: 'visitor',
    barcode: `EV-${id}`,
    barcodeGenerated: false,
    parentBarcode: undefined,
    enableComms: false,
    fields: { first_name: 'Ada', phone: '+31 20 5550111' },
    createdAt: 0,
    updatedAt: 0,
    ...more,
  };
}

const rowOf = (id: string, more: Partial<FileRow> = {}): FileRow => ({
  guest: Number(id),
  persona: 'visitor',
  barcode: `EV-${id}`,
  parent: '',
  comms: false,
  cells: { first_name: 'Ada' },
  ...more,
});

const worldOf = (...all: SandboxRegistration[]) => new Map(all.map((one) => [one.id, one]));

interface Facts {
  before: SandboxRegistration[];
  after: SandboxRegistration[];
  rows?: FileRow[];
  flags?: string[];
  code?: number;
  err?: string;
  out?: unknown;
  foreign?: Foreign[];
  model?: Model;
  requests?: Partial<RequestLogEntry>[];
  more?: Partial<ObservedPush>;
}

function observed({ before, after, rows = [rowOf('1')], flags = [], ...facts }: Facts): ObservedPush {
  const { code = 0, err = '', out = {}, foreign = [], model = new Model(), requests = [] } = facts;
  const file = { columns: ['first_name'] as const, hasBarcodes: true, hasParents: false, rows };
  const world = withForeign(worldOf(...before), foreign);
  return {
    step: 1,
    switches: DEFAULT_SWITCHES,
    habits: {},
    strict: false,
    before: worldOf(...before),
    after: worldOf(...after),
    world,
    foreign,
    requests: requests as RequestLogEntry[],
    firstRequest: 0,
    said: readSaid({ argv: [], code, out: JSON.stringify(out), err, killed: false, endless: false }),
    model,
    push: {
      kind: 'push',
      file,
      flags: ['--blank', 'omit', ...flags],
      dry: false,
      during: undefined,
      kill: undefined,
    },
    rows: linkRows(file, world, model, { recognise: 'barcode', byEmail: false, foreign: [] }),
    told: undefined,
    resumed: false,
    calm: false,
    ...facts.more,
  };
}

const ada = registration('1');
const withoutPhone = registration('1', { fields: { first_name: 'Ada' } });
const named = (first: string) => registration('1', { fields: { ...ada.fields, first_name: first } });

describe('what the file does not say', () => {
  test('stays', () => {
    expect(nothingUnsentChangesUntold(observed({ before: [ada], after: [ada] }))).toEqual([]);
    expect(nothingUnsentChangesUntold(observed({ before: [named('Bob')], after: [ada] }))).toEqual([]);
  });

  test('a phone that is lost', () => {
    const lost = { before: [ada], after: [withoutPhone] };
    const place = 'guests.csv:2 (barcode EV-1)';
    expect(nothingUnsentChangesUntold(observed(lost))).toHaveLength(1);
    expect(nothingUnsentChangesUntold(observed({ ...lost, code: 3 }))).toHaveLength(1);
    expect(nothingUnsentChangesUntold(observed({ ...lost, err: `${place} phone: gone` }))).toHaveLength(1);
    expect(nothingUnsentChangesUntold(observed({ ...lost, code: 3, err: 'EV-10 phone: gone' }))).toHaveLength(
      1,
    );
    expect(nothingUnsentChangesUntold(observed({ ...lost, code: 3, err: `${place} phone: gone` }))).toEqual(
      [],
    );
  });

  test('barcodes that are given anew are counted', () => {
    const anew = ['1', '2'].map((id) => registration(id, { barcode: `NEW-${id}` }));
    const switches = { ...DEFAULT_SWITCHES, ownBarcodes: 'reissued' } as const;
    const untold = (unverified: number): string[] => {
      const facts = { before: [ada, registration('2')], after: anew, out: { audit: { unverified } } };
      return nothingUnsentChangesUntold(observed({ ...facts, more: { switches } }));
    };
    expect(untold(1)).toHaveLength(2);
    expect(untold(2)).toEqual([]);
  });

  test('messages that are taken back are counted', () => {
    const lost = { before: [registration('1', { enableComms: true })], after: [ada] };
    expect(nothingUnsentChangesUntold(observed(lost))).toHaveLength(1);
    expect(nothingUnsentChangesUntold(observed({ ...lost, err: 'takes back messages of 1 guest' }))).toEqual(
      [],
    );
    expect(nothingUnsentChangesUntold(observed({ ...lost, out: { comms_taken_back: 0 } }))).toHaveLength(1);
    expect(nothingUnsentChangesUntold(observed({ ...lost, out: { comms_taken_back: 1 } }))).toEqual([]);
  });

  test('somebody is gone', () => {
    const gone = { before: [ada, registration('2')], after: [ada] };
    expect(nobodyIsGoneUntold(observed(gone))).toHaveLength(1);
    expect(nobodyIsGoneUntold(observed({ ...gone, flags: ['--prune'] }))).toEqual([]);
    expect(nobodyIsGoneUntold(observed({ ...gone, after: [], flags: ['--prune'] }))).toHaveLength(1);
    expect(nobodyIsGoneUntold(observed({ ...gone, code: 3, err: 'EV-2 is gone' }))).toEqual([]);
  });
});

describe('edits of others', () => {
  /** The program has seen `seen` for the file's `said`. */
  function knowing(said: string, seen: string, sure = true): Model {
    const model = new Model();
    model.noteSeen(named(seen), new Map([['first_name', said]]), sure);
    return model;
  }

  test('are kept where the file has not changed, and asked about where it has', () => {
    const overwritten = { before: [named('Zoe')], after: [named('Ada')] };
    expect(editsAreKept(observed({ ...overwritten, model: knowing('Ada', 'Ada') }))).toHaveLength(1);
    expect(editsAreKept(observed({ ...overwritten, model: knowing('Bob', 'Bob') }))).toHaveLength(1);
    expect(editsAreKept(observed({ ...overwritten, model: knowing('Zoe', 'Zoe') }))).toEqual([]);
    expect(
      editsAreKept(observed({ ...overwritten, model: knowing('Ada', 'Ada'), flags: ['--overwrite'] })),
    ).toEqual([]);
    expect(editsAreKept(observed({ ...overwritten, model: knowing('Ada', 'Ada', false) }))).toEqual([]);
  });

  test('where no values are shown a yes is needed', () => {
    const changed = { before: [named('Zoe')], after: [named('Ada')] };
    const more = { switches: { ...DEFAULT_SWITCHES, recordShape: 'no-fields' as const } };
    expect(nobodyIsChangedUnseen(observed(changed))).toEqual([]);
    expect(nobodyIsChangedUnseen(observed({ ...changed, more }))).toHaveLength(1);
    expect(nobodyIsChangedUnseen(observed({ ...changed, more, flags: ['--yes'] }))).toEqual([]);
  });

  test('without a base a yes is needed', () => {
    const overwritten = { before: [named('Zoe')], after: [named('Ada')] };
    expect(editsAreKept(observed(overwritten))).toHaveLength(1);
    expect(editsAreKept(observed({ ...overwritten, flags: ['--yes'] }))).toEqual([]);
  });

  test('an edit meanwhile counts when it was listed before the update was sent', () => {
    const change = { id: '1', barcode: 'EV-1', attribute: 'first_name', before: 'Bob', after: 'Zoe' };
    const facts: Facts = {
      before: [named('Bob')],
      after: [named('Ada')],
      model: knowing('Bob', 'Bob'),
      foreign: [{ id: '1', change, after: 1, atMs: 0 }],
    };
    const get = { method: 'GET', path: '/api/registration', query: {}, at: 1 };
    const post = {
      method: 'POST',
      path: '/api/registration',
      at: 1,
      body: JSON.stringify({ barcode: 'EV-1', fields: {} }),
    };
    expect(editsAreKept(observed({ ...facts, requests: [get, post] }))).toEqual([]);
    expect(editsAreKept(observed({ ...facts, requests: [get, get, post] }))).toHaveLength(1);
    expect(
      editsAreKept(observed({ ...facts, requests: [get, { ...get, at: 1 }, { ...post, at: 90_000 }] })),
    ).toHaveLength(1);
  });
});

describe('who is made', () => {
  test('a row makes one, and only where it had none', () => {
    expect(everyRowIsCreatedOnce(observed({ before: [], after: [ada] }))).toEqual([]);
    const twice = [ada, registration('2', { barcode: 'EV-1' })];
    expect(everyRowIsCreatedOnce(observed({ before: [], after: twice }))).toHaveLength(1);
    expect(everyRowIsCreatedOnce(observed({ before: [ada], after: twice }))).toHaveLength(1);
    expect(everyRowIsCreatedOnce(observed({ before: [ada], after: [ada, registration('3')] }))).toHaveLength(
      1,
    );
  });

  test('a trial doubles one where the service forgets, and says so', () => {
    const twice = { before: [ada], after: [ada, registration('2', { barcode: 'EV-1' })] };
    const more = { switches: { ...DEFAULT_SWITCHES, upsert: 'double' as const } };
    expect(everyRowIsCreatedOnce(observed({ ...twice, more }))).toHaveLength(1);
    expect(everyRowIsCreatedOnce(observed({ ...twice, more, code: 3, err: 'EV-1 is there twice' }))).toEqual(
      [],
    );
  });

  test('nobody whom others deleted', () => {
    const model = new Model();
    model.links.set(1, '9');
    expect(nobodyIsBroughtBack(observed({ before: [], after: [ada], model }))).toEqual([]);
    model.deletedByOthers.add('9');
    expect(nobodyIsBroughtBack(observed({ before: [], after: [ada], model }))).toHaveLength(1);
  });

  test('nobody whose e-mail is listed under another barcode', () => {
    const fields = { first_name: 'Ada', email: 'a@example.com' };
    const old = registration('9', { fields });
    const rows = [rowOf('1', { cells: fields })];
    const facts = { before: [old], after: [old, registration('1', { fields })], rows };
    const withEmail = (one: ObservedPush): ObservedPush => ({
      ...one,
      push: { ...one.push, file: { ...one.push.file, columns: ['first_name', 'email'] } },
    });
    expect(nobodyIsTakenOverUnasked(withEmail(observed(facts)))).toHaveLength(1);
    const model = new Model();
    model.mayKnowRecognition = true;
    expect(nobodyIsTakenOverUnasked(withEmail(observed({ ...facts, model })))).toEqual([]);
  });
});

describe('what is said', () => {
  test('exit 0: everybody is there, as the file has it', () => {
    expect(exitZeroIsTrue(observed({ before: [], after: [ada] }))).toEqual([]);
    expect(exitZeroIsTrue(observed({ before: [], after: [] }))).toHaveLength(1);
    expect(exitZeroIsTrue(observed({ before: [], after: [named('Bob')] }))).toHaveLength(1);
    expect(exitZeroIsTrue(observed({ before: [], after: [], code: 3 }))).toEqual([]);
  });

  test('exit 0 with an edit that was kept', () => {
    const model = new Model();
    model.noteSeen(ada, new Map([['first_name', 'Ada']]), true);
    expect(exitZeroIsTrue(observed({ before: [named('Zoe')], after: [named('Zoe')], model }))).toEqual([]);
  });

  test('nothing in the way, and not done', () => {
    const facts = { before: [], after: [], code: 7 };
    expect([
      calmEndsWell(observed(facts)),
      calmEndsWell(observed({ ...facts, more: { calm: true } })),
    ]).toEqual([[], [expect.stringContaining('ended with 7')]]);
  });

  test('but what is asked of somebody who has the name of a registration that no row stands for', () => {
    const facts = { before: [registration('2')], after: [registration('2')], code: 3, more: { calm: true } };
    const about = (err: string): string[] => calmEndsWell(observed({ ...facts, err }));
    expect(about('guests.csv:2: registration 2 has its name')).toEqual([]);
    expect(about('guests.csv:9: registration 3 has its name')).toHaveLength(1);
  });

  test('the counts', () => {
    const made = { before: [], after: [ada] };
    expect(countsAreTrue(observed({ ...made, out: { created: 1, updated: 0 } }))).toEqual([]);
    expect(countsAreTrue(observed({ ...made, out: { created: 0, updated: 1 } }))).toHaveLength(2);
    expect(countsAreTrue(observed({ ...made, out: { created: 0, not_proven: 0 } }))).toHaveLength(1);
    expect(countsAreTrue(observed({ ...made, out: { created: 0, not_proven: 1 } }))).toEqual([]);
  });

  test('the dry run', () => {
    const entry = { action: 'update', place: null, barcode: 'EV-1', registration_id: '1', why: null };
    const told = [{ ...entry, changes: [{ field: 'first_name', before: 'Bob', after: 'Ada' }] }];
    const changed = { before: [named('Bob')], after: [ada] };
    expect(dryRunIsTheRun(observed({ ...changed, more: { told } }))).toEqual([]);
    expect(dryRunIsTheRun(observed({ ...changed, more: { told: [] } }))).toHaveLength(1);
    expect(dryRunIsTheRun(observed({ before: [ada], after: [ada], more: { told } }))).toHaveLength(1);
    expect(nothingIsSent(observed({ before: [], after: [], requests: [{ method: 'GET' }] }))).toEqual([]);
    expect(nothingIsSent(observed({ before: [], after: [], requests: [{ method: 'POST' }] }))).toHaveLength(
      1,
    );
  });

  test('messages', () => {
    const body = JSON.stringify({
      barcode: 'EV-1',
      enable_comms: true,
      fields: [{ slug: 'first_name', value: 'Ada' }],
    });
    const facts = { before: [], after: [], requests: [{ method: 'POST', body }] };
    expect(messagesOnlyWhereTheFileSaysSo(observed(facts))).toHaveLength(1);
    expect(
      messagesOnlyWhereTheFileSaysSo(observed({ ...facts, rows: [rowOf('1', { comms: true })] })),
    ).toEqual([]);
  });
});

describe('taking back and deleting', () => {
  const undo = (facts: Facts, runBefore: SandboxRegistration[], runAfter: SandboxRegistration[]) => ({
    ...observed(facts),
    runBefore: worldOf(...runBefore),
    runAfter: worldOf(...runAfter),
    since: [],
    during: 0,
    places: new Map(),
  });

  test('only what the run made is deleted', () => {
    const facts = { before: [ada], after: [] };
    expect(undoDeletesOnlyWhatIsNew(undo(facts, [], [ada]))).toEqual([]);
    expect(undoDeletesOnlyWhatIsNew(undo(facts, [ada], [ada]))).toHaveLength(1);
  });

  test('everything is as before, or said', () => {
    const changed = named('Bob');
    const back = { before: [changed], after: [ada] };
    expect(undoIsExactOrSaysSo(undo(back, [ada], [changed]))).toEqual([]);
    const left = { before: [changed], after: [changed] };
    expect(undoIsExactOrSaysSo(undo(left, [ada], [changed]))).toHaveLength(1);
    const said = { ...left, code: 3, out: { results: [{ result: 'kept', barcode: 'EV-1' }] } };
    expect(undoIsExactOrSaysSo(undo(said, [ada], [changed]))).toEqual([]);
    expect(undoIsExactOrSaysSo(undo({ before: [ada], after: [ada] }, [], [ada]))).toHaveLength(1);
    expect(undoIsExactOrSaysSo(undo({ before: [], after: [] }, [ada], []))).toHaveLength(1);
    expect(
      undoIsExactOrSaysSo(undo({ before: [], after: [registration('7', { barcode: 'EV-1' })] }, [ada], [])),
    ).toEqual([]);
  });

  test('a delete takes nobody along', () => {
    const member = registration('2', { parentBarcode: 'EV-1' });
    const chosen = (facts: Facts) => onlyTheChosenAreGone({ ...observed(facts), barcode: 'EV-1' });
    expect(chosen({ before: [ada, member], after: [member] })).toEqual([]);
    expect(chosen({ before: [ada, member], after: [] })).toHaveLength(1);
    expect(chosen({ before: [ada, member], after: [registration('2')] })).toHaveLength(1);
    expect(chosen({ before: [ada], after: [ada] })).toHaveLength(1);
    const hidden = { err: 'The service does not show who belongs to a group, if anybody does' };
    expect(chosen({ before: [ada, member], after: [registration('2')], ...hidden })).toEqual([]);
    expect(chosen({ before: [ada, member], after: [], ...hidden })).toHaveLength(1);
    expect(chosen({ before: [ada, member], after: [], code: 3, err: 'EV-2 is gone as well' })).toEqual([]);
  });
});

describe('all that is to hold', () => {
  const ben = registration('1', { fields: { first_name: 'Ben', phone: '1' } });
  const none = new Model();

  test('exit 0 is none for a substitute who was not told, and nobody gets the values of another', () => {
    const model = new Model();
    model.substituted.set('1', 'untold');
    const after = [registration('1', { fields: { first_name: 'Ben', phone: '2' } })];
    expect(substitutesAreTold(observed({ before: [ben], after, model: none }))).toEqual([]);
    expect(substitutesAreTold(observed({ before: [ben], after, model, code: 3 }))).toEqual([]);
    expect(substitutesAreTold(observed({ before: [ben], after, model }))).toHaveLength(1);
    expect(nobodyGetsAnothersValues(observed({ before: [ben], after, model: none }))).toEqual([]);
    expect(nobodyGetsAnothersValues(observed({ before: [ben], after, model }))).toHaveLength(1);
  });

  test('nobody is there under two barcodes', () => {
    const model = new Model();
    model.links.set(1, '9');
    const old = registration('9', { barcode: 'OLD' });
    expect(nobodyIsDoubled(observed({ before: [old], after: [old, ada], model }))).toHaveLength(1);
    expect(nobodyIsDoubled(observed({ before: [old], after: [old], model }))).toEqual([]);
    expect(nobodyIsDoubled(observed({ before: [old], after: [old, ada], model: none }))).toEqual([]);
  });

  test('a conflict that only one side has made is none', () => {
    const err = 'guests.csv:2 (barcode EV-1) conflict: changed in the file and in the service: phone; ask';
    const model = new Model();
    model.noteSeen(ada, new Map(), true);
    expect(sentencesAreTrue(observed({ before: [ada], after: [ada], err, model }))).toHaveLength(1);
    model.touched.add('1 phone');
    expect(sentencesAreTrue(observed({ before: [ada], after: [ada], err, model }))).toEqual([]);
  });
});
