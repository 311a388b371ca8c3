import { expect, test } from 'vitest';
import { pushBench } from '../push-bench.ts';

test('Columns under other names are told in one line, however many there are', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'Vorname,Nachname,Firma,Ort,Handy\nAda,Alt,Acme,,+34600000000\n');
  const argv = ['push', file, '--persona', 'visitor', '--dry-run', '--ignore-column', 'Ort'];
  expect((await bench.run(argv)).err).toContain(
    'Columns: "Vorname" is First name, "Nachname" is Last name, "Firma" is Company and 1 more (--columns shows them).\n',
  );
  const few = bench.write('b.csv', 'Vorname,Nachname\nAda,Alt\n');
  const { err } = await bench.run(['push', few, '--persona', 'visitor', '--dry-run']);
  expect(err).toContain('Columns: "Vorname" is First name, "Nachname" is Last name.\n');
});
