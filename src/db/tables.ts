import type { Kysely, Transaction } from 'kysely';
import type { ActivityTables } from './tables/activity-tables.ts';
import type { AgentTables } from './tables/agent-tables.ts';
import type { AttachmentTables } from './tables/attachment-tables.ts';
import type { AuditTables } from './tables/audit-tables.ts';
import type { DocumentTables } from './tables/document-tables.ts';
import type { ExecutionTables } from './tables/execution-tables.ts';
import type { IdentityTables } from './tables/identity-tables.ts';
import type { JudgmentTables } from './tables/judgment-tables.ts';
import type { KnowledgeTables } from './tables/knowledge-tables.ts';
import type { LiveTables } from './tables/live-tables.ts';
import type { MemoryInsightTables } from './tables/memory-insight-tables.ts';
import type { NotificationTables } from './tables/notification-tables.ts';
import type { PlatformTables } from './tables/platform-tables.ts';
import type { ReviewTables } from './tables/review-tables.ts';
import type { UserTables } from './tables/user-tables.ts';
import type { WebhookTables } from './tables/webhook-tables.ts';
import type { WorkspaceTables } from './tables/workspace-tables.ts';

export interface Tables
  extends WorkspaceTables,
    DocumentTables,
    AttachmentTables,
    UserTables,
    NotificationTables,
    ActivityTables,
    AgentTables,
    ExecutionTables,
    ReviewTables,
    LiveTables,
    JudgmentTables,
    KnowledgeTables,
    MemoryInsightTables,
    WebhookTables,
    IdentityTables,
    AuditTables,
    PlatformTables {}

/** For reads. Every `Tx` is a `Db`, so a function that takes a `Db` also runs within a transaction. */
export type Db = Kysely<Tables>;
/**
 * For writes: an open transaction. A `Db` is not a `Tx`, so a writing function cannot be called without a
 * transaction.
 */
export type Tx = Transaction<Tables>;

export const isTransaction = (db: Db): db is Tx => db.isTransaction;
