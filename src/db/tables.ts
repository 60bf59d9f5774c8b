import type { Kysely, Transaction } from 'kysely';
import type { ActivityTables } from './tables/activities.ts';
import type { AgentTables } from './tables/agents.ts';
import type { DocumentTables } from './tables/documents.ts';
import type { ExecutionTables } from './tables/executions.ts';
import type { JudgmentTables } from './tables/judgments.ts';
import type { KnowledgeTables } from './tables/knowledge.ts';
import type { LiveTables } from './tables/live.ts';
import type { MemoryInsightTables } from './tables/memory-insights.ts';
import type { NotificationTables } from './tables/notifications.ts';
import type { PlatformTables } from './tables/platform.ts';
import type { UserTables } from './tables/users.ts';
import type { WebhookTables } from './tables/webhooks.ts';
import type { WorkspaceTables } from './tables/workspaces.ts';

export interface Tables
  extends WorkspaceTables,
    DocumentTables,
    UserTables,
    NotificationTables,
    ActivityTables,
    AgentTables,
    ExecutionTables,
    LiveTables,
    JudgmentTables,
    KnowledgeTables,
    MemoryInsightTables,
    WebhookTables,
    PlatformTables {}

/** For reads: each query on a connection of its own. */
export type Db = Kysely<Tables>;
/** For writes: one open transaction. A `Db` is none, so a writing function cannot be called without one. */
export type Tx = Transaction<Tables>;
