import { describe } from 'vitest';
import { testFaults } from './fault-matrix.ts';
import { FAULTS } from './fault-table.ts';

/**
 * Seven guests with barcodes, some of them members of others. The same command, given until it settles,
 * brings every one of them into the service exactly once, whatever happens to the request about one.
 */
describe('a fault where a create with a known barcode means update', () => {
  testFaults(FAULTS, { upsert: 'update', barcodes: true });
});
