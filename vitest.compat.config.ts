import { configDefaults, defineConfig } from 'vitest/config';
import suite from './vitest.config.ts';

/** What depends on the way to the server: sessions, notifications, locks, prepared statements. */
const onTheWay = [
  'test/compat/*.test.ts',
  'test/every-operation/valid.test.ts',
  'src/db/*.test.ts',
  'src/events/*.test.ts',
  'src/store/**/*.test.ts',
  'src/realtime/nodes.test.ts',
  'src/realtime/log/compaction.test.ts',
  'src/webhooks/nodes.test.ts',
  'src/webhooks/upkeep.test.ts',
];

/** What depends on the version of the server or its settings, or on the servers beside it. */
const onTheServer = [
  'test/list-plans.test.ts',
  'test/e2e/live-kill.test.ts',
  'test/e2e/webhook-delivery.test.ts',
  'src/memory/*.test.ts',
  'src/outside/redis-bus*.test.ts',
  'src/api/memory/*.test.ts',
];

/** This one comes to a server with pgvector by an address of its own; few servers have it. */
const pgvector = 'test/compat/pgvector.test.ts';

const project = (name: string, globalSetup: string, include: string[], exclude: string[]) => ({
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
      project(
        'server',
        'test/compat/directly.ts',
        [...onTheWay, ...onTheServer],
        process.env.REDPEN_TEST_PGVECTOR_URL ? [] : [pgvector],
      ),
      project('pgbouncer', 'test/compat/over-pgbouncer.ts', onTheWay, [pgvector]),
    ],
  },
});
