import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './test/run/patience.ts';
import { isThorough } from './test/run/rounds.ts';
import { SlowFirst } from './test/run/slow-first.ts';

/** Tests of the bus over Redis, which need one (REDPEN_TEST_REDIS_URL). */
export const redisTests = ['src/outside/redis/*.test.ts', 'src/roles/doctor/check-redis.test.ts'];

/**
 * Dear files that seldom find anything: kills in the middle of everything, ways of data through several services, examples
 * and docs, and what others check against their own suites. `npm test` leaves them out; `npm run test:all` and a run that
 * names files do not.
 */
const dearTests = [
  'src/roles/carry-over/carry-over.test.ts',
  'test/client/{restarts,store-restarts}.test.ts',
  'test/conformance/*.test.ts',
  'test/e2e/{backup,degraded,key-rotation,mcp-stdio}.test.ts',
  'test/e2e/{kill,migrate-kill,two-processes-kill,webhook-kill}.test.ts',
  'test/e2e/{example-app,example-backend,mend-example,pasted-demo,pasted-docs}.test.ts',
  'test/image.test.ts',
  'test/web/console-keyboard-manage.test.ts',
];

const namesFiles = process.argv.slice(2).some((word) => word.includes('/') || word.endsWith('.ts'));

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'integrations/**/*.test.ts', 'packages/**/*.test.ts', 'test/**/*.test.ts'],
    // Tests that need a separate server or the packages in `compat` run by `npm run test:compat`.
    exclude: [
      ...configDefaults.exclude,
      ...['test/compat/**', 'test/compat-clients/**', ...redisTests],
      ...(isThorough || namesFiles ? [] : dearTests),
    ],
    globalSetup: ['test/run/global-setup.ts'],
    setupFiles: ['test/run/setup.ts'],
    // The files of a worker share its process and database, so a test owns a workspace, not a database.
    isolate: false,
    // Modules are loaded by Node itself, as the service loads them: transforming and evaluating each takes twice the time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // One more than processors, because many files wait for browsers and child processes. With three more, a run takes
    // longer on two processors, and an eighth more processor time.
    maxWorkers: Math.min(6, availableParallelism() + 1),
    sequence: { sequencer: SlowFirst },
    // Far longer than a test takes on a busy machine; they only end tests that hang.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // The end of a run stops the services of the workers and the database server.
    teardownTimeout: 120_000,
    expect: { poll: { timeout: PATIENCE_MS, interval: 20 } },
  },
});
