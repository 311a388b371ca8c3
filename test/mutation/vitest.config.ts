import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The tests of what decides: `npm run test:mutation` runs them against each change that it makes. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: [
      'test/service/http/outcome.test.ts',
      'test/registration/changes/*.test.ts',
      'test/runs/judge/*.test.ts',
    ],
  },
});
