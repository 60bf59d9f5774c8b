import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowFirst } from './test/slow-first.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // What needs a server of its own is tried by `npm run test:compat`.
    exclude: [...configDefaults.exclude, 'test/compat/**'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    // The files of a worker share its process and its database: a test owns a workspace, not a database.
    isolate: false,
    // One more than there are processors, since files wait for browsers and for what takes its time.
    maxWorkers: Math.min(6, availableParallelism() + 1),
    sequence: { sequencer: SlowFirst },
    // Ends of what hangs, which no busy machine comes near.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
