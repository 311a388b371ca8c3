import { expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { pushBench } from '../../sync/push-bench.ts';

const refused = (seconds: number) => ({
  answer: { status: 429, headers: { 'retry-after': String(seconds) }, body: '{}' },
});

test.each([['list'], ['event'], ['webhooks']])('%s says once how long it waits', async (command) => {
  const bench = await pushBench();
  bench.service.fault = ({ nth }) => (nth === 0 ? refused(90) : undefined);
  const { code, err } = await bench.run([command]);
  expect(code).toBe(EXIT.done);
  expect(err.match(/Waiting 1 min 30 s for the request budget\./g)).toHaveLength(1);
});

test('a wait before another try is said as well, a short one is not, and nothing with --quiet', async () => {
  const bench = await pushBench();
  const busy = (seconds: number) => ({
    answer: { status: 503, headers: { 'retry-after': String(seconds) }, body: '{}' },
  });
  const wait = async (seconds: number, ...argv: string[]): Promise<string> => {
    let refusals = 0;
    bench.service.fault = () => (refusals++ === 0 ? busy(seconds) : undefined);
    return (await bench.run(['event', ...argv])).err;
  };
  expect(await wait(90)).toContain('Waiting 1 min 30 s to try again.');
  expect(await wait(4)).not.toContain('Waiting');
  expect(await wait(90, '--quiet')).toBe('');
});
