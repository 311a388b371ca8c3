import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pushBench, visitors } from '../sync/push-bench.ts';

const ROW = /^\| `([^`]+)` \| ([^|]+) \|$/;

/** They print nothing before a delivery was received, or there is somebody to send one to. */
const NEED_A_DELIVERY = new Set(['webhooks replay', 'webhooks trigger']);

/** What docs/settings.md says of piped tables, in its order. */
function documented(): [command: string, columns: string[]][] {
  const text = readFileSync('docs/settings.md', 'utf8');
  const lines = text.slice(text.indexOf('| command | columns |')).split('\n\n')[0]?.split('\n') ?? [];
  return lines.flatMap((line) => {
    const [, command = '', columns = ''] = ROW.exec(line) ?? [];
    return command === ''
      ? []
      : [[command, [...columns.matchAll(/`([\w ]+)`/g)].map(([, name = '']) => name)]];
  });
}

test('the columns of piped tables are those that are documented, in that order', async () => {
  const bench = await pushBench();
  const { summary } = await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
  const token = 'a-token-of-a-test';
  await bench.run(['login', '--base-url', 'http://127.0.0.1:9/api', '--token-stdin'], { stdinText: token });
  const all = documented();
  expect(all.length).toBeGreaterThan(10);
  for (const [command, columns] of all.filter(([command]) => !NEED_A_DELIVERY.has(command))) {
    const argv = command.replace('RUN', summary.run ?? '').split(' ');
    const more = argv[0] === 'delete' ? ['--barcode', 'A', '--yes'] : argv[1] === 'undo' ? ['--dry-run'] : [];
    if (command === 'webhooks verify') more.push('--body', join(bench.directory, 'a.csv'), '--secret-stdin');
    const { out } = await bench.run([...argv, ...more], { stdinText: 'a secret' });
    const head = out.split('\n')[0]?.split('\t') ?? [];
    expect([command, head.slice(0, columns.length)]).toEqual([command, columns]);
    // Only `list` has more: the fields of the event.
    if (command !== 'list') expect([command, head.length]).toEqual([command, columns.length]);
    else expect(head.length).toBeGreaterThan(columns.length);
  }
});
