import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './test/patience.ts';
import { SlowFirst } from './test/slow-first.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'integrations/**/*.test.ts', 'packages/**/*.test.ts', 'test/**/*.test.ts'],
    // Tests that need a separate server or the packages in `compat` run by `npm run test:compat`.
    exclude: [...configDefaults.exclude, 'test/compat/**', 'test/compat-clients/**'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    // The files of a worker share its process and database, so a test owns a workspace, not a database.
    isolate: false,
    // Three more than processors, because many files wait for browsers and child processes. With five more, a run takes
    // longer on two processors.
    maxWorkers: Math.min(6, availableParallelism() + 3),
    sequence: { sequencer: SlowFirst },
    // Far longer than a test takes on a busy machine; they only end tests that hang.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: PATIENCE_MS, interval: 20 } },
  },
});
