import { expect, test } from 'vitest';
import { parseSwitches, DEFAULT_SWITCHES, SWITCHES } from '../../../src/sandbox/store/switches.ts';

test('reads names with values, numbers as numbers, the last of a name', () => {
  expect(parseSwitches(['limit=5', 'pageShape=array', 'limit=0'])).toEqual({ limit: 0, pageShape: 'array' });
  expect(parseSwitches([])).toEqual({});
});

test('a value that is not allowed: the error lists those that are', () => {
  expect(() => parseSwitches(['deleteStatus=201'])).toThrow(
    'The switch deleteStatus takes 200 | 204 | 404, not "201".',
  );
});

test.each(['0', '101', '-1', '5.5', '5 ', '', '0x5', '1e1'])('a number out of its range: %j', (value) => {
  expect(() => parseSwitches([`perPageCap=${value}`])).toThrow(
    `The switch perPageCap takes a whole number from 1 to 100, not ${JSON.stringify(value)}.`,
  );
});

test('a name that is none: the error lists all names', () => {
  for (const pair of ['colour=red', '__proto__=1', 'toString=1', '=1']) {
    expect(() => parseSwitches([pair])).toThrow(/There is no switch .*Switches: limit, windowMs, /);
  }
});

test('a name without a value', () => {
  expect(() => parseSwitches(['auth'])).toThrow('The switch auth needs a value: auth=… with ok | 401.');
});

test('the table tells every switch, and its initial value can be set', () => {
  expect(SWITCHES.map(({ name }) => name)).toEqual(Object.keys(DEFAULT_SWITCHES));
  const pairs = SWITCHES.map(({ name, initial }) => `${name}=${initial}`);
  expect(parseSwitches(pairs)).toEqual(DEFAULT_SWITCHES);
});
