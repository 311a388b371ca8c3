import { defineConfig } from 'vitest/config';

/**
 * For the night: the same faults against services that treat a known barcode otherwise than most, clones of every
 * service, and what a release has made.
 */
const NIGHTLY = [
  ...['double', 'ignore', 'refuse'].map((rule) => `test/faults/barcodes-${rule}.test.ts`),
  'test/commands/rehearse/rehearsal-switches.test.ts',
  'test/commands/rehearse/clone-many.test.ts',
  'test/release/archives.test.ts',
];

export default defineConfig({
  test: {
    // One less than there are, as is the default, would be one on two cores.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/model/scenarios-*.test.ts', ...NIGHTLY],
          // No module of src has state of its own, so that files need not load all of it anew: a quarter of the time.
          isolate: false,
          setupFiles: 'test/support/let-go.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'nightly',
          include: NIGHTLY,
          testTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'model',
          include: ['test/model/scenarios-*.test.ts'],
          testTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
