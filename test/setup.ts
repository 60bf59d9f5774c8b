import { afterAll, inject } from 'vitest';
import { urlOf, workerDatabase } from './new-database.ts';
import { closeSharedBrowser } from './one-browser.ts';

// Files that run at the same time share the server, but not a database.
const databases = inject('databases');
process.env.DATABASE_URL = urlOf(databases, workerDatabase(databases, Number(process.env.VITEST_POOL_ID)));

afterAll(closeSharedBrowser);
