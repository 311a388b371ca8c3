import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The tests of what decides: `npm run test:mutation` runs them against each change that it makes, so they are quick. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: [
      'test/service/http/outcome.test.ts',
      'test/registration/changes/*.test.ts',
      'test/sync/decide/*.test.ts',
      'test/pacing/*.test.ts',
      'test/pacing/shared/*.test.ts',
    ],
    // Instrumented code is slow, and so is a machine that does something else besides.
    testTimeout: 60_000,
    // Whole pushes, and worlds at random: too long for each of some thousand changes.
    exclude: [
      'test/pacing/simulated*.test.ts',
      'test/pacing/promises.test.ts',
      'test/pacing/pacer-{answers,budget,memory,memory-nonsense}.test.ts',
      'test/pacing/shared-ledger-any-order.test.ts',
    ],
  },
});
