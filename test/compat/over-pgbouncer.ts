import type { TestProject } from 'vitest/node';
import { createDatabases } from '../run/global-setup.ts';
import { openTestServer } from '../run/test-server.ts';
import { newPgBouncer } from './pgbouncer.ts';

/** Databases with default options; the service connects over PgBouncer, which pools by session. */
export default (project: TestProject): Promise<() => Promise<void>> => overPgBouncer(project, 'session');

export async function overPgBouncer(
  project: TestProject,
  mode: 'session' | 'transaction',
): Promise<() => Promise<void>> {
  const server = await openTestServer();
  const bouncer = newPgBouncer(mode);
  return await createDatabases(project, {
    admin: server.admin,
    service: bouncer.service,
    poolsTransactions: mode === 'transaction',
    prepare: bouncer.start,
    async stop() {
      await bouncer.stop();
      await server.stop();
    },
  });
}
