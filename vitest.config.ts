// Three projects: `unit` is quick and needs nothing; `system` runs real models, servers, databases and browsers, one file at a time;
// `heavy` trains models and kills workers for many minutes (npm run test:heavy, before a release and nightly).
import { defineConfig } from 'vitest/config';

const heavy = [
  'test/contract/backend-transformers.test.ts',
  'test/system/training*.test.ts',
  'test/system/specialise-intents.test.ts',
  'test/system/specialise-stages.test.ts',
  'test/system/distributed-chaos.test.ts',
  'test/system/distributed-real-model.test.ts',
  // Needs the optional runtime: npm i --no-save --ignore-scripts onnxruntime-node
  'test/system/sentence-embedder.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'test/unit/**/*.test.ts', 'test/golden/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/contract/**/*.test.ts', 'test/e2e/**/*.test.ts', 'test/system/**/*.test.ts'],
          exclude: heavy,
          testTimeout: 300_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
      { test: { name: 'heavy', include: heavy, testTimeout: 1_800_000, hookTimeout: 1_800_000, fileParallelism: false } },
    ],
  },
});
