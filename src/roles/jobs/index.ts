import { agentRun } from './agent-run.ts';
import { documentMigrate } from './document-migrate.ts';
import { maintenanceCountStored } from './maintenance-count-stored.ts';
import { maintenancePrune } from './maintenance-prune.ts';
import { maintenanceRetain } from './maintenance-retain.ts';
import { memberInvitation } from './member-invitation.ts';
import { memoryConsolidate } from './memory-consolidate.ts';
import { memoryIndex } from './memory-index.ts';
import { memoryKnowledgeIngest } from './memory-knowledge-ingest.ts';
import { notificationEmail } from './notification-email.ts';
import { reviewRun } from './review-run.ts';
import { sessionMail } from './session-mail.ts';
import { userDataDelete } from './user-data-delete.ts';
import { webhookOwnerEmail } from './webhook-owner-email.ts';

/** Every kind of background work. */
export const JOBS = [
  agentRun,
  reviewRun,
  documentMigrate,
  userDataDelete,
  notificationEmail,
  webhookOwnerEmail,
  sessionMail,
  memberInvitation,
  memoryKnowledgeIngest,
  memoryConsolidate,
  memoryIndex,
  maintenanceCountStored,
  maintenancePrune,
  maintenanceRetain,
] as const;
