import { expect, test } from 'vitest';
import { PrintedUrls } from '../../../src/webhooks/receive/tunnel.ts';

test.each([
  ['Visit https://docs.example/start.\n', ['https://docs.example/start']],
  ['|  https://a-b.example  |\r\n', ['https://a-b.example']],
  ['\u001B[32mhttps://green.example\u001B[0m\n', ['https://green.example']],
  ['(see https://a.example/x), "https://b.example"\n', ['https://b.example', 'https://a.example/x']],
  ['https://out.example -> http://localhost:4040\n', ['http://localhost:4040', 'https://out.example']],
  ['https://a.example\nhttps://b.example\nhttps://a.example\n', ['https://a.example', 'https://b.example']],
  ['nothing at all http:// https://\n', []],
])('%j', (text, found) => {
  const urls = new PrintedUrls();
  for (const character of text) urls.take(character);
  expect(urls.inOrder()).toEqual(found);
});

test('a line that does not end is read when nothing follows', () => {
  const urls = new PrintedUrls();
  expect(urls.take('at https://half.exam')).toBe(false);
  expect(urls.take('ple')).toBe(false);
  expect([urls.endLine(), urls.inOrder()]).toEqual([true, ['https://half.example']]);
});

test('however much is printed, little is kept', () => {
  const urls = new PrintedUrls();
  for (let nth = 0; nth < 1000; nth += 1) urls.take(`https://a${nth}.example/${'x'.repeat(250)}\n`);
  urls.take('y'.repeat(5_000_000));
  urls.take('\nhttps://last.example\n');
  expect([urls.inOrder().length, urls.inOrder()[0]]).toEqual([50, 'https://last.example']);
});
