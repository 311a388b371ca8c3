import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LineWriter } from '../../../src/commands/connect/event-stream.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const NEVER = new AbortController().signal;
const LINES = Array.from({ length: 4000 }, (_, at) => `{"at":${at},"text":"${'x'.repeat(100)}"}\n`);

/** Both ends of a pipe; writing never waits. */
function openPipe(): { reader: number; writer: number } {
  const path = join(temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  const [reader, writer] = [constants.O_RDONLY, constants.O_WRONLY].map((how) =>
    openSync(path, how | constants.O_NONBLOCK),
  ) as [number, number];
  onTestFinished(() => [reader, writer].forEach((fd) => closeSync(fd)));
  return { reader, writer };
}

function readAll(fd: number): string {
  const bytes = Buffer.alloc(1_000_000);
  try {
    return bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, null));
  } catch {
    return '';
  }
}

test('what a full pipe does not take waits, and comes whole when it is read', async () => {
  const { reader, writer } = openPipe();
  const clock = fakeClock();
  const lines = new LineWriter(writer, clock);
  for (const line of LINES) lines.write(line);
  let got = '';
  const drained = lines.drain(NEVER);
  for (let turn = 0; turn < 100 && got.length < LINES.join('').length; turn += 1) {
    got += readAll(reader);
    await clock.advance(50);
  }
  await drained;
  expect([got, lines.failure]).toEqual([LINES.join(''), undefined]);
});

test('a pipe that nobody reads is waited for at the end only, and not for long', async () => {
  const { writer } = openPipe();
  const lines = new LineWriter(writer, fakeClock({ auto: true }));
  for (const line of LINES) lines.write(line);
  await lines.drain(NEVER);
  expect(lines.failure).toBe('nobody reads them');
});

test('a reader that is too far behind is given up, and Ctrl-C waits for none', async () => {
  const { writer } = openPipe();
  const lines = new LineWriter(writer, fakeClock());
  lines.write('x'.repeat(20_000_000));
  expect(lines.failure).toBe('their reader is too far behind');
  const others = new LineWriter(writer, fakeClock());
  others.write('x');
  await others.drain(AbortSignal.abort());
  expect(others.failure).toBe('nobody reads them');
});
