import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The tests of what decides: `npm run test:mutation` runs them against each change that it makes. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: [
      'test/service/outcome.test.ts',
      'test/registration/{field-change,same-value}.test.ts',
      'test/push/{plan-row,judge-found,judge-pilot,judge-audit,delete-guard}.test.ts',
    ],
  },
});
