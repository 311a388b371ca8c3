import { Writable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlanDiffOptions, printPlanDiff } from '../../../src/report/plan/plan-diff.ts';
import type { PlanEntryView } from '../../../src/report/views/plan-view.ts';
import { valueShower } from '../../../src/report/words/shown-value.ts';
import { anyText } from '../arbitrary-text.ts';
import { entry, EVERYTHING, FIELDS, recording } from '../plan-entries-fixture.ts';
import { listed } from '../../support/tables.ts';

/** Drives a terminal, or hides what is there. */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069\u200B\u200E\u200F\u061C\uFEFF]/u;

interface Shown {
  format?: PlanDiffOptions['format'];
  showValues?: boolean;
  color?: boolean;
}

async function diff(
  entries: Iterable<PlanEntryView>,
  { format = 'table', showValues = false, color = false }: Shown = {},
): Promise<string> {
  const { stream, text } = recording();
  await printPlanDiff(entries, { format, stream, color, show: valueShower(FIELDS, showValues) });
  return text();
}

describe('for people', () => {
  test('a block a registration, and what stays as it is only counted', async () => {
    expect(await diff(EVERYTHING)).toBe(`+ create  guests.csv:2  barcode EV-1  visitor
    first_name: "A••••••••••"
    country: "GB"
~ update  guests.xlsx:Guests:3  barcode EV-2  registration reg-2  visitor
    phone: "+34•••••••••" → "+34•••••••••" (they differ beyond what is shown)
    meals: "veg", "none" → "veg"
    remarks: "b••••• • d••" → nothing
! conflict  guests.csv:5  barcode EV-4  registration reg-4  visitor: edited in the service since it was sent: country; --overwrite sends the file’s values
    country: "FR" → "GB"
? unknown  guests.csv:6  barcode EV-5  visitor: sent without comparing: the service shows too little
? uncertain  guests.csv:7  barcode EV-6  visitor: sent before without a certain answer: looked up first, sent only if it is not there
- delete  barcode EV-9  registration reg-9  visitor
    first_name: "Z••"
Plan: 1 to create, 1 to update, 1 to send without comparing, 1 to delete, 1 in conflict, 1 uncertain, 1 unchanged.
`);
  });

  test('values of persons as they are with --show-values', async () => {
    const shown = await diff(EVERYTHING, { showValues: true });
    expect(shown).toContain('phone: "+34600111222" → "+34600333444"\n');
    expect(shown).toContain('remarks: "brings a dog" → nothing\n');
    expect(shown).not.toContain('•');
  });

  test('a field that the persona does not have is personal, names around the fields are not', async () => {
    const changes = [
      { field: 'nickname', before: 'Countess', after: 'Lady' },
      { field: 'persona', before: 'speaker', after: 'visitor' },
      { field: 'parent_barcode', before: undefined, after: 'EV-77' },
      { field: 'enable_comms', before: 'false', after: 'true' },
    ];
    const shown = await diff([entry({ action: 'update', changes })]);
    expect(shown).toContain('nickname: "C•••••••" → "L•••"');
    expect(shown).toContain('persona: "speaker" → "visitor"');
    expect(shown).toContain('parent_barcode: nothing → "EV-77"');
    expect(shown).toContain('enable_comms: "false" → "true"');
  });

  test('nothing to do is said', async () => {
    expect(await diff([])).toBe('Plan: nothing.\n');
    expect(await diff([entry({ action: 'unchanged' })])).toBe('Plan: 1 unchanged.\n');
  });

  test('long values are cut, and colour is only on the sign', async () => {
    const changes = [{ field: 'country', before: undefined, after: 'x'.repeat(500) }];
    const shown = await diff([entry({ changes })], { showValues: true, color: true });
    expect(shown.split('\n')[0]).toBe('\u001B[32m+ create\u001B[39m  guests.csv:2  barcode EV-1  visitor');
    expect(shown.split('\n')[1]).toBe(`    country: "${'x'.repeat(79)}…"`);
  });

  test('no text of a file or of the service drives the terminal, or makes a line of its own', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(), async (text) => {
        const shown = await diff(
          [
            entry({
              action: 'update',
              barcode: text,
              id: text,
              persona: text,
              place: { file: text, sheet: text, line: 1 },
              why: text,
              changes: [{ field: text, before: text, after: [text] }],
            }),
          ],
          { showValues: true },
        );
        expect(shown.split('\n')).toHaveLength(4);
        expect(shown.replaceAll('\n', '')).not.toMatch(FORBIDDEN);
      }),
      { numRuns: 200 },
    );
  });
});

describe('for programs', () => {
  const UPDATE = {
    action: 'update',
    place: 'guests.xlsx:Guests:3',
    file: 'guests.xlsx',
    sheet: 'Guests',
    line: 3,
    barcode: 'EV-2',
    persona: 'visitor',
    registration_id: 'reg-2',
    changes: [
      { field: 'phone', before: '+34600111222', after: '+34600333444', left: null },
      { field: 'meals', before: ['veg', 'none'], after: ['veg'], left: null },
      { field: 'remarks', before: 'brings a dog', after: null, left: null },
    ],
    why: null,
  };

  test('json is an array of all that changes, the same keys every time', async () => {
    const records = JSON.parse(await diff(EVERYTHING, { format: 'json', showValues: true })) as object[];
    expect(records[1]).toEqual(UPDATE);
    expect(records.map((record) => (record as { action: string }).action)).toEqual(
      listed('create | update | conflict | unknown | uncertain | delete'),
    );
    for (const record of records) expect(Object.keys(record)).toEqual(Object.keys(UPDATE));
  });

  test('ndjson is the same, a line an entry; values are masked here as well', async () => {
    const lines = (await diff(EVERYTHING, { format: 'ndjson' })).trimEnd().split('\n');
    expect(lines).toHaveLength(6);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      changes: [{ before: '+34•••••••••' }, { before: ['veg', 'none'] }, { before: 'b••••• • d••' }],
    });
  });

  test('csv has a row a change, and one of what has none', async () => {
    const rows = (await diff(EVERYTHING, { format: 'csv' })).trimEnd().split('\n');
    expect(rows[0]).toBe(
      'action,place,file,sheet,line,barcode,persona,registration_id,field,before,after,left,why',
    );
    expect(rows.filter((row) => row.startsWith('update'))).toEqual([
      `update,guests.xlsx:Guests:3,guests.xlsx,Guests,3,EV-2,visitor,reg-2,phone,'+34•••••••••,'+34•••••••••,,`,
      'update,guests.xlsx:Guests:3,guests.xlsx,Guests,3,EV-2,visitor,reg-2,meals,veg;none,veg,,',
      'update,guests.xlsx:Guests:3,guests.xlsx,Guests,3,EV-2,visitor,reg-2,remarks,b••••• • d••,,,',
    ]);
    expect(rows).toContain('unknown,guests.csv:6,guests.csv,,6,EV-5,visitor,,,,,,');
  });
});

test('Entries are taken as they are printed, and no more of them once the reader is gone', async () => {
  for (const format of ['table', 'json', 'ndjson', 'csv'] as const) {
    let taken = 0;
    const endless = function* (): Generator<PlanEntryView> {
      for (;;) {
        taken += 1;
        yield entry();
      }
    };
    let written = 0;
    const stream = new Writable({
      write(_chunk, _encoding, done) {
        written += 1;
        done(written > 5 ? Object.assign(new Error('gone'), { code: 'EPIPE' }) : null);
      },
    });
    await printPlanDiff(endless(), { format, stream, color: false, show: valueShower(FIELDS, false) });
    expect(taken).toBeLessThan(20);
  }
});
