import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // What needs a server of its own is there with that server.
    exclude: [
      ...configDefaults.exclude,
      ...(process.env.REDPEN_TEST_PGVECTOR_URL ? [] : ['test/compat/pgvector.test.ts']),
    ],
    setupFiles: ['test/setup.ts'],
    // The files of a worker share its process and its database: a test owns a workspace, not a database.
    isolate: false,
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
