import { configDefaults, defineConfig } from 'vitest/config';
import suite, { redisTests } from './vitest.config.ts';

/** Tests of connections to the server: they also run over a PgBouncer that pools by session. */
export const connectionTests = ['test/compat/*.test.ts', 'src/db/**/*.test.ts'];

/** Tests of the whole service that depend on notifications and locks: they also run over one that pools by transaction. */
export const serviceTests = [
  'test/every-operation/valid.test.ts',
  'src/events/*.test.ts',
  'src/realtime/nodes.test.ts',
  'src/webhooks/nodes.test.ts',
];

/** Tests that depend on the version or settings of the server, or on the other servers. */
export const serverTests = [
  'test/compat/standby/*.test.ts',
  'src/store/**/*.test.ts',
  'src/realtime/log/compaction.test.ts',
  'src/webhooks/upkeep.test.ts',
  'test/list-plans.test.ts',
  'test/e2e/live-kill.test.ts',
  'test/e2e/webhook-delivery.test.ts',
  'src/memory/*.test.ts',
  'src/memory/{embedding,ranking,suggestions}/*.test.ts',
  ...redisTests,
  'src/api/memory/*.test.ts',
];

/** Connects with a startup parameter, which PgBouncer refuses. */
const readOnlyConnections = 'src/db/connections/replicas.test.ts';

/** Needs a server with pgvector, which few servers have; REDPEN_TEST_PGVECTOR_URL names it. */
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
        [...connectionTests, ...serviceTests, ...serverTests],
        process.env.REDPEN_TEST_PGVECTOR_URL ? [] : [pgvector],
      ),
      project('clients', 'test/compat/directly.ts', ['test/compat-clients/*.test.ts'], []),
      project('sessions', 'test/compat/over-pgbouncer.ts', connectionTests, [pgvector, readOnlyConnections]),
      project('transactions', 'test/compat/over-transactions.ts', serviceTests, []),
    ],
  },
});
