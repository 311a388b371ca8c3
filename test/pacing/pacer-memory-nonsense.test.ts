import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pacer } from '../../src/pacing/pacer.ts';
import { type Client, START_MS } from '../support/rate/world.ts';
import { push, SECOND } from './any-world.ts';
import { experienced, SETTING } from './remembering.ts';
import { runsOf } from '../support/night.ts';

const RUNS = { numRuns: runsOf(200), seed: 20_260_115 };

/**
 * A push with a pacer of that memory; as the ledger does, it begins anew with an empty memory when the pacer
 * waits for requests that nobody knows of.
 */
function pushRemembering(memory: unknown): void {
  let pacer = new Pacer(memory);
  let underWay = 0;
  const client: Client = {
    delayMs(now, leave, wanted) {
      if (underWay === 0 && pacer.delayMs(now, leave, wanted) === Number.POSITIVE_INFINITY)
        pacer = new Pacer();
      const delayMs = pacer.delayMs(now, leave, wanted);
      expect(delayMs).not.toBeNaN();
      return delayMs;
    },
    sent(now) {
      underWay += 1;
      return pacer.sent(now);
    },
    answered(ticket, now, answer) {
      underWay -= 1;
      pacer.answered(ticket, now, answer);
    },
    lost: () => undefined,
  };
  const startMs = START_MS + 1000 * SECOND;
  const { stalled, accepted } = push({ ...SETTING, startMs }, { client, requests: 90 });
  expect([stalled, accepted]).toEqual([false, 90]);
}

describe('nonsense in the memory', () => {
  test('any JSON is as good as none, or worse by no more than time', () => {
    fc.assert(fc.property(fc.jsonValue(), pushRemembering), RUNS);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a list', [[]]],
    ['a text', '{}'],
    ['a function', () => 1],
    ['NaN', Number.NaN],
    ['an object without a prototype', Object.create(null)],
    ['an object with a prototype of its own', JSON.parse('{"__proto__": {"limit": 5}, "constructor": 1}')],
  ])('%s', (_, memory) => {
    pushRemembering(memory);
    expect(JSON.stringify(new Pacer(memory))).toBe(JSON.stringify(new Pacer()));
  });

  test('no part of a real memory that became something else does harm', () => {
    const memory = JSON.parse(JSON.stringify(experienced())) as unknown;
    const paths = pathsOf(memory);
    const nonsense = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(null, undefined, Number.NaN, -1, 0, 1e300, -1e300, 0.5, '', '7', true, [], {}, [
        [1, {}],
      ]),
    );
    fc.assert(
      fc.property(fc.constantFrom(...paths), nonsense, (path, value) => {
        pushRemembering(withValue(memory, path, value));
      }),
      RUNS,
    );
  });
});

type Path = readonly string[];

/** Ways to every part of a value. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]))].slice(
    0,
    400,
  );
}

/** A copy with one part replaced. */
function withValue(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const copy: Record<string, unknown> = Array.isArray(whole)
    ? ([...(whole as unknown[])] as unknown as Record<string, unknown>)
    : { ...(whole as Record<string, unknown>) };
  copy[key] = withValue(copy[key], rest, value);
  return copy;
}
