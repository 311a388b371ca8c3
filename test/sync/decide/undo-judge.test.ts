import { describe, expect, test } from 'vitest';
import { judgeUndo, type UndoFacts, type UndoneRow } from '../../../src/sync/decide/undo-judge.ts';
import { restoring } from '../../../src/sync/decide/left-behind.ts';
import type { Field, FieldKind } from '../../../src/registration/model/persona.ts';
import type {
  RecordImage,
  Registration,
  RegistrationRecord,
} from '../../../src/registration/model/registration.ts';

const field = (slug: string, kind: FieldKind, more: Partial<Field> = {}): Field => ({
  id: undefined,
  slug,
  label: slug,
  type: kind,
  kind,
  choices: [],
  multiple: false,
  known: true,
  ...more,
});
const OPTIONS = [
  { value: '11', label: 'Meat' },
  { value: '12', label: 'Fish' },
];
const FIELDS = [
  field('first_name', 'name'),
  field('last_name', 'name'),
  field('email', 'email'),
  field('guests', 'numeric'),
  field('meal', 'choice', { choices: OPTIONS }),
  field('needs', 'choice', { choices: OPTIONS, multiple: true }),
];
const fields = (persona: string): readonly Field[] => (persona === 'visitor' ? FIELDS : []);

const SENT: Registration = {
  persona: 'visitor',
  fields: { first_name: 'Bea', email: 'bea@example.com' },
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: false,
};
const BEFORE: RecordImage = {
  id: 'r1',
  persona: 'visitor',
  barcode: 'A',
  fields: { first_name: 'Ann', last_name: 'Lane', email: 'bea@example.com', guests: 2 },
};
const LISTED = { first_name: 'Bea', last_name: 'Lane', email: 'Bea@Example.com', guests: '2' };

function record(shown: Partial<RegistrationRecord> = {}): RegistrationRecord {
  return {
    id: 'r1',
    persona: 'visitor',
    barcode: 'A',
    parentBarcode: undefined,
    enableComms: undefined,
    fields: LISTED,
    ...shown,
  };
}

const ROW: UndoneRow = {
  op: 'send',
  state: 'done',
  plan: 'update',
  proof: undefined,
  remoteId: 'r1',
  sent: SENT,
  before: BEFORE,
  after: undefined,
  isReadBack: false,
  message: undefined,
};

function judge(row: Partial<UndoneRow> = {}, facts: Partial<UndoFacts> = {}) {
  return judgeUndo({
    row: { ...ROW, ...row },
    found: [record()],
    undoneBy: undefined,
    sentAgainBy: undefined,
    unfound: undefined,
    parentsShown: true,
    fields,
    ...facts,
  });
}

const NEW: Partial<UndoneRow> = { plan: 'create', proof: 'new', before: undefined };
const AS_SENT = [record({ fields: { first_name: 'Bea', email: 'bea@example.com' } })];

describe('what becomes of a row that was sent', () => {
  test('changed and as it was left: what it was before is sent', () => {
    expect(judge()).toMatchObject({
      kind: 'send',
      plan: 'update',
      registration: {
        persona: 'visitor',
        barcode: 'A',
        fields: { first_name: 'Ann' },
        enableComms: false,
      },
      record: { id: 'r1', fields: LISTED },
    });
  });

  test.each<[string, Partial<UndoneRow>]>([
    ['read back', NEW],
    ['with an id that was not listed before', { ...NEW, proof: 'unlisted' }],
  ])('new and as it was left is deleted: %s', (_what, row) => {
    expect(judge(row, { found: AS_SENT })).toMatchObject({
      kind: 'delete',
      record: { id: 'r1', barcode: 'A' },
    });
  });

  const keeps: [string, Partial<UndoneRow>, Partial<UndoFacts>, string][] = [
    [
      'edited',
      {},
      { found: [record({ fields: { ...LISTED, first_name: 'Cy' } })] },
      'edited in the service since: first_name',
    ],
    [
      'edited where nothing was sent',
      {},
      { found: [record({ fields: { ...LISTED, guests: '3' } })] },
      'edited in the service since: guests',
    ],
    [
      'filled in where it was new',
      NEW,
      { found: [record()] },
      'edited in the service since: last_name, guests',
    ],
    [
      'moved to another parent',
      {},
      { found: [record({ parentBarcode: 'P' })] },
      'edited in the service since: parent_barcode',
    ],
    [
      'made a member by the run itself',
      { sent: { ...SENT, parentBarcode: 'P' } },
      { found: [record({ parentBarcode: 'P' })] },
      'it was made a member, and the service has no way to take that back',
    ],
    ['sent again', {}, { sentAgainBy: 'later' }, 'it was sent again by run later since'],
    [
      'there twice',
      {},
      { found: [record(), record({ id: 'r2' })] },
      'several registrations are it: r1 (there before), r2',
    ],
    [
      'registered anew',
      {},
      { found: [record({ id: 'r9' })] },
      'it was deleted and registered anew since (registration r9)',
    ],
    ['about to be sent', { state: 'pending' }, {}, 'its run is about to send it again'],
    [
      'edited in several places',
      {},
      { found: [record({ fields: { first_name: 'Cy', email: 'cy@example.com', guests: '2' } })] },
      'edited in the service since: first_name, email',
    ],
    [
      'there twice, once without an id',
      NEW,
      { found: [record(), record({ id: undefined })] },
      'several registrations are it: r1, without id',
    ],
    [
      'undone, but for something',
      {},
      { undoneBy: 'u1', leftBy: 'it may ask for messages since' },
      'is undone already, by run u1; it may ask for messages since',
    ],
    [
      'not proven to be new',
      { ...NEW, proof: undefined },
      {},
      'it is not proven to be new: it, or who it took the place of, may have been there before it was sent',
    ],
    [
      'of which nothing was sent',
      { sent: undefined },
      {},
      'what it was before is not known: it was not compared before it was sent',
    ],
    [
      'that was not to be changed',
      { plan: 'unchanged' },
      {},
      'what it was before is not known: it was not compared before it was sent',
    ],
    ['in conflict, nobody says why', { plan: 'conflict' }, {}, 'it is in conflict'],
    [
      'never compared',
      { plan: undefined, before: undefined },
      {},
      'what it was before is not known: it was not compared before it was sent',
    ],
    [
      'forgotten',
      { plan: 'unchanged', before: undefined },
      {},
      'what it was before is not known: it was not compared before it was sent',
    ],
    ['in conflict', { plan: 'conflict', message: 'edited since: company' }, {}, 'edited since: company'],
    [
      'values hidden now',
      {},
      { found: [record({ fields: undefined })] },
      'the service does not show its values',
    ],
    ['values hidden before', { before: { id: 'r1' } }, {}, 'the service does not show its values'],
    [
      'new without an id',
      { ...NEW, remoteId: undefined },
      { found: [{ ...AS_SENT[0], id: undefined } as RegistrationRecord] },
      'the service does not show its id',
    ],
    [
      'nowhere, but not all was read',
      {},
      { found: [], unfound: 'the list changed while it was read' },
      'it may be there: the list changed while it was read',
    ],
  ];
  test.each(keeps)('is left alone: %s', (_what, row, facts, why) => {
    expect(judge(row, facts)).toMatchObject({ kind: 'keep', why });
  });

  test('is told with what is listed of it, where one is', () => {
    expect(judge({}, { sentAgainBy: 'later' })).toEqual({
      kind: 'keep',
      why: 'it was sent again by run later since',
      record: record(),
    });
    expect(judge({}, { found: [], unfound: 'not all was read' })).toEqual({
      kind: 'keep',
      why: 'it may be there: not all was read',
      record: undefined,
    });
  });

  test.each<[string, Partial<UndoneRow>, Partial<RegistrationRecord>]>([
    ['by the id that it had before', { remoteId: 'r9' }, {}],
    [
      'whatever its id, where none was known',
      { remoteId: undefined, before: { ...BEFORE, id: undefined } },
      {},
    ],
    ['without an id', {}, { id: undefined }],
  ])('is the same registration: %s', (_what, row, shown) => {
    expect(judge(row, { found: [record(shown)] })).toMatchObject({ kind: 'send', plan: 'update' });
  });

  test.each<[string, Partial<UndoneRow>, Partial<UndoFacts>, string]>([
    ['undone before', {}, { undoneBy: 'u1', found: [] }, 'is undone already, by run u1'],
    ['gone', {}, { found: [] }, 'is gone already'],
    ['as before', {}, { found: [record({ fields: BEFORE.fields })] }, 'is as it was before'],
  ])('leaves nothing to undo: %s', (_what, row, facts, why) => {
    expect(judge(row, facts)).toEqual({ kind: 'nothing', why });
  });

  test('is left alone where all that is left of the run are messages', () => {
    const row = { before: { ...BEFORE, enableComms: false }, sent: { ...SENT, enableComms: true } };
    const now = { fields: BEFORE.fields };
    expect(judge(row, { found: [record({ ...now, enableComms: true })] })).toMatchObject({
      kind: 'keep',
      why: 'it asks for messages since (enable_comms), which cannot be taken back',
    });
    expect(judge(row, { found: [record({ ...now, enableComms: false })] })).toMatchObject({
      kind: 'nothing',
    });
    const asked = { ...row, before: { ...BEFORE, enableComms: true } };
    expect(judge(asked, { found: [record({ ...now, enableComms: true })] })).toMatchObject({
      kind: 'nothing',
    });
    const quiet = { ...row, sent: SENT };
    expect(judge(quiet, { found: [record({ ...now, enableComms: true })] })).toMatchObject({
      kind: 'nothing',
    });
  });
});

describe('what was sent and is never listed', () => {
  const WHY = 'whether remarks is as it was before cannot be told: the service does not list what was sent';
  const sent = { ...SENT, fields: { ...SENT.fields, remarks: 'vegan' } };
  const sentBefore = (remarks: string) => ({ earlier: () => [{ ...sent, fields: { remarks } }] });

  test.each<[string, Partial<UndoneRow>, Partial<UndoFacts>]>([
    ['not read back', { sent }, {}],
    ['read back', { sent, isReadBack: true, after: { ...BEFORE, fields: LISTED } }, {}],
    ['an earlier push has sent something else', { sent }, sentBefore('nuts')],
  ])('is named beside what is brought back: %s', (_what, row, facts) => {
    expect(judge(row, facts)).toMatchObject({ kind: 'send', unseen: WHY });
  });

  test('is left where all else is as it was before', () => {
    expect(judge({ sent }, { found: [record({ fields: BEFORE.fields })] })).toMatchObject({
      kind: 'keep',
      why: WHY,
    });
  });

  test.each<[string, Partial<UndoneRow>, Partial<UndoFacts>]>([
    ['it was seen as it was sent', { sent, isReadBack: true }, {}],
    ['it was seen otherwise', { sent, isReadBack: true, after: { fields: { remarks: 'VEGAN' } } }, {}],
    [
      'it was listed before',
      { sent, before: { ...BEFORE, fields: { ...BEFORE.fields, remarks: 'nuts' } } },
      {},
    ],
    ['an earlier push has sent the same', { sent }, sentBefore('vegan')],
    ['it was sent empty', { sent: { ...sent, fields: { ...SENT.fields, remarks: '' } } }, {}],
  ])('is not said of what is known: %s', (_what, row, facts) => {
    const found = [record({ fields: row.before?.fields ?? BEFORE.fields })];
    expect(judge(row, { ...facts, found })).toEqual({ kind: 'nothing', why: 'is as it was before' });
  });
});

describe('what cannot be sent back', () => {
  const before = { ...BEFORE, fields: { ...BEFORE.fields, meal: 'Stew' } };
  const why = 'what meal held cannot be sent back exactly as it is listed';

  test('is named beside what is brought back', () => {
    const sent = { ...SENT, fields: { ...SENT.fields, meal: '12' } };
    const found = [record({ fields: { ...LISTED, meal: 'Fish' } })];
    const verdict = judge({ before, sent }, { found });
    expect(verdict).toMatchObject({ kind: 'send', unseen: why });
    expect(verdict).toHaveProperty('registration.fields', { first_name: 'Ann' });
  });

  test('is left where all else is as it was, and not named where it is there still', () => {
    const sent = { ...SENT, fields: { meal: '12' } };
    const found = [record({ fields: { ...before.fields, meal: 'Fish' } })];
    expect(judge({ before, sent }, { found })).toMatchObject({ kind: 'keep', why });
    const still = [record({ fields: { ...LISTED, meal: 'Stew' } })];
    expect(judge({ before }, { found: still })).toMatchObject({ kind: 'send', unseen: undefined });
  });
});

describe('a ticket that was given to somebody else', () => {
  const ANN = { first_name: 'Ann', last_name: 'Lane', email: 'ann@example.com' };
  const ZOE = { first_name: 'Zoe', last_name: 'Klein', email: 'zoe@example.com' };
  const show = (fields: Registration['fields'], email?: string) => ({ ...fields, email });
  const given = (ann: string | undefined, zoe: string | undefined, facts: Partial<UndoFacts>) => {
    const now = { ...BEFORE, fields: show(ZOE, zoe) };
    const row = { sent: { ...SENT, fields: ZOE }, before: { ...BEFORE, fields: show(ANN, ann) } };
    return judge(
      { ...row, after: now, isReadBack: true },
      { found: [record({ fields: now.fields })], ...facts },
    );
  };
  const said = (fields: RecordImage['fields']) => ({
    earlier: () => [{ ...SENT, fields: ANN, after: { fields } }],
  });
  const saidBefore = said({});

  test.each<[string, ...Parameters<typeof given>]>([
    ['masked', 'a***@example.com', 'z***@example.com', saidBefore],
    ['masked alike', '***@example.com', '***@example.com', saidBefore],
    ['never shown', undefined, undefined, saidBefore],
  ])('goes back with what this machine had sent of an e-mail that is %s', (_what, ...facts) => {
    expect(given(...facts)).toMatchObject({ kind: 'send', registration: { fields: ANN }, unseen: undefined });
  });

  test.each<[string, ...Parameters<typeof given>]>([
    ['masked', 'a***@example.com', 'z***@example.com', {}],
    ['masked, and was another than was sent', 'b***@example.com', 'z***@example.com', saidBefore],
    ['never shown', undefined, undefined, {}],
    ['not shown just now', undefined, undefined, said(ANN)],
  ])('stays whole where nobody knows an e-mail that is %s', (_what, ...facts) => {
    const why = expect.stringMatching(/email .*, and a person comes back whole or not at all: push a list/);
    expect(given(...facts)).toMatchObject({ kind: 'keep', why });
  });

  test('stays where somebody has changed the masked e-mail since', () => {
    const found = [record({ fields: show(ZOE, 'x***@example.com') })];
    const why = 'edited in the service since: email';
    expect(given('a***@example.com', 'z***@example.com', { ...saidBefore, found })).toMatchObject({ why });
  });
});

describe('a registration that is listed under another barcode', () => {
  const known = { recognition: { email: 'yes', 'email-across': undefined, case: undefined } } as const;
  const found = [record({ barcode: 'Z' })];
  const why = 'its barcode is Z now, and was A, which cannot be brought back';

  test('gets it back where the service knows it by its e-mail', () => {
    expect(judge({}, { found, ...known })).toMatchObject({ kind: 'send', registration: { barcode: 'A' } });
  });

  test.each<[string, Partial<UndoFacts>]>([
    ['the service is not known to do so', {}],
    ['another has it', { ...known, isTaken: (barcode) => barcode === 'A' }],
  ])('is left alone where %s', (_what, facts) => {
    expect(judge({}, { found, ...facts })).toMatchObject({ kind: 'keep', why });
  });
});

describe('what becomes of a deletion', () => {
  const GONE: Partial<UndoneRow> = {
    op: 'delete',
    plan: 'delete',
    state: 'deleted',
    sent: undefined,
    proof: undefined,
  };

  test('is created again', () => {
    expect(judge(GONE, { found: [] })).toMatchObject({
      kind: 'send',
      plan: 'create',
      registration: { barcode: 'A', fields: { first_name: 'Ann', guests: '2' } },
      record: undefined,
    });
  });

  test.each<[string, Partial<UndoneRow>, Partial<UndoFacts>, string, string]>([
    ['still there', GONE, {}, 'nothing', 'is still listed'],
    [
      'its barcode taken',
      GONE,
      { found: [record({ id: 'r9' })] },
      'keep',
      'its barcode is in use again, by registration r9',
    ],
    [
      'not all was read',
      GONE,
      { found: [], unfound: 'the list changed while it was read' },
      'keep',
      'it may be there again: the list changed while it was read',
    ],
    ['no image', { ...GONE, before: undefined }, { found: [] }, 'keep', 'what it was before is not known'],
    [
      'no values',
      { ...GONE, before: { id: 'r1', persona: 'visitor' } },
      { found: [] },
      'keep',
      'the service did not show its persona and values before it was deleted',
    ],
  ])('%s', (_what, row, facts, kind, why) => {
    expect(judge(row, facts)).toMatchObject({ kind, why });
  });
});

describe('whether a registration was edited', () => {
  const MEMBER = { ...BEFORE, parentBarcode: 'P' };
  const OTHER = { persona: 'visitor', fields: { first_name: 'BEA', extra: 'x' } };

  /** `''` where it was not. */
  test.each<[string, Partial<UndoneRow>, Partial<RegistrationRecord>, string, Partial<UndoFacts>?]>([
    ['listed since just so, otherwise than sent', { after: OTHER }, OTHER, ''],
    [
      'listed since, and otherwise now',
      { after: OTHER },
      { fields: { first_name: 'Bea', extra: 'y' } },
      'first_name, extra',
    ],
    ['another persona', {}, { persona: 'speaker' }, 'persona'],
    [
      'it has lost its parent',
      { sent: { ...SENT, parentBarcode: 'P' }, before: MEMBER },
      {},
      'parent_barcode',
    ],
    [
      'its parent is never shown',
      { sent: { ...SENT, parentBarcode: 'P' }, before: MEMBER },
      {},
      '',
      { parentsShown: false },
    ],
    ['it was given a parent', {}, { parentBarcode: 'P' }, 'parent_barcode'],
    ['it was given one where it was new', NEW, { ...AS_SENT[0], parentBarcode: 'P' }, 'parent_barcode'],
    ['the parent that it had', { before: MEMBER }, { parentBarcode: 'P' }, ''],
    ['messages to people', { sent: { ...SENT, enableComms: true } }, { enableComms: false }, ''],
    ['not sent, as before', {}, { fields: { ...LISTED, guests: '02' } }, ''],
    ['not sent, another than before', {}, { fields: { ...LISTED, guests: 3 } }, 'guests'],
    ['not sent, emptied by the update', {}, { fields: { ...LISTED, guests: '' } }, ''],
    ['not sent, and new', NEW, { fields: { ...AS_SENT[0]?.fields, guests: '' } }, ''],
    ['computed by the service', {}, { fields: { ...LISTED, checked_in: 'yes' } }, ''],
  ])('%s', (_what, row, shown, edited, facts = {}) => {
    const verdict = judge(row, { found: [record(shown)], ...facts });
    const why = verdict.kind === 'keep' ? verdict.why : '';
    expect(why).toBe(edited === '' ? '' : `edited in the service since: ${edited}`);
  });
});

describe('what is sent to bring a registration back', () => {
  const NOW: RecordImage = { barcode: 'A', persona: 'visitor', fields: { first_name: 'Bea', meal: 'Fish' } };
  const HIDDEN = { ...BEFORE, fields: { ...BEFORE.fields, first_name: 'Tom &amp; Jerry' } };
  const MORE = { ...BEFORE, fields: { ...BEFORE.fields, score: 7 } };
  const said = [{ fields: { first_name: 'Tom &amp; Jerry' } }];
  const topics = [field('topic', 'text')];
  const byPersona = (persona: string): readonly Field[] => (persona === 'speaker' ? topics : fields(persona));

  /** Its fields. */
  test.each<[string, RecordImage, Partial<RecordImage>, Registration['fields'], Partial<Registration>?]>([
    [
      'what it showed; what was empty is emptied where it is not now',
      { fields: { first_name: 'Ann', email: null } },
      {},
      { first_name: 'Ann', meal: '' },
    ],
    [
      'nothing of what was empty, and is',
      { fields: { first_name: 'Ann', email: null } },
      { fields: { first_name: 'Bea', email: '', meal: null } },
      { first_name: 'Ann' },
    ],
    [
      'nothing in the fields of another persona, which go with it',
      { persona: 'speaker', fields: { topic: 'Old', first_name: 'Ann' } },
      { fields: { first_name: 'Bea', email: 'bea@example.com' } },
      { topic: 'Old' },
    ],
    [
      'options by what stands for them',
      { fields: { meal: { id: 12, name: 'Fish' }, needs: [{ label: 'Meat' }, 'Fish'] } },
      { fields: {} },
      { meal: '12', needs: ['11', '12'] },
    ],
    ['options in one text', { fields: { needs: 'Meat, Fish' } }, { fields: {} }, { needs: ['11', '12'] }],
    [
      'fields that the event does not know only where the run has sent them',
      { fields: { first_name: 'Ann', score: 7, badge: 'blue' } },
      { fields: {} },
      { first_name: 'Ann', badge: 'blue' },
      { fields: { badge: 'red' } },
    ],
    [
      'text that looks like an object',
      { fields: { first_name: '{"a":1}' } },
      { fields: {} },
      { first_name: '{"a":1}' },
    ],
  ])('%s', (_what, before, now, expected, sent = {}) => {
    const images = { before: { ...BEFORE, ...before }, now: { ...NOW, ...now }, sent: { ...SENT, ...sent } };
    expect(restoring(images, { fields: byPersona }).registration?.fields).toEqual(expected);
  });

  test('all around its fields as it was, and no messages', () => {
    const before = { ...BEFORE, persona: 'speaker', parentBarcode: 'P1', enableComms: true };
    const { registration } = restoring(
      { before, now: { ...NOW, parentBarcode: 'P2' }, sent: SENT },
      { fields },
    );
    expect(registration).toMatchObject({ persona: 'speaker', parentBarcode: 'P1', enableComms: false });
    const bare = { before: { ...BEFORE, barcode: undefined }, now: { ...NOW, barcode: undefined } };
    expect(restoring({ ...bare, sent: SENT }, { fields }).registration?.barcode).toBe(SENT.barcode);
  });

  test.each<[string, RecordImage, Partial<RecordImage>, string]>([
    [
      'a parent since',
      {},
      { parentBarcode: 'P' },
      'it was made a member, and the service has no way to take that back',
    ],
    [
      'no barcode',
      { barcode: undefined },
      { barcode: undefined },
      'it shows no barcode, without which it cannot be changed back',
    ],
  ])('nothing: %s', (_what, before, now, cannot) => {
    const images = { before: { ...BEFORE, ...before }, now: { ...NOW, ...now } };
    const sent = { ...SENT, barcode: images.before.barcode };
    expect(restoring({ ...images, sent }, { fields })).toEqual({ cannot });
  });

  test.each<[string, RecordImage, readonly string[]]>([
    ['a value of no known form', { fields: { first_name: { given: 'Ann' } } }, ['first_name']],
    ['a value that is listed in another form than it is stored', HIDDEN, ['first_name']],
    ['an option that there is no more', { fields: { meal: 'Stew', first_name: 'Ann' } }, ['meal']],
  ])('but for what is left: %s', (_what, before, left) => {
    const images = { before: { ...BEFORE, ...before }, now: NOW };
    expect(restoring(images, { fields })).toMatchObject({ left });
  });

  const ALL = { last_name: 'Lane', email: 'bea@example.com', guests: '2' };
  test.each<[string, RecordImage, Registration['fields'] | undefined, typeof said?]>([
    ['what it showed', MORE, { ...ALL, first_name: 'Ann' }],
    ['all of it of a persona that is gone', { persona: 'crew', fields: { a: 'b', c: '' } }, { a: 'b' }],
    ['nothing of no persona', { fields: { a: 'b' } }, undefined],
    ['not what is listed in another form', HIDDEN, ALL],
    ['unless the file once sent just that', HIDDEN, { ...ALL, first_name: 'Tom &amp; Jerry' }, said],
    ['never an object', { ...BEFORE, fields: { first_name: {}, email: { a: 1 } } }, undefined, said],
  ])('one that is created again gets %s', (_what, before, expected, earlier) => {
    expect(
      restoring({ before }, { fields, earlier: earlier && (() => earlier) }).registration?.fields,
    ).toEqual(expected);
  });
});
