import { expect, test } from 'vitest';
import { splitName } from '../../../src/registration/repairs/split-name.ts';

test.each([
  ['Anna Schmidt', 'Anna', 'Schmidt'],
  ['Anna Maria Schmidt', 'Anna Maria', 'Schmidt'],
  ['  Anna\u00A0 Schmidt ', 'Anna', 'Schmidt'],
  ['Schmidt, Anna', 'Anna', 'Schmidt'],
  ['van der Berg, Jan Piet', 'Jan Piet', 'van der Berg'],
  ['Dr. Jan van der Berg', 'Dr. Jan', 'van der Berg'],
  ['Jan Van Der Berg', 'Jan', 'Van Der Berg'],
  ['Ursula von der Leyen', 'Ursula', 'von der Leyen'],
  ['José Ortega y Gasset', 'José', 'Ortega y Gasset'],
  ['Ana y Gasset', 'Ana', 'y Gasset'],
  ['Al Gore', 'Al', 'Gore'],
  ['de Vries', '', 'de Vries'],
  ['John Smith Jr.', 'John', 'Smith Jr.'],
  ['Anna Schmidt, Ph.D.', 'Anna', 'Schmidt, Ph.D.'],
  ['Smith Jr., John', 'John', 'Smith Jr.'],
  ['Tom Jones jun.', 'Tom', 'Jones jun.'],
  ['Ludwig Meyer Sen.', 'Ludwig', 'Meyer Sen.'],
  ['Eva Roth M.A.', 'Eva', 'Roth M.A.'],
  ['Eva Roth, B.Sc.', 'Eva', 'Roth, B.Sc.'],
  ['Eva von Roth Dipl.-Ing.', 'Eva', 'von Roth Dipl.-Ing.'],
  ['Dipl.-Ing. Eva Roth', 'Dipl.-Ing. Eva', 'Roth'],
  ['Eva Roth MdB', 'Eva', 'Roth MdB'],
  ['Amartya Kumar Sen', 'Amartya Kumar', 'Sen'],
  ['Jack Yun Ma', 'Jack Yun', 'Ma'],
  ['Kim Min Jun', 'Kim Min', 'Jun'],
  ['Madonna', 'Madonna', ''],
  ['von', 'von', ''],
])('"%s" is "%s" and "%s"', (name, first, last) => {
  expect(splitName(name)).toEqual({ ok: true, value: { first, last } });
});

test.each([
  'Anna & Peter Schmidt',
  'Anna und Peter Schmidt',
  'Ana y Pedro García',
  'Kari og Ola Lie',
  'Schmidt/Meier',
])('"%s" is more than one name', (name) =>
  expect(splitName(name)).toMatchObject({ finding: { problem: 'holds more than one name' } }),
);

test.each(['Schmidt, Anna, Dr.', 'Schmidt,', ', Anna'])('"%s" is left to people', (name) => {
  expect(splitName(name)).toMatchObject({ finding: { remedy: 'write it as "Last name, First name"' } });
});

test.each([
  ['Jan Maier (VIP)', 'has something in brackets, so it is not split'],
  ['Maier, Jan [late]', 'has something in brackets, so it is not split'],
  ['Bo Li 🎉', 'has a part without a letter, so it is not split'],
  ['Bo Li 2', 'has a part without a letter, so it is not split'],
])('"%s" is left to people, since it %s', (name, problem) => {
  expect(splitName(name)).toMatchObject({ finding: { problem } });
});
