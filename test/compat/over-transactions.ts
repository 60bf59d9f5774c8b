import type { TestProject } from 'vitest/node';
import { overPgBouncer } from './over-pgbouncer.ts';

/** The same over a PgBouncer that pools by transaction; what needs a session connects to the server itself. */
export default (project: TestProject): Promise<() => Promise<void>> => overPgBouncer(project, 'transaction');
