// Two projects: `unit` is quick and needs nothing; `system` runs real models, servers and browsers, one file at a time.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'test/unit/**/*.test.ts', 'test/golden/**/*.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/contract/**/*.test.ts', 'test/e2e/**/*.test.ts', 'test/system/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
