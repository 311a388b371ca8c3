import { existsSync, lstatSync, readFileSync, writeFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  defineEvent,
  type EventOptions,
  runEvent,
  describeEvent,
} from '../../../src/commands/event/event.ts';
import { createTemplate } from '../../../src/commands/event/write-template.ts';
import { prettyJson } from '../../../src/report/words/data-text.ts';
import { definePush } from '../../../src/commands/push/define-push.ts';
import { runPush } from '../../../src/commands/push/run-push.ts';
import type { PushCommandOptions } from '../../../src/commands/push/push-command-options.ts';
import { AuthorisationError, type EventregError, EXIT, GuardError, UsageError } from '../../../src/errors.ts';
import type { EventInfo, Persona } from '../../../src/registration/model/persona.ts';
import { fakePrompt, fakeRuntime } from '../../support/fake-runtime.ts';
import { type SandboxRuntime, sandboxRuntime, TOKEN } from '../sandbox-runtime.ts';
import { listIn } from '../../support/documents.ts';
import { type Argv, GLOBALS, parseArgv } from '../parse-argv.ts';
import { field, persona } from '../../input/persona-of-labels.ts';

const parse = (argv: Argv): Promise<EventOptions> => parseArgv(defineEvent, 'event', argv);
const show: EventOptions = { ...GLOBALS, action: 'show' };
const template: EventOptions = { ...GLOBALS, action: 'template', persona: 'visitor' };

describe('the command line of event', () => {
  test.each<[Argv, object]>([
    [[], { action: 'show', output: 'table' }],
    ['--json', { action: 'show', output: 'json' }],
    ['show', { action: 'show' }],
    ['personas --json', { action: 'personas', output: 'json' }],
    ['fields visitor', { action: 'fields', persona: 'visitor' }],
    ['schema visitor', { action: 'schema', persona: 'visitor' }],
    ['template visitor', { action: 'template', persona: 'visitor' }],
    ['template visitor --to a.json', { action: 'template', persona: 'visitor', to: 'a.json' }],
  ])('%j', async (argv, expected) => {
    expect(await parse(argv)).toMatchObject(expected);
  });

  test.each([
    ['schema', 'missing required argument'],
    ['template a b', 'too many arguments'],
    ['visitor', "unknown action 'visitor'"],
    ['schema visitor --to a.csv', 'unknown option'],
    ['template visitor --to a.txt', '--to: takes the name of a file that ends in .xlsx, .csv'],
    ['template visitor --to -', '--to: takes the name of a file'],
    [['template', 'visitor', '--to', ''], '--to: takes the name of a file'],
  ])('refuses %j', async (argv, why) => {
    await expect(parse(argv)).rejects.toThrow(why);
  });
});

describe('event fields', () => {
  test('at a terminal tells what each takes, choices whole, by the names that people know', async () => {
    const here = await sandboxRuntime({}, { tty: true });
    await runEvent({ ...show, action: 'fields', persona: 'visitor' }, here.runtime);
    expect(here.out()).toContain('Ticket type       one of Standard · Premium · Student · Press\n');
    expect(here.out()).toContain('Dietary needs     any of Gluten free · Halal · Kosher · Vegan\n');
    expect(here.out()).not.toContain('ticket_type');
    const other = await sandboxRuntime({}, { tty: true });
    await runEvent({ ...show, action: 'fields', persona: 'exhibitor' }, other.runtime);
    expect(other.out()).toContain('Badge colour   Badge colour picker, sent as text, unchecked\n');
  });

  test('without a persona names those that there are', async () => {
    const here = await sandboxRuntime();
    const asked = runEvent({ ...show, action: 'fields', persona: undefined }, here.runtime);
    await expect(asked).rejects.toThrow('Which persona? The event has visitor, exhibitor, speaker.');
  });
});

describe('event show', () => {
  test('draws lines for people', async () => {
    const here = await sandboxRuntime({}, { tty: true });
    expect(await runEvent(show, here.runtime)).toBe(EXIT.done);
    expect(here.out()).toBe(
      [
        'name      Harbour Trade Fair 2027',
        'event_id  4711',
        'slug      harbour-trade-fair-2027',
        'timezone  Europe/Amsterdam',
        'starts    2027-05-11T09:00:00+02:00',
        'ends      2027-05-13T17:30:00+02:00',
        'personas  visitor (Visitor): 14 fields',
        '          exhibitor (Exhibitor): 12 fields',
        '          speaker (Speaker): 12 fields',
        '',
      ].join('\n'),
    );
    expect(here.err()).toBe('');
  });

  test('prints one json object with personas and fields', async () => {
    const here = await sandboxRuntime({ valuesShape: 'objects-label-value' });
    await runEvent({ ...show, output: 'json' }, here.runtime);
    const event = JSON.parse(here.out());
    expect(event).toMatchObject({
      event_id: 4711,
      slug: 'harbour-trade-fair-2027',
      name: 'Harbour Trade Fair 2027',
      timezone: 'Europe/Amsterdam',
      start_date: '2027-05-11T09:00:00+02:00',
      end_date: '2027-05-13T17:30:00+02:00',
      personas: [{ id: 1, slug: 'visitor', name: 'Visitor' }, {}, {}],
    });
    expect(event.personas[0].fields[7]).toEqual({
      id: 108,
      slug: 'meal',
      label: 'Lunch',
      type: 'Radio',
      kind: 'choice',
      choices: [
        { value: 'meat', label: 'Meat' },
        { value: 'fish', label: 'Fish' },
        { value: 'vegetarian', label: 'Vegetarian' },
      ],
      multiple: false,
      checked: true,
    });
  });

  test.each([
    ['csv', 'event_id,event,persona,name,id,fields\n4711,Harbour Trade Fair 2027,visitor,Visitor,1,14\n'],
    [
      'ndjson',
      '{"event_id":4711,"event":"Harbour Trade Fair 2027","persona":"visitor","name":"Visitor","id":1,"fields":14}\n',
    ],
  ] as const)('prints one record a persona as %s', async (output, start) => {
    const here = await sandboxRuntime();
    await runEvent({ ...show, output }, here.runtime);
    expect(here.out().startsWith(start)).toBe(true);
  });

  test('makes names of the service safe, and says when there are no personas', () => {
    const event: EventInfo = { ...noPersonas, name: 'Fair\u001b[2J\nof 2027' };
    expect(describeEvent(event)).toEqual([
      'name      Fair\\u{1b}[2J\\nof 2027',
      'event_id  1',
      'personas  none: nothing can be pushed to this event',
    ]);
    expect(prettyJson({ name: event.name, a: ['\u2028'] })).toBe(
      '{\n  "name": "Fair\\u001b[2J\\nof 2027",\n  "a": [\n    "\\u2028"\n  ]\n}\n',
    );
  });

  test('ends with the error of the service', async () => {
    const here = await sandboxRuntime({ auth: '401' });
    await expect(runEvent(show, here.runtime)).rejects.toThrow(AuthorisationError);
    expect(here.out()).toBe('');
  });
});

test('event personas prints one record each', async () => {
  const here = await sandboxRuntime();
  await runEvent({ ...GLOBALS, action: 'personas', output: 'csv' }, here.runtime);
  expect(here.out()).toBe(
    'persona,name,id,fields\nvisitor,Visitor,1,14\nexhibitor,Exhibitor,2,12\nspeaker,Speaker,3,12\n',
  );
});

describe('event fields', () => {
  test('prints one record a field', async () => {
    const here = await sandboxRuntime();
    await runEvent({ ...GLOBALS, action: 'fields', persona: 'exhibitor', output: 'csv' }, here.runtime);
    expect(here.out().split('\n').slice(0, 2)).toEqual([
      'slug,label,kind,type,choices,multiple,checked',
      'first_name,First name,name,Name,,false,true',
    ]);
    expect(here.out()).toContain('stand_size,Stand size,choice,Radio,Small;Medium;Large,false,true\n');
    expect(here.out()).toContain('badge_colour,Badge colour,text,Badge colour picker,,false,false\n');
  });

  test('lists the choices in json', async () => {
    const here = await sandboxRuntime({ valuesShape: 'map' });
    await runEvent({ ...GLOBALS, action: 'fields', persona: 'VISITOR', output: 'json' }, here.runtime);
    expect(listIn(here.out())[8]).toEqual({
      slug: 'dietary_needs',
      label: 'Dietary needs',
      kind: 'choice',
      type: 'Checkbox',
      choices: ['gluten-free', 'halal', 'kosher', 'vegan'],
      multiple: true,
      checked: true,
    });
  });
});

test.each(['fields', 'schema', 'template'] as const)(
  'event %s of an unknown persona lists the known ones and proposes the nearest',
  async (action) => {
    const here = await sandboxRuntime();
    const run = runEvent({ ...GLOBALS, action, persona: 'speeker' }, here.runtime);
    await expect(run).rejects.toThrow(UsageError);
    await expect(run).rejects.toMatchObject({
      message: '"speeker" is not a persona of the event, which has speaker, visitor, exhibitor.',
      hint: 'Write speaker.',
    });
    expect(here.out()).toBe('');
  },
);

test('event schema prints JSON Schema, whatever the output format', async () => {
  const here = await sandboxRuntime();
  await runEvent({ ...GLOBALS, action: 'schema', persona: 'visitor', output: 'csv' }, here.runtime);
  expect(here.out()).toMatch(/^\{\n {2}"\$schema": "https:/);
  const schema = JSON.parse(here.out());
  expect(schema.properties.persona).toEqual({ const: 'visitor' });
  expect(Object.keys(schema.properties.fields.properties)).toHaveLength(14);
});

describe('event template', () => {
  test('is a header of labels and one example row', async () => {
    const here = await sandboxRuntime();
    expect(await runEvent(template, here.runtime)).toBe(EXIT.done);
    expect(here.out()).toBe(
      'persona,barcode,parent_barcode,enable_comms,First name,Last name,E-mail,Mobile phone,Country,Company,' +
        'Ticket type,Lunch,Dietary needs,Date of birth,Number of guests,Website,Photo,Remarks\n' +
        "visitor,EXAMPLE-1,,false,María,García,maria.garcia@example.com,'+34600000000,ES,Example," +
        'Standard,Meat,Gluten free; Halal,2026-02-26,42,https://example.com,' +
        'https://example.com/files/photo.jpg,Example\n',
    );
    expect(here.err()).toBe('');
  });

  test('as json is the same registration with fields by slug, lists where several options go', async () => {
    const here = await sandboxRuntime();
    await runEvent({ ...template, output: 'json' }, here.runtime);
    expect(listIn(here.out())).toEqual([
      {
        persona: 'visitor',
        barcode: 'EXAMPLE-1',
        enable_comms: false,
        fields: expect.objectContaining({ phone: '+34600000000', dietary_needs: ['Gluten free', 'Halal'] }),
      },
    ]);
  });

  test.each<[Partial<Extract<EventOptions, { action: 'template' }>>, string]>([
    [{}, 'persona,'],
    [{ output: 'json' }, '{"schema":"eventreg/event-template@1","persona":"visitor"'],
    [{ output: 'ndjson' }, '{"persona"'],
  ])('with %j starts with %j', async (options, start) => {
    const here = await sandboxRuntime();
    await runEvent({ ...template, ...options }, here.runtime);
    expect(here.out().startsWith(start)).toBe(true);
  });

  const OWN = (text: string): string => ({ 'EXAMPLE-1': 'OWN-1', maria: 'mara' })[text] ?? '+34600000001';

  test.each(['visitor', 'exhibitor', 'speaker'])('of %s is pushed without any flag', async (persona) => {
    for (const format of ['csv', 'json', 'ndjson', 'xlsx'] as const) {
      for (const valuesShape of ['strings', 'numbers', 'map', 'groups', 'languages'] as const) {
        const here = await sandboxRuntime({ valuesShape, limit: 0 });
        const file = join(here.directory, `template.${format}`);
        await runEvent({ ...template, persona, to: file, quiet: true }, here.runtime);
        await expect(pushFile(file, here)).rejects.toThrow('nobody to send but the example');
        if (format === 'xlsx') continue;
        writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/EXAMPLE-1|maria|\+34600000000/g, OWN));
        expect(await pushFile(file, here)).toBe(EXIT.done);
        const [sent] = here.sandbox.registrations();
        expect(sent).toMatchObject({ persona, barcode: 'OWN-1', enableComms: false });
        expect(Object.keys(sent?.fields ?? {})).toHaveLength(persona === 'visitor' ? 14 : 12);
        expect(sent?.fields['phone']).toBe('+34600000001');
      }
    }
  });

  test('takes the slug where a label is not clear, and leaves out what no column can reach', () => {
    const visitor = personaWith('visitor', [
      ['name', 'Name'],
      ['partner', 'Name'],
      ['code', 'Bar Code'],
      ['parent', 'Parent barcode'],
      ['number', 'Registration ID'],
      ['barcode', 'Ticket'],
      ['company', 'Firm'],
      ['shop', 'Company'],
      ['blank', ''],
      ['odd', 'A\nB'],
      ['job', 'Role'],
    ]);
    // "Role" is clear for visitors, but a file whose persona is in a column is matched for all personas.
    const staff = personaWith('staff', [
      ['day_role', 'Role'],
      ['night_role', 'Role'],
    ]);
    const event = { ...noPersonas, personas: [visitor, staff] };
    const { content: text, problems } = createTemplate(event, visitor, 'csv');
    expect(text.split('\n')[0]).toBe(
      'persona,barcode,parent_barcode,enable_comms,Name,partner,code,parent,number,Firm,shop,blank,odd,job',
    );
    expect(problems).toEqual([]);
    expect(createTemplate(event, visitor, 'ndjson').content).not.toContain('"Ticket"');
  });

  test('takes slugs only when two labels meet in one field of another persona', () => {
    const visitor = personaWith('visitor', [
      ['org', 'Company'],
      ['firm_name', 'Firm'],
    ]);
    const staff = personaWith('staff', [['company', 'Firm']]);
    const event = { ...noPersonas, personas: [visitor, staff] };
    const { content: text, problems } = createTemplate(event, visitor, 'csv');
    expect(text.split('\n')[0]).toBe('persona,barcode,parent_barcode,enable_comms,org,firm_name');
    expect(problems).toEqual([]);
  });

  test('says what push will ask when even slugs are not clear', () => {
    const visitor = personaWith('visitor', [
      ['company', 'A'],
      ['firm', 'A'],
    ]);
    const staff = personaWith('staff', [['company', 'Firm']]);
    const event = { ...noPersonas, personas: [visitor, staff] };
    const { problems } = createTemplate(event, visitor, 'csv');
    expect(problems).toEqual([expect.stringContaining('is company of persona staff, as is')]);
  });
});

describe('event template --to', () => {
  test('writes csv with a byte order mark, and says so', async () => {
    const here = await sandboxRuntime();
    await runEvent({ ...template, to: 'visitors.csv' }, here.runtime);
    const bytes = readFileSync(join(here.directory, 'visitors.csv'));
    expect(bytes.subarray(0, 10).toString('latin1')).toBe('ï»¿persona');
    expect(here.out()).toBe('');
    expect(here.err()).toBe('The template is in visitors.csv: replace the example, then push it.\n');
  });

  test.each(['a.json', 'a.ndjson'])('takes the format from the name %s, without a mark', async (file) => {
    const here = await sandboxRuntime();
    await runEvent({ ...template, to: file }, here.runtime);
    expect(readFileSync(join(here.directory, file), 'utf8')).toMatch(/^[[{]/);
  });

  test('does not overwrite without --yes', async () => {
    const here = await sandboxRuntime();
    const file = join(here.directory, 'a.csv');
    writeFileSync(file, 'mine');
    const run = runEvent({ ...template, to: file }, here.runtime);
    await expect(run).rejects.toThrow(GuardError);
    await expect(run).rejects.toMatchObject({ exitCode: 7, hint: expect.stringContaining('--yes') });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await runEvent({ ...template, to: file, yes: true }, here.runtime);
    expect(readFileSync(file, 'utf8')).toContain('persona,');
  });

  test.each([
    [true, EXIT.done],
    [false, EXIT.guarded],
  ])('asks at a terminal; the answer is %s', async (answer, code) => {
    const { prompt, asked } = fakePrompt({ Overwrite: answer });
    const here = await sandboxRuntime({}, { tty: true, prompt: async () => prompt });
    const file = join(here.directory, 'a.csv');
    writeFileSync(file, 'mine');
    const run = runEvent({ ...template, to: file }, here.runtime);
    expect(await run.catch((error: EventregError) => error.exitCode)).toBe(code);
    expect(asked).toHaveLength(1);
    expect(readFileSync(file, 'utf8') === 'mine').toBe(!answer);
  });

  test.each(['a file', 'nothing'])('follows no link to %s', async (target) => {
    const here = await sandboxRuntime();
    const [file, linked] = [join(here.directory, 'a.csv'), join(here.directory, 'linked')];
    if (target === 'a file') writeFileSync(linked, 'mine');
    symlinkSync(linked, file);
    await runEvent({ ...template, to: file, yes: true }, here.runtime);
    expect(lstatSync(file).isFile()).toBe(true);
    expect(existsSync(linked) && readFileSync(linked, 'utf8')).toBe(target === 'a file' && 'mine');
  });

  test('names a folder that is not there', async () => {
    const here = await sandboxRuntime();
    const file = join(here.directory, 'none', 'a.csv');
    await expect(runEvent({ ...template, to: file }, here.runtime)).rejects.toThrow(
      'is in a folder that does not exist',
    );
    expect(existsSync(file)).toBe(false);
  });
});

test('event works with --sandbox, and never prints a token', async () => {
  const here = await sandboxRuntime();
  await runEvent({ ...show, verbose: true }, here.runtime);
  await runEvent({ ...show, sandbox: true }, here.runtime);
  expect(here.out()).toContain('Harbour Trade Fair 2027');
  expect(here.out() + here.err()).not.toContain(TOKEN);
});

const unknown = { timezone: undefined, startDate: undefined, endDate: undefined };
const noPersonas: EventInfo = { eventId: '1', slug: '', name: 'Fair', ...unknown, personas: [] };

const personaWith = (slug: string, fields: readonly [slug: string, label: string][]): Persona =>
  persona(
    slug,
    fields.map(([name, label]) => field(name, label)),
  );

/** Pushes with no flag but the file. */
async function pushFile(file: string, { directory, runtime: { env, clock } }: SandboxRuntime) {
  const options: PushCommandOptions = await parseArgv(definePush, 'push', [file]);
  return await runPush(options, fakeRuntime({ directory, env, clock }).runtime);
}
