import { expect, test } from 'vitest';
import { type Bench, pushBench } from './push-bench.ts';

const FAMILY = [
  'persona,First name,Last name,E-mail,Phone',
  'visitor,Anna,Albers,fam@example.com,+4917012345',
  'visitor,Bert,Albers,fam@example.com,+4917012346',
  '',
].join('\n');

/** As if the process had been killed before it could say how it ended. */
const killed = (bench: Bench): void =>
  bench.journal((journal) => void journal.run(`UPDATE run SET state = 'sending', ended_at = NULL`));

test.each([
  { switches: {}, isCut: false, why: 'not sent: this service knows people by e-mail' },
  {
    switches: { storedAs: 'capitals' } as const,
    isCut: false,
    why: 'not sent: this service knows people by e-mail',
  },
  { switches: {}, isCut: true, why: 'the service gave it registration reg-' },
  {
    switches: { storedAs: 'capitals' } as const,
    isCut: true,
    why: 'the service holds other values than the file',
  },
])(
  'a row whose registration became somebody else before a kill is not sent over that one: %j',
  async ({ switches, isCut, why }) => {
    const bench = await pushBench({ recognise: 'email', ...switches });
    const file = bench.write('family.csv', FAMILY);
    bench.service.fault = ({ method, nth }) => {
      // Nothing was seen any more of what came after the second request, and perhaps not even its answer.
      if (method === 'POST' && nth === 1 && isCut) return { passOn: true, answer: 'cut' };
      return method === 'GET' && bench.posts().length === 2 ? { answer: { status: 401 } } : undefined;
    };
    await bench.push([file, '--yes']);
    bench.service.fault = () => undefined;
    killed(bench);
    const again = await bench.push([file, '--yes']);
    expect(again.err).toContain(`family.csv:2 conflict: ${why}`);
    const last = await bench.push([file, '--yes']);
    if (isCut)
      expect(again.err).toMatch(
        /:3 uncertain: perhaps there: registration \S+ has its e-mail, with the id of another row/,
      );
    expect([again.code, last.code]).toEqual(isCut ? [5, 5] : [3, 3]);
    expect(bench.posts()).toHaveLength(2);
    expect(bench.kept().map(({ fields }) => fields)).toMatchObject([
      { first_name: 'Bert', phone: '+4917012346' },
    ]);
  },
);
