import { describe, expect, it } from 'vitest';
import { ColumnSurvey } from '../../../src/registration/evidence/column-survey.ts';
import { proposeMeaning } from '../../../src/registration/evidence/synonyms.ts';
import { valuesQuestions } from '../../../src/registration/evidence/values-question.ts';
import type { Cell } from '../../../src/registration/model/row.ts';
import type { QuestionRow } from '../../../src/registration/model/question.ts';
import { DEFAULT_REPAIRS, type RepairOptions } from '../../../src/registration/repairs/repair-options.ts';
import { event, field, mappingOf, persona } from '../persona-fixture.ts';

const expo = event(
  persona('visitor', [
    field('menu', 'choice', ['Meat', 'Fish']),
    field('needs', 'choice', ['Halal', 'Vegan'], true),
    field('name', 'name'),
  ]),
  persona('speaker', [field('menu', 'choice', ['Soup'])]),
);

function open(
  columns: Readonly<Record<string, readonly Cell[]>>,
  repairs: Partial<RepairOptions> = {},
  who?: string,
) {
  const survey = new ColumnSurvey(expo, { ...DEFAULT_REPAIRS, ...repairs }, who);
  const names = Object.keys(columns);
  const mapping = mappingOf(names);
  const height = Math.max(...Object.values(columns).map((cells) => cells.length));
  for (let at = 0; at < height; at += 1) {
    const cells = names.map((name) => columns[name]?.[at] ?? null);
    survey.add({ place: { file: 'a.csv', line: at + 2 }, columns: names, cells }, mapping);
  }
  return survey.result().choices;
}

const shown = ({ label, sample, chosen, answers }: QuestionRow) => [
  label,
  sample,
  chosen === undefined ? undefined : answers[chosen]?.value,
];

describe('texts that are none of the options', () => {
  it('are counted with their first lines, the most frequent first', () => {
    const menu = ['Fisch', 'Fleisch', ' fleisch ', 'Meat', 'FLEISCH', 'Fleisch', null];
    const [column] = open({ menu }, {}, 'visitor');
    expect(column?.open).toEqual([
      { text: 'Fleisch', rows: 4, lines: [3, 4, 6] },
      { text: 'Fisch', rows: 1, lines: [2] },
    ]);
  });

  it('are none where another persona of the rows has such an option, or something is said of them', () => {
    expect(open({ menu: ['Soup'], persona: ['speaker'] })).toEqual([]);
    expect(open({ menu: ['Soup'] }, {}, 'visitor')).toHaveLength(1);
    const values = new Map([['menu', new Map([['fleisch', 'Meat']])]]);
    expect(open({ menu: ['Fleisch', 'Fisch'] }, { values }, 'visitor')[0]?.open).toMatchObject([
      { text: 'Fisch' },
    ]);
    const left = new Map([['menu', new Map([['fleisch', 'Fleisch']])]]);
    expect(open({ menu: ['Fleisch'] }, { values: left }, 'visitor')).toEqual([]);
  });

  it('are the parts of several that are none', () => {
    expect(
      open({ needs: ['Halal, vegetarisch', 'Vegan; Halal', 'keine'] }, {}, 'visitor')[0]?.open,
    ).toMatchObject([{ text: 'vegetarisch' }]);
  });

  it('are parts that no option is among where each part is told of by itself', () => {
    expect(
      open({ needs: ['hallal, vegetalien', 'vegetalien', 'Dr. Lee, Bonn'] }, {}, 'visitor')[0]?.open,
    ).toEqual([
      { text: 'vegetalien', rows: 2, lines: [2, 3] },
      { text: 'hallal', rows: 1, lines: [2] },
      { text: 'Dr. Lee, Bonn', rows: 1, lines: [4] },
    ]);
    expect(open({ needs: ['spicy + sweet', 'sweet', 'spicy'] }, {}, 'visitor')[0]?.open).toMatchObject([
      { text: 'spicy', rows: 2 },
      { text: 'sweet', rows: 2 },
    ]);
    const values = new Map([['needs', new Map([['spicy', 'spicy']])]]);
    expect(open({ needs: ['spicy / vegetalien'] }, { values }, 'visitor')[0]?.open).toMatchObject([
      { text: 'vegetalien' },
    ]);
    const menu = ['fleisch, fisch'];
    expect(open({ menu }, {}, 'visitor')[0]?.open).toMatchObject([{ text: 'fleisch, fisch' }]);
  });

  it('are no matter of choice where there are more than fifty, or too long ones', () => {
    const many = Array.from({ length: 51 }, (_, at) => `meal ${at}`);
    expect(open({ menu: many }, {}, 'visitor')).toEqual([]);
    expect(open({ menu: many.slice(1) }, {}, 'visitor')[0]?.open).toHaveLength(50);
    expect(open({ menu: ['x'.repeat(101)] }, {}, 'visitor')).toEqual([]);
  });

  it('may be personas and switches', () => {
    const columns = open({ persona: ['Besucher'], enable_comms: ['ja'] });
    expect(columns.map(({ column, choices }) => [column, choices.map(({ value }) => value)])).toEqual([
      ['persona', ['visitor', 'speaker']],
      ['enable_comms', ['true', 'false']],
    ]);
  });

  it('are asked about on one screen, which only proposes', () => {
    const columns = open({ menu: ['Fleisch', 'VIP', 'Fleisch'], needs: ['koscher'] }, {}, 'visitor');
    const [question, ...more] = valuesQuestions('a.csv', columns, 'line');
    expect(more).toEqual([]);
    expect(question).toMatchObject({
      kind: 'table',
      topic: 'values',
      text: 'a.csv: 3 values are none of the options of "menu", "needs". What do they mean?',
      rest: 0,
    });
    expect(question?.rows.map(shown)).toEqual([
      ['"Fleisch" in menu', '2 (line 2, 4)', ['menu', 'Fleisch', 'Meat']],
      ['"VIP" in menu', '1 (line 3)', undefined],
      ['"koscher" in needs', '1 (line 2)', undefined],
    ]);
    expect(question?.rows[1]?.answers.map(({ label, value }) => [label, value])).toEqual([
      ['undecided, row not sent', ['menu', 'VIP', 'VIP']],
      ['left blank', ['menu', 'VIP', '']],
      ['Meat label', ['menu', 'VIP', 'Meat']],
      ['Fish label', ['menu', 'VIP', 'Fish']],
    ]);
  });

  it('are told with what they most likely mean, where there is nobody to ask', () => {
    const columns = open({ enable_comms: ['WAHR', 'nein'] });
    const [question] = valuesQuestions('a.csv', columns, 'line');
    expect(question?.rows.map(({ told }) => told)).toEqual([
      'enable_comms "WAHR": true (a word for it)',
      'enable_comms "nein": false (a word for it)',
    ]);
  });

  it('are asked about on one screen, however many they are', () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `word ${at}`);
    const columns = open({ menu: words(15), needs: words(6) }, {}, 'visitor');
    expect(valuesQuestions('a.csv', columns, 'row').map(({ rows }) => rows.length)).toEqual([21]);
  });
});

describe('a proposal', () => {
  const choices = (...values: string[]) => values.map((value) => ({ value, label: value }));

  it.each([
    ['Fleisch', ['Meat', 'Fish', 'Vegetarian'], 'Meat'],
    ['végétarien', ['Meat', 'Fish', 'Vegetarian'], 'Vegetarian'],
    ['Vegi', ['Meat', 'Vegetarian', 'Vegan'], 'Vegetarian'],
    ['ja', ['Yes', 'No'], 'Yes'],
    ['Não', ['Yes', 'No'], 'No'],
    ['Sra.', ['Mr', 'Ms'], 'Ms'],
    ['mittel', ['S', 'M', 'L'], 'M'],
    ['sin gluten', ['Gluten free', 'Halal'], 'Gluten free'],
    ['Student*in', ['Student', 'Press'], 'Student'],
    ['Standrad', ['Standard', 'Press'], 'Standard'],
    ['Standardticket', ['Standard', 'Press'], 'Standard'],
    ['Student ticket', ['Student', 'Press'], 'Student'],
    ['Pressekarte', ['Student', 'Press'], 'Press'],
    ['VIP-Ticket', ['Standard', 'Premium'], undefined],
    ['Ticket', ['Standard', 'Premium'], undefined],
    ['Fischgericht', ['Meat', 'Fish', 'Vegetarian'], 'Fish'],
    ['Fleischgericht', ['Meat', 'Fish', 'Vegetarian'], 'Meat'],
    ['Vegetarisches Gericht', ['Meat', 'Fish', 'Vegetarian'], 'Vegetarian'],
    ['veganes Menü', ['Meat', 'Vegetarian', 'Vegan'], 'Vegan'],
    ['Fischessen', ['Meat', 'Fish'], 'Fish'],
    ['Fisch', ['Meat dish', 'Fish dish'], 'Fish dish'],
    ['Fleischgericht', ['Meat dish', 'Fish dish'], 'Meat dish'],
    ['Tagesgericht', ['Meat', 'Fish'], undefined],
    ['Gericht', ['Meat', 'Fish'], undefined],
    ['Vlees', ['Meat', 'Fish'], 'Meat'],
    ['keine', ['None', 'Meat'], 'None'],
    ['VIP', ['Standard', 'Premium'], undefined],
    ['Standard (free of charge)', ['Standard', 'Premium'], 'Standard'],
    ['Premium – €120 incl. dinner', ['Standard', 'Premium'], 'Premium'],
    ['Press accreditation', ['Standard', 'Press'], 'Press'],
    ['Standard Plus (2 days)', ['Standard', 'Standard Plus'], 'Standard Plus'],
    ['Standard or Premium', ['Standard', 'Premium'], undefined],
    ['Menu without fish', ['Meat', 'Fish'], undefined],
    ['Ja, gerne', ['Yes', 'No'], 'Yes'],
    ['No, thanks', ['Yes', 'No'], 'No'],
    ['We sit on chairs', ['Yes', 'No'], undefined],
    ['Studierende (mit Nachweis)', ['Standard', 'Student'], 'Student'],
    ['VIP', ['Standard', 'VIP lounge'], 'VIP lounge'],
    ['VIP', ['VIP lunch', 'VIP lounge'], undefined],
    ['Mikrofon', ['Microphone (handheld)', 'Projector'], 'Microphone (handheld)'],
    ['Mikrofon', ['No microphone', 'Projector'], undefined],
    ['Vortrag', ['Workshop', 'Talk'], 'Talk'],
    ['WAHR', ['true', 'false'], 'true'],
    ['WAAR', ['true', 'false'], 'true'],
    ['VERDADEIRO', ['true', 'false'], 'true'],
    ['Fałsz', ['true', 'false'], 'false'],
    ['Fleisch', ['Beef', 'Meat'], undefined],
  ])('of %j among %j is %j', (text, values, meaning) => {
    expect(proposeMeaning(text, choices(...values))?.value).toBe(meaning);
  });
});
