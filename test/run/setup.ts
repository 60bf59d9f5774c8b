import { afterAll, afterEach, inject } from 'vitest';
import { readOnly, urlOf, workerDatabase } from '../database/new-database.ts';
import { endFileSteps } from './at-end.ts';
import { endFile, endTest } from './log-watch.ts';

// Files that run at the same time share the server, but not a database.
const databases = inject('databases');
const database = workerDatabase(databases, Number(process.env.VITEST_POOL_ID));
process.env.DATABASE_URL = urlOf(databases, database);
if (databases.poolsTransactions) {
  const direct = urlOf({ ...databases, service: databases.admin }, database);
  process.env.DATABASE_DIRECT_URL = direct;
  process.env.DATABASE_REPLICA_URL = readOnly(direct);
}

afterEach(({ task }) => endTest(task.result?.state === 'fail'));

afterAll(async () => {
  await endFileSteps();
  endFile();
});
