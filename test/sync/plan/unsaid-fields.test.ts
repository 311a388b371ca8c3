import { expect, test } from 'vitest';
import { fakePrompt } from '../../support/fake-runtime.ts';
import { pushBench } from '../push-bench.ts';
import { registerByHand } from '../service-hands.ts';

test('what updates leave out and nothing shows is said before one leaves, and once', async () => {
  const bench = await pushBench({ fieldsOnUpdate: 'replace' });
  const guest = { first_name: 'Ada', last_name: 'Ek', email: 'ada@example.com' };
  await registerByHand(bench, { persona: 'visitor', barcode: 'B1', fields: guest });
  const text = 'persona,barcode,First name,Last name,E-mail\nvisitor,B1,Ada,Ek,new@example.com\n';
  const file = bench.write('a.csv', text);
  const warning = /warning: No registration shows phone of visitor, .* more: eventreg cannot know/;
  const ended = await bench.push([file, '--yes']);
  expect([ended.code, ended.summary.updated]).toEqual([0, 1]);
  expect(ended.err).toMatch(warning);
  expect((await bench.push([file, '--yes'])).err).not.toMatch(warning);
  const again = await bench.push([bench.write('a.csv', text.replace('new@', 'newer@')), '--yes']);
  expect([again.summary.updated, again.err]).toEqual([1, expect.not.stringMatching(warning)]);
});

test('what this machine has sent is sent along: that is said', async () => {
  const bench = await pushBench({ misstored: 'dropped', fieldsOnUpdate: 'replace' });
  const full = 'persona,barcode,First name,E-mail,Company\nvisitor,B1,Ada,ada@example.com,Acme\n';
  const file = bench.write('a.csv', full);
  await bench.push([file]);
  expect((await bench.push([file])).err).toContain(
    'does not show company of visitor whole: whether it is there as',
  );
  const text = 'persona,barcode,First name,E-mail\nvisitor,B1,Eva,ada@example.com\n';
  const { err } = await bench.push([bench.write('b.csv', text), '--yes']);
  expect(err).toMatch(
    /The service does not show company of visitor whole: each update sends what .* since\./,
  );
  const [, open = ''] = /cannot know[^]*$/.exec(err) ?? [];
  expect(open).not.toContain('company');
  expect(bench.posts().at(-1)?.body).toContain('Acme');
});

test('whoever wants quiet is not told: nothing is wrong', async () => {
  const bench = await pushBench();
  const guest = { first_name: 'Ada', last_name: 'Ek', email: 'a@example.com' };
  await registerByHand(bench, { persona: 'visitor', barcode: 'B1', fields: guest });
  const text = 'persona,barcode,First name,Last name,E-mail\nvisitor,B1,Eva,Ek,a@example.com\n';
  const { code, err } = await bench.push([bench.write('a.csv', text), '--overwrite', '--quiet']);
  expect([code, err]).toEqual([0, '']);
});

test('where somebody is asked, what may be lost is said before, and not again', async () => {
  const bench = await pushBench();
  await registerByHand(bench, {
    persona: 'visitor',
    barcode: 'B1',
    fields: { first_name: 'Ada', email: 'a@example.com' },
  });
  const file = bench.write('a.csv', 'persona,barcode,First name,E-mail\nvisitor,B1,Eva,a@example.com\n');
  const { prompt, asked } = fakePrompt({ Send: false });
  const { err } = await bench.run(['push', file], { tty: true, prompt: async () => prompt });
  expect(err).toContain('eventreg cannot know');
  expect(asked.join()).toMatch(/^1 value differs/);
});
