import { describe } from 'vitest';
import { testFaults } from './fault-matrix.ts';
import { FAULTS } from './fault-table.ts';

/**
 * Seven guests without barcodes. Nothing tells one of them from another in the service, so that whoever
 * is in doubt is never sent again: the row is listed as uncertain, and the exit code is 5.
 */
describe('a fault among rows without barcodes', () => {
  testFaults(FAULTS, { upsert: 'update', barcodes: false }, ['middle']);
});
