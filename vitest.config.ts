import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // What needs a server of its own is there with that server.
    exclude: [
      ...configDefaults.exclude,
      ...(process.env.REDPEN_TEST_PGVECTOR_URL ? [] : ['test/compat/pgvector.test.ts']),
    ],
    setupFiles: ['test/setup.ts'],
    // One process for all files: a test owns a workspace, not a database, so one database serves them all.
    isolate: false,
    maxWorkers: 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
