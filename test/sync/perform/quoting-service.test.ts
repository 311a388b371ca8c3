import { expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { pushBench } from '../push-bench.ts';

test.each([16_000, 32_000])('A cell of %i characters in a refused row is one failed row', async (length) => {
  const bench = await pushBench();
  const cell = 'Augusta (Ada) [x] \\ King. '.repeat(length / 25);
  bench.service.fault = ({ method, body }) =>
    method === 'POST'
      ? { answer: { status: 422, body: JSON.stringify({ message: body, errors: { name: [cell, body] } }) } }
      : undefined;
  const lines = [
    'persona,barcode,First name,Last name,E-mail',
    `visitor,A,Ada,"${cell}",a@lovelace.example`,
    '',
  ];
  const ended = await bench.push([bench.write('a.csv', lines.join('\n'))]);
  expect(ended).toMatchObject({ code: EXIT.rejected, summary: { failed: 1 } });
  const shown = await bench.run(['runs', 'why', 'A']);
  for (const told of [ended.out, ended.err, shown.out, shown.err]) {
    expect(told).not.toMatch(/defect|Augusta/);
    expect(told.length).toBeLessThan(5_000);
  }
});

test('A service that quotes what it refuses tells nobody who it was, nor do the members of a parent', async () => {
  const bench = await pushBench();
  bench.service.fault = ({ method, body }) =>
    method === 'POST'
      ? {
          answer: {
            status: 422,
            body: JSON.stringify({ message: `refused ${body}` }),
            headers: { 'content-type': 'application/json' },
          },
        }
      : undefined;
  const lines = [
    'persona,barcode,parent_barcode,First name,Last name,E-mail',
    'visitor,A,,Augusta,Lovelace,augusta@lovelace.example',
    'visitor,B,A,Bob,Other,b@other.example',
    '',
  ];
  const ended = await bench.push([bench.write('a.csv', lines.join('\n'))]);
  expect(ended).toMatchObject({ code: EXIT.rejected, summary: { failed: 1, blocked: 1 } });
  const told = [ended.out, ended.err];
  for (const argv of [['show'], ['why', 'A'], ['why', 'B']]) {
    const [run] = bench.runs();
    const [verb = '', ...more] = argv;
    const { out, err } = await bench.run(['runs', verb, ...(verb === 'show' ? [run?.id ?? ''] : more)]);
    told.push(out, err);
  }
  const steps = bench.journal((journal) =>
    journal.all('SELECT detail FROM step UNION ALL SELECT sends FROM operation'),
  );
  told.push(JSON.stringify(steps));
  expect(told.join('\n')).toContain('L•••••••');
  expect(told.join('\n')).not.toMatch(/Augusta|Lovelace/i);
});
