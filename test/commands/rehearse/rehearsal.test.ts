import { expect, test } from 'vitest';
import type { Switches } from '../../../src/sandbox/store/switches.ts';
import { liveEvent, nextList, planOf } from './rehearsal.ts';
import { casesOf } from '../../support/night.ts';

const GUESTS = 16;

/** Each answer that a service may give is for the night: `rehearsal-switches.test.ts`. */
const SERVICES: Partial<Switches>[] = [
  {},
  {
    idForm: 'number',
    listOrder: 'newest',
    pageShape: 'laravel',
    recordShape: 'flat',
    choicesListed: 'labels',
    valuesShape: 'objects-id-name',
  },
  { recordBarcode: 'hidden', uploads: 'signed', storedAs: 'tidied' },
];

test.each(casesOf(SERVICES, 2))(
  'a masked list has the same plan at a clone as its original has at the service: %j',
  async (switches) => {
    const bench = await liveEvent(switches, GUESTS);
    bench.write('next.csv', nextList(GUESTS));
    const made = await bench.run(['sandbox', 'clone', '--as', 'fair']);
    expect([made.code, made.err]).toEqual([
      0,
      expect.stringContaining('Clone fair of Harbour Trade Fair 2027'),
    ]);
    const masked = await bench.run(['sandbox', 'mask', 'next.csv']);
    expect([masked.code, masked.err]).toEqual([0, expect.stringContaining('rows masked')]);
    expect(await planOf(bench, 'next.masked.csv', '--sandbox=fair')).toBe(await planOf(bench, 'next.csv'));
  },
);
