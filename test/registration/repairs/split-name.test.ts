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
  ['Madonna', 'Madonna', ''],
  ['von', 'von', ''],
])('"%s" is "%s" and "%s"', (name, first, last) => {
  expect(splitName(name)).toEqual({ ok: true, value: { first, last } });
});

test.each(['Anna & Peter Schmidt', 'Anna und Peter Schmidt', 'Ana y Pedro García', 'Schmidt/Meier'])(
  '"%s" is more than one name',
  (name) => expect(splitName(name)).toMatchObject({ finding: { problem: 'holds more than one name' } }),
);

test.each(['Schmidt, Anna, Dr.', 'Schmidt,', ', Anna'])('"%s" is left to people', (name) => {
  expect(splitName(name)).toMatchObject({ finding: { remedy: 'write it as "Last name, First name"' } });
});
