import { expect, test } from 'vitest';
import { together } from '../../../src/commands/push/one-screen.ts';
import { answerOf, type QuestionRow, type TableQuestion } from '../../../src/registration/model/question.ts';

const row = (label: string, chosen?: number): QuestionRow => ({
  label,
  sample: '',
  chosen,
  answers: [answerOf('undecided', 'nothing', label), answerOf('blank', 'nothing', 'blank')],
});
const table = (text: string, ...rows: QuestionRow[]): TableQuestion => ({
  ...({ kind: 'table', topic: 'values', text, details: [], headings: ['', '', ''] } as const),
  rows,
  rest: 0,
});

test('What is likely stands below the values that are open, on one screen', () => {
  const open = { ...table('open?', row('VIP')), rest: 0 };
  const likely = {
    ...table('likely?', row('ingen', 0)),
    rows: [{ ...row('ingen', 0), answers: [answerOf('left', 'totalsRows', 'left-out')] }],
  };
  const [screen, ...more] = together([likely, open]);
  expect(more).toEqual([]);
  expect(screen).toMatchObject({ text: 'open?', details: ['likely?'], rest: 0 });
  expect((screen as TableQuestion).rows.map(({ label }) => label)).toEqual(['VIP', 'ingen']);
});
