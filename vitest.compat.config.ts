import { configDefaults, defineConfig } from 'vitest/config';
import suite from './vitest.config.ts';

/** What depends on the version of the server, its settings, or the way there. */
const include = [
  'test/compat/*.test.ts',
  'test/every-operation/valid.test.ts',
  'test/list-plans.test.ts',
  'test/e2e/live-kill.test.ts',
  'test/e2e/webhook-delivery.test.ts',
  'src/db/*.test.ts',
  'src/events/*.test.ts',
  'src/memory/*.test.ts',
  'src/outside/redis-bus*.test.ts',
  'src/api/memory/*.test.ts',
  'src/store/*.test.ts',
  'src/realtime/nodes.test.ts',
  'src/realtime/upkeep.test.ts',
  'src/webhooks/nodes.test.ts',
  'src/webhooks/upkeep.test.ts',
];

/** This one comes to a server with pgvector by an address of its own; few servers have it. */
const pgvector = 'test/compat/pgvector.test.ts';

const project = (name: string, globalSetup: string, exclude: string[]) => ({
  extends: true as const,
  test: { name, include, exclude: [...configDefaults.exclude, ...exclude], globalSetup: [globalSetup] },
});

export default defineConfig({
  test: {
    ...suite.test,
    include: [],
    exclude: [],
    globalSetup: [],
    projects: [
      project('server', 'test/compat/directly.ts', process.env.REDPEN_TEST_PGVECTOR_URL ? [] : [pgvector]),
      project('pgbouncer', 'test/compat/over-pgbouncer.ts', [pgvector]),
    ],
  },
});
