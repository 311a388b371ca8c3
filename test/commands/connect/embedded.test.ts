import { describe, expect, test } from 'vitest';
import { main } from '../../../src/main.ts';
import { fakeRuntime, type FakeRuntime } from '../../support/fake-runtime.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const said = ({ err }: FakeRuntime): string => err().replaceAll('\n', ' ');

describe('what leaves this machine with --sandbox', () => {
  test('is nothing, but what is sent elsewhere by the command', async () => {
    const directory = temporaryDirectory();
    const first = fakeRuntime({ directory });
    await main(['webhooks', 'trigger', '--sandbox', '--to', 'http://127.0.0.1:9/'], first.runtime);
    expect(said(first)).toContain('(sandbox): nothing leaves this machine. ');
    const other = fakeRuntime({ directory });
    const to = ['--to', 'http://hooks.invalid:9/x'];
    await main(['webhooks', 'trigger', '--sandbox', ...to], other.runtime);
    expect(said(other)).toContain('nothing leaves this machine but what is delivered to hooks.invalid. ');
  });

  test('is what a webhook of the sandbox gets elsewhere', async () => {
    const directory = temporaryDirectory();
    const first = fakeRuntime({ directory });
    const url = ['--url', 'https://hooks.example.com/x?key=1', '--trigger', 'registration.updated'];
    expect(await main(['webhooks', 'create', '--sandbox', ...url], first.runtime)).toBe(0);
    expect(said(first)).toContain('but what is delivered to hooks.example.com. ');
    const later = fakeRuntime({ directory });
    await main(['event', '--sandbox'], later.runtime);
    expect(said(later)).toContain('but what is delivered to hooks.example.com. ');
    await main(['webhooks', 'update', '1', '--sandbox', '--inactive'], later.runtime);
    const last = fakeRuntime({ directory });
    await main(['event', '--sandbox'], last.runtime);
    expect(`${said(last)} `).toContain('nothing leaves this machine. ');
  });
});
