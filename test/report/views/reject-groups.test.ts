import { expect, it } from 'vitest';
import { RejectGroups } from '../../../src/report/views/reject-groups.ts';

it.each([
  [['has the year 9999', 'has the year 1899', 'has the year 9998'], 'has the year …'],
  [['has 12 digits, not 13', 'has 11 digits, not 13'], 'has … digits, not 13'],
  [['is "a1" as in a.csv:3', 'is "b2" as in a.csv:9'], 'is … as in …'],
])('A group of %j says of no row what is of another: %s', (problems, told) => {
  const groups = new RejectGroups();
  for (const [at, problem] of problems.entries()) {
    const reason = { code: 'date-invalid' as const, column: 'Born', problem, personal: true };
    groups.add({ place: { file: 'a.csv', line: at + 2 }, reasons: [reason] });
  }
  expect(groups.view(9, () => []).groups.map(({ problem, rows }) => [problem, rows])).toEqual([
    [told, problems.length],
  ]);
});
