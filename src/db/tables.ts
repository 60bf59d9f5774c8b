import type { Kysely, Transaction } from 'kysely';
import type { AgentTables } from './tables/agents.ts';
import type { DocumentTables } from './tables/documents.ts';
import type { ExecutionTables } from './tables/executions.ts';
import type { PlatformTables } from './tables/platform.ts';
import type { WorkspaceTables } from './tables/workspaces.ts';

export interface Tables
  extends WorkspaceTables,
    DocumentTables,
    AgentTables,
    ExecutionTables,
    PlatformTables {}

/** For reads: each query on a connection of its own. */
export type Db = Kysely<Tables>;
/** For writes: one open transaction. A `Db` is none, so a writing function cannot be called without one. */
export type Tx = Transaction<Tables>;
