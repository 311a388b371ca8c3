import { describe, expect, test } from 'vitest';
import { registrationBody } from '../../../src/service/contracts/registration-body.ts';
import { type PageReading, readPage, readRecord } from '../../../src/service/contracts/read-records.ts';
import { readCreateAnswer } from '../../../src/service/contracts/read-create-answer.ts';
import { readChoices, readEvent } from '../../../src/service/contracts/read-event.ts';
import { readWebhook, sharedIds } from '../../../src/service/contracts/webhook.ts';
import { readError } from '../../../src/service/contracts/read-error.ts';
import { parseJson } from '../../../src/service/contracts/json.ts';
import { listed } from '../../support/tables.ts';

const json = (text: string): Record<string, unknown> => parseJson(text) as Record<string, unknown>;

describe('a registration as it is sent', () => {
  const bare = {
    persona: 'visitor',
    fields: {},
    barcode: undefined,
    parentBarcode: undefined,
    enableComms: false,
  };

  test('has every documented key', () => {
    const fields = { first_name: 'Ada' };
    const whole = { ...bare, fields, barcode: 'B1', parentBarcode: 'P1', enableComms: true };
    const sent = { persona: 'visitor', fields, barcode: 'B1', parent_barcode: 'P1', enable_comms: true };
    expect(registrationBody(whole)).toEqual(sent);
  });

  test('leaves out what is not set, and keeps a field named __proto__', () => {
    const fields = json('{"__proto__":"x"}') as Record<string, string>;
    expect(JSON.stringify(registrationBody({ ...bare, fields }))).toBe(
      '{"persona":"visitor","fields":{"__proto__":"x"}}',
    );
  });
});

describe('an event', () => {
  const dates = { start_date: '2027-05-11T09:00:00+02:00', end_date: '2027-05-13T17:30:00+02:00' };
  const named = { slug: 'fair', name: 'Fair', timezone: 'Europe/Paris' };
  const phone = { id: 11, slug: 'phone', label: 'Mobile', type: 'Phone number' };
  const visitor = { id: 1, slug: 'visitor', name: 'Visitor' };
  const event = { event_id: 7, ...named, ...dates, personas: [{ ...visitor, fields: [phone] }] };
  const field = { ...phone, kind: 'phone', multiple: false, known: true, choices: [] };
  const read = {
    eventId: '7',
    eventNumber: 7,
    ...named,
    startDate: dates.start_date,
    endDate: dates.end_date,
    personas: [{ ...visitor, fields: [field] }],
  };

  test.each([
    ['bare', event],
    ['in data', { data: event }],
    ['in event', { event }],
    ['in data and event', { data: { event } }],
    ['in a list of one', { data: [event] }],
    ['beside other data', { ...event, data: { unknown: 1 } }],
  ])('is read %s', (_where, body) => {
    expect(readEvent(body)).toEqual({ event: read });
  });

  test('is read with nothing but its id, and with null for everything else', () => {
    const unknown = { timezone: undefined, startDate: undefined, endDate: undefined };
    const empty = { eventId: '7', slug: '', name: '', ...unknown, personas: [] };
    expect(readEvent({ event_id: 7 })).toEqual({ event: { ...empty, eventNumber: 7 } });
    const keys = ['slug', 'name', 'timezone', 'start_date', 'end_date', 'personas'];
    const nulls = { event_id: '7', ...Object.fromEntries(keys.map((key) => [key, null])) };
    expect(readEvent(nulls)).toEqual({ event: empty });
  });

  test('is read when personas and fields show little', () => {
    const fields = [{ slug: 'a' }, { id: null, slug: 'b', label: null, type: null, values: null }];
    const personas = [
      { slug: 'p', id: null, name: null, fields },
      { slug: 'q', fields: null },
    ];
    const shown = { id: undefined, type: '', kind: 'text', multiple: false, known: false, choices: [] };
    const read = [
      { ...shown, slug: 'a', label: 'a' },
      { ...shown, slug: 'b', label: 'b' },
    ];
    expect(readEvent({ event_id: 7, personas })).toMatchObject({
      event: {
        personas: [
          { id: undefined, slug: 'p', name: 'p', fields: read },
          { slug: 'q', name: 'q', fields: [] },
        ],
      },
    });
  });

  test('keeps all digits of its id', () => {
    expect(readEvent(parseJson('{"event_id":12345678901234567890}'))).toMatchObject({
      event: { eventId: '12345678901234567890' },
    });
  });

  test.each([
    [undefined],
    [null],
    ['text'],
    [[]],
    [{}],
    [{ event_id: 7, personas: [{ name: 'no slug' }] }],
    [{ data: [1, 2] }],
  ])('is not found in %j, and the reasons say where', (body) => {
    expect(readEvent(body)).toMatchObject({ problems: [expect.stringMatching(/\w+: \w+/)] });
  });
});

describe('labels in several languages', () => {
  const eventWith = (label: unknown) => ({
    event_id: 7,
    name: { nl: 'Beurs', en: 'Fair' },
    personas: [{ slug: 'p', name: { nl: 'Bezoeker' }, fields: [{ slug: 'a', label }] }],
  });

  test('are read from event, persona and field, English first', () => {
    expect(readEvent(eventWith({ nl: 'Voornaam', en: 'First name', de: 'First name' }))).toMatchObject({
      event: {
        name: 'Fair',
        personas: [
          { name: 'Bezoeker', fields: [{ slug: 'a', label: 'First name', otherLabels: ['Voornaam'] }] },
        ],
      },
    });
  });

  test.each([[null], [{}], [[]], [{ en: null }], [{ en: {} }]])('that are %j are the slug', (label) => {
    expect(readEvent(eventWith(label))).toMatchObject({
      event: { personas: [{ fields: [{ slug: 'a', label: 'a' }] }] },
    });
  });
});

describe('the options of a choice field', () => {
  const small = { value: 's', label: 'Small' };
  const xl = { value: 'XL', label: 'XL' };
  const languages = [small, { value: 's', label: 'Klein' }];
  const nested = (depth: number): unknown => (depth === 0 ? ['XL'] : [{ options: nested(depth - 1) }]);
  test.each([
    [['Small', ''], [{ value: 'Small', label: 'Small' }]],
    [[1], [{ value: '1', label: '1' }]],
    [[{ value: 's', label: 'Small' }], [small]],
    [[{ slug: 's', label: 'Small' }], [small]],
    [[{ id: 5, name: 'Small' }], [{ value: '5', label: 'Small' }]],
    [[{ value: 's', name: 'Small' }], [small]],
    [[{ value: 's' }], [{ value: 's', label: 's' }]],
    [[{ label: 'Small' }], [{ value: 'Small', label: 'Small' }]],
    [[{ name: 'Small' }], [{ value: 'Small', label: 'Small' }]],
    [[{ colour: 'red', size: 'small' }, null, []], []],
    [
      [{ s: 'Small' }, { m: '' }],
      [small, { value: 'm', label: 'm' }],
    ],
    [[{ de: 'German' }], [{ value: 'de', label: 'German' }]],
    [
      [{ label: 'Cut', options: [{ value: 's', label: 'Small' }] }, 'XL'],
      [small, xl],
    ],
    [[{ id: 7, name: 'Cut', values: { s: 'Small' } }], [small]],
    [[{ label: 'Cut', children: [{ name: 'Slim', items: [{ s: 'Small' }] }] }], [small]],
    [[{ label: 'Cut', options: [] }, 'XL'], [xl]],
    [{ Cut: ['XL'], Slim: { s: 'Small' }, Wide: { options: [{ s: 'Small' }] } }, [xl, small, small]],
    [
      [{ Cut: ['XL'] }, { Slim: { s: 'Small' } }],
      [xl, small],
    ],
    [[{ value: 's', label: 'Small', options: { colour: 'red' } }], [small]],
    [[{ value: 's', label: { de: 'Klein', 'en-GB': 'Small', fr: null } }], languages],
    [{ s: { de: 'Klein', en: 'Small' } }, languages],
    [[{ s: { de: 'Klein', en: 'Small' } }], languages],
    [{ s: { xs: 'XL' } }, [{ value: 'xs', label: 'XL' }]],
    [[{ label: { de: 'Klein' } }], [{ value: 'Klein', label: 'Klein' }]],
    [nested(1000), []],
    [{ s: 'Small' }, [small]],
    [{ s: { label: 'Small', id: 9 } }, [small]],
    [{ options: [{ value: 's', label: 'Small' }] }, [small]],
    [json('{"__proto__":"Odd"}'), [{ value: '__proto__', label: 'Odd' }]],
    [undefined, []],
    [null, []],
    ['Small', []],
  ])('are read from %j', (values, choices) => {
    expect(readChoices(values)).toEqual(choices);
  });
});

describe('a registration record', () => {
  test.each([
    [{ registratoin_id: 'r1', id: 9 }, 'r1'],
    [{ registration_id: 'r1', uuid: 'u' }, 'r1'],
    [{ id: 'r1' }, 'r1'],
    [{ uuid: 'r1' }, 'r1'],
    [{ id: 42 }, '42'],
    [{ id: 0 }, '0'],
    [{ id: '', uuid: 'u' }, 'u'],
    [{ id: null }, undefined],
    [{ barcode: 'B1' }, undefined],
    [json('{"id":12345678901234567890}'), '12345678901234567890'],
  ])('of %j has the id %s', (raw, id) => {
    expect(readRecord(raw).id).toBe(id);
  });

  test.each([
    [{ persona: 'visitor' }, 'visitor'],
    [{ persona_slug: 'visitor' }, 'visitor'],
    [{ persona: { id: 1, slug: 'visitor', name: 'Visitor' } }, 'visitor'],
    [{ persona: { name: 'Visitor' } }, undefined],
    [{ persona: { name: 'Visitor' }, persona_slug: 'visitor' }, 'visitor'],
    [{}, undefined],
  ])('of %j has the persona %s', (raw, persona) => {
    expect(readRecord(raw).persona).toBe(persona);
  });

  test.each([
    [{ barcode: 'B1', parent_barcode: 'P1' }, 'B1', 'P1'],
    [{ qr_code: 'B1', parentBarcode: 'P1' }, 'B1', 'P1'],
    [{ qrcode: 'B1', parent: { barcode: 'P1' } }, 'B1', 'P1'],
    [json('{"barcode":12345678901234567890,"parent_barcode":null}'), '12345678901234567890', undefined],
  ])('of %j has barcode and parent', (raw, barcode, parentBarcode) => {
    expect(readRecord(raw)).toMatchObject({ barcode, parentBarcode });
  });

  test('tells the wish for communications only when it is shown', () => {
    expect(
      [{ enable_comms: true }, { enable_comms: false }, {}].map((raw) => readRecord(raw).enableComms),
    ).toEqual([true, false, undefined]);
  });

  test.each([
    ['nested', { fields: { a: 'x', b: ['y'] } }, { a: 'x', b: ['y'] }],
    [
      'as entries',
      { fields: [{ slug: 'a', value: 'x' }, { key: 'b', value: 'y' }, { value: 'z' }, null] },
      { a: 'x', b: 'y' },
    ],
    ['as entries whose field is an object', { fields: [{ field: { slug: 'a' }, value: 'x' }] }, { a: 'x' }],
    ['as entries of one key', { fields: [{ a: 'x' }, { name: 'y' }] }, { a: 'x', name: 'y' }],
    ['as an empty list', { fields: [] }, undefined],
    ['as an empty object', { fields: {} }, undefined],
    ['flat', { id: 1, barcode: 'B', created_at: 'now', a: 'x', b: null }, { a: 'x', b: null }],
    ['nowhere', { id: 1, barcode: 'B', persona: 'p', status: 'new', updated_at: 'now' }, undefined],
    ['as null', { id: 1, fields: null }, undefined],
  ])('has its fields %s', (_where, raw, fields) => {
    expect(readRecord(raw as Record<string, unknown>).fields).toEqual(fields);
  });

  test.each([
    ['nested', '{"fields":{"__proto__":"x","constructor":"y"}}'],
    ['as entries', '{"fields":[{"slug":"__proto__","value":"x"},{"slug":"constructor","value":"y"}]}'],
    ['flat', '{"id":1,"__proto__":"x","constructor":"y"}'],
  ])('keeps fields with odd names %s', (_where, text) => {
    const { fields } = readRecord(json(text));
    expect(Object.entries(fields ?? {})).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });

  test('keeps itself as it came', () => {
    const raw = { id: 1, unknown: { deep: [1] } };
    expect(readRecord(raw).raw).toBe(raw);
  });
});

describe('a page of registrations', () => {
  const list = [{ id: 1 }, { id: 2 }];
  type Facts = Partial<Omit<PageReading, 'records'>>;
  const none: Facts = { total: undefined, lastPage: undefined, hasNext: undefined };

  test.each<[unknown, Facts, Record<string, string>?]>([
    [list, none],
    [{ data: list }, none],
    [
      { data: list, meta: { total: 9, last_page: 5 } },
      { total: 9, lastPage: 5 },
    ],
    [
      { registrations: list, pagination: { total: 9, total_pages: 5 } },
      { total: 9, lastPage: 5 },
    ],
    [
      { items: list, total: 9, pages: 5 },
      { total: 9, lastPage: 5 },
    ],
    [
      { items: list, totalCount: 9, totalPages: 5, hasMore: true },
      { total: 9, lastPage: 5, hasNext: true },
    ],
    [
      { items: list, total: '9', pages: '5' },
      { total: 9, lastPage: 5 },
    ],
    [{ items: list, total: -1, pages: 1.5, has_more: 'yes' }, none],
    [{ results: list, links: { next: 'https://x/?page=2' } }, { hasNext: true }],
    [{ results: list, links: { prev: 'https://x/?page=1', next: null } }, { hasNext: false }],
    [{ results: list, links: { self: 'https://x' } }, none],
    [
      { current_page: 1, data: list, last_page: 5, next_page_url: 'https://x', total: 9 },
      { total: 9, lastPage: 5, hasNext: true },
    ],
    [
      { current_page: 5, data: list, last_page: 5, next_page_url: null, total: 9 },
      { total: 9, lastPage: 5, hasNext: false },
    ],
    [
      { data: list, links: { next: null }, meta: { total: 2, last_page: 1, links: [] } },
      { total: 2, lastPage: 1, hasNext: false },
    ],
    [{ data: { data: list, total: 9 } }, { total: 9 }],
    [{ success: true, data: { registrations: list, meta: { has_more: false } } }, { hasNext: false }],
    [{ data: list, page_info: { has_next_page: true } }, { hasNext: true }],
    [list, { total: 9 }, { 'x-total-count': '9' }],
    [list, { lastPage: 5 }, { 'x-total-pages': '5' }],
    [list, { hasNext: true }, { link: '<https://x/?page=2>; rel="next"' }],
    [list, { hasNext: true }, { link: '<https://x/?page=1>; rel=prev, <https://x/?page=3>; rel=next' }],
    [list, { hasNext: false }, { link: '<https://x/?page=1>; rel="prev"' }],
    [list, none, { link: '</style.css>; rel=preload' }],
  ])('is read from %j', (body, facts, headers = {}) => {
    const reading = readPage(body, headers);
    expect(reading?.records.map((record) => record.id)).toEqual(['1', '2']);
    expect(reading).toMatchObject({ ...none, ...facts });
  });

  test.each([[[]], [{ data: [] }], [{ data: { data: [] }, meta: { total: 0 } }]])(
    'may be empty: %j',
    (body) => {
      expect(readPage(body, {})?.records).toEqual([]);
    },
  );

  test.each([
    [undefined],
    [null],
    ['text'],
    [7],
    [{}],
    [{ message: 'hello' }],
    [{ data: { id: 1 } }],
    [{ data: null }],
    [[1, 2]],
    [{ data: ['a'] }],
    [{ data: [[]] }],
  ])('is not found in %j', (body) => {
    expect(readPage(body, {})).toBeUndefined();
  });

  test('is not looked for without end', () => {
    const text = `${'{"data":'.repeat(500)}[]${'}'.repeat(500)}`;
    expect(readPage(parseJson(text), {})).toBeUndefined();
  });

  test('takes no counters from a prototype', () => {
    expect(readPage(json('{"data":[],"meta":{"__proto__":{"total":9}}}'), {})?.total).toBeUndefined();
  });
});

describe('the answer to a create', () => {
  const record = { registratoin_id: 'r1', barcode: 'B1' };
  const read = (status: number, body: unknown) =>
    readCreateAnswer(status, typeof body === 'string' ? body : JSON.stringify(body));

  test.each([
    ['bare', record],
    ['in data', { data: record }],
    ['in registration', { message: 'ok', registration: record }],
    ['in result', { result: record }],
    ['in data and registration', { data: { registration: record } }],
    ['in a list of one', [record]],
    ['in a wrapped list of one', { data: [record] }],
    ['with data of its own', { ...record, data: { id: 'other' } }],
    ['with lists of its own', { ...record, items: [{ a: 1 }, { b: 2 }] }],
    ['with lists of its own in data', { data: { ...record, items: [{ a: 1 }, { b: 2 }] } }],
    ['with an empty list of errors', { ...record, errors: [], error: null }],
  ])('shows the record %s', (_where, body) => {
    expect(read(200, body)).toMatchObject({ kind: 'record', record: { id: 'r1', barcode: 'B1' } });
  });

  test.each([
    [200, record, undefined],
    [201, record, 'created'],
    [202, record, undefined],
    [200, { ...record, created: true }, 'created'],
    [201, { ...record, created: false }, 'updated'],
    [200, { data: record, created: false }, 'updated'],
    [200, { data: { ...record, created: true } }, 'created'],
    [200, { action: 'Updated', data: record }, 'updated'],
    [200, { result: 'created', registration: record }, 'created'],
    [200, [{ ...record, operation: 'created' }], 'created'],
  ])('of %d with %j was %s', (status, body, action) => {
    expect(read(status, body)).toMatchObject({ kind: 'record', action });
  });

  const bare = listed(`
    OK | true | "created" | null | [] | {} | {"success":true} | {"ok":true} | {"created":true} |
    {"status":"success"} | {"status":200} | {"statusCode":201} | {"data":null} | {"data":{}} |
    {"data":{"message":"Saved."}} | {"result":"updated"} | Your registration has been received.
  `);
  test.each<[number, string]>([
    [200, ''],
    [204, ''],
    [201, ' \n'],
    [201, '{"message":"Registration created."}'],
    ...bare.map((body): [number, string] => [200, body]),
  ])('of %d with %j shows no record', (status, body) => {
    expect(read(status, body)).toEqual({ kind: 'accepted' });
  });

  test.each([
    ['<!doctype html><html>', /HTML page/],
    ['\n <html>', /HTML page/],
    ['{"registratoin_id":"r', /cut off/],
    ['[{"id":1}', /cut off/],
    ['"cut', /cut off/],
    ['Please hold the line', /"Please hold the line"/],
    ['Not saved', /"Not saved"/],
    ["It wasn't saved", /wasn't/],
    ['Already registered', /Already/],
  ])('is unreadable: %s', (body, why) => {
    expect(read(200, body)).toEqual({ kind: 'unreadable', why: expect.stringMatching(why) });
  });

  test.each([
    [[record, record], /list/],
    [{ data: [record, record] }, /list/],
    [{ data: [record], meta: { total: 1 } }, /list/],
    [{ data: [record], last_page: 1 }, /list/],
    [{ data: [record], has_more: false }, /list/],
    [{ data: [], meta: { total: 0 } }, /list/],
    [{ data: { data: [record], total: 1 } }, /list/],
    [{ weather: 'fine' }, /no registration/],
    [{ data: { weather: 'fine' } }, /no registration/],
    [{ status: 500 }, /no registration/],
    [{ message: 'The event is full.' }, /no registration/],
    [{ message: 'Was not created.' }, /no registration/],
    [[1], /no registration/],
    [7, /no registration/],
  ])('is of no known shape: %j', (body, why) => {
    expect(read(200, body)).toEqual({ kind: 'unknown', why: expect.stringMatching(why) });
  });

  test.each([
    [{ success: false, message: 'No such persona.' }, 'No such persona.'],
    [{ error: 'No such persona.' }, 'No such persona.'],
    [{ errors: { persona: ['is unknown'] } }, 'persona: is unknown'],
    [{ error: true, message: 'Broken.' }, 'Broken.'],
    [{ ...record, errors: ['half done'] }, 'half done'],
  ])('speaks of failure: %j', (body, why) => {
    expect(read(200, body)).toEqual({ kind: 'denied', why });
  });

  test('keeps all digits of the id', () => {
    expect(read(201, '{"id":12345678901234567890}')).toMatchObject({
      record: { id: '12345678901234567890' },
    });
  });

  test('is not dug into without end', () => {
    expect(read(200, `${'{"data":'.repeat(500)}{}${'}'.repeat(500)}`)).toMatchObject({ kind: 'unknown' });
  });
});

describe('an error body', () => {
  test.each<[unknown, string, string[]]>([
    [{ message: 'Not found.' }, 'Not found.', []],
    [{ error: 'Not found.' }, 'Not found.', []],
    [{ error: 'invalid_token', error_description: 'The token has expired.' }, 'The token has expired.', []],
    [{ error: { code: 7, message: 'Not found.' } }, 'Not found.', []],
    [
      { error: { code: 7, message: 'Bad.', details: [{ field: 'email', message: 'is wrong' }] } },
      'Bad.',
      ['email: is wrong'],
    ],
    [{ error: { email: ['is wrong'] } }, 'email: is wrong', []],
    [{ error: true, message: 'Broken.' }, 'Broken.', []],
    [{ errors: 'Broken.' }, 'Broken.', []],
    [{ msg: 'Broken.' }, 'Broken.', []],
    [{ message: 'Invalid.', errors: ['one', 'two'] }, 'Invalid.', ['one', 'two']],
    [{ errors: ['one', 'two'] }, 'one', ['two']],
    [['one', 'two'], 'one', ['two']],
    [{ errors: [{ field: 'email', message: 'is wrong' }, { code: 'X1' }] }, 'email: is wrong', ['X1']],
    [
      { message: 'Invalid.', errors: { email: ['is wrong', 'is short'], phone: 'is long' } },
      'Invalid.',
      ['email: is wrong', 'email: is short', 'phone: is long'],
    ],
    [{ errors: { email: { message: 'is wrong' } } }, 'email: is wrong', []],
    [
      {
        type: 'about:blank',
        title: 'Invalid.',
        status: 422,
        errors: [{ pointer: '/email', detail: 'is wrong' }],
      },
      'Invalid.',
      ['/email: is wrong'],
    ],
    [{ title: 'Invalid.', detail: 'The email is wrong.' }, 'The email is wrong.', []],
    [{ detail: [{ loc: ['body', 'email'], msg: 'is wrong' }] }, 'body.email: is wrong', []],
    ['"Broken."', 'Broken.', []],
    ['Broken.\n  Very.', 'Broken. Very.', []],
    ['', 'HTTP 500 without an explanation', []],
    ['  \n', 'HTTP 500 without an explanation', []],
    [{}, 'HTTP 500', []],
    [{ message: '' }, 'HTTP 500', []],
    ['null', 'HTTP 500', []],
    ['<html><head><title>502 Bad\n Gateway</title></head>', 'a web page titled "502 Bad Gateway"', []],
    ['<!doctype html><TITLE lang="en"> Log in </TITLE>', 'a web page titled "Log in"', []],
    ['<title></title>', 'a web page', []],
    ['<html><title>cut', 'a web page', []],
  ])('is read from %j', (body, message, details) => {
    expect(readError(500, typeof body === 'string' ? body : JSON.stringify(body))).toEqual({
      message,
      details,
    });
  });

  test('is one line of bearable length, with a bearable number of details', () => {
    const long = `a\n${'b'.repeat(100_000)}`;
    const bodies = [
      long,
      JSON.stringify({ message: long }),
      JSON.stringify([long]),
      `<title>${long}</title>`,
    ];
    for (const body of bodies) {
      expect(readError(500, body).message).toMatch(/^.{1,330}$/);
    }
    const many = { message: 'Invalid.', errors: Array.from({ length: 500 }, () => long) };
    const { details } = readError(422, JSON.stringify(many));
    expect(details).toHaveLength(20);
    for (const detail of details) expect(detail).toMatch(/^.{1,300}$/);
  });

  test('costs no more than a moment, however hostile', () => {
    expect(readError(500, '<title'.repeat(2_000_000)).message).toBe('a web page');
    const deep = `${'{"error":'.repeat(500)}{"message":"deep"}${'}'.repeat(500)}`;
    expect(readError(500, deep).message).toBe('HTTP 500');
  });
});

describe('a webhook', () => {
  const same = { name: 'n', triggers: ['registration.updated'], active: true };
  const raw = { id: 5, webhook_url: 'https://x', extra: 1, ...same };
  const read = { id: '5', shownId: 5, url: 'https://x', raw, ...same };

  test.each([
    ['bare', raw],
    ['in data', { data: raw }],
    ['in webhook', { webhook: raw }],
    ['in a list', { data: [raw] }],
  ])('is read %s', (_where, body) => {
    expect(readWebhook(body)).toEqual(read);
  });

  test.each(['_id', 'uuid', 'webhook_id'])('is known by %s, where id is null', (key) => {
    expect(readWebhook({ id: null, [key]: 'w1', url: 'https://x' })).toMatchObject({
      id: 'w1',
      shownId: 'w1',
    });
  });

  test.each<[string, object[], string[], (string | undefined)[]]>([
    ['the same one twice', [raw, raw], [], ['5', '5']],
    [
      'what is of the event',
      [
        { ...raw, uuid: 'a' },
        { ...raw, uuid: 'b' },
      ],
      ['id'],
      ['a', 'b'],
    ],
    ['nothing of its own', [raw, { ...raw, name: 'm' }], ['id'], [undefined, undefined]],
  ])('has no id of its own where a list shows %s', (_, rows, keys, ids) => {
    const shared = sharedIds(rows.flatMap((row) => readWebhook(row) ?? []));
    expect([shared, rows.map((row) => readWebhook(row, shared)?.id)]).toEqual([keys, ids]);
  });

  test('is read from other names', () => {
    expect(readWebhook({ webhook_id: 'w', url: 'https://x', events: ['a', 1] })).toMatchObject({
      id: 'w',
      url: 'https://x',
      triggers: ['a', '1'],
      active: undefined,
      name: undefined,
    });
  });

  test.each([[undefined], [null], ['text'], [[]]])('is not found in %j', (body) => {
    expect(readWebhook(body)).toBeUndefined();
  });

  test.each([
    ['bare', [raw, raw]],
    ['in data', { data: [raw, raw] }],
    ['in webhooks', { webhooks: [raw, raw] }],
    ['each wrapped', { data: [{ webhook: raw }, { webhook: raw }] }],
  ])('is listed %s', (_where, body) => {
    expect(readPage(body, {})?.records.map((record) => readWebhook(record.raw))).toEqual([read, read]);
  });
});
