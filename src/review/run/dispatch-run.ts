import type { Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import type { Jobs } from '../../jobs/queue.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { failedPrecondition, notFound } from '../../lib/errors.ts';
import { newExecutionId } from '../../lib/ids.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import type { PageAuth } from '../../shapes/agents/page-auth.ts';
import type { RunRequest } from '../../shapes/agents/run.ts';
import { agentNotFound } from '../../store/agents/agents.ts';
import { PICK_UP_MS } from '../../store/agents/execution-leases.ts';
import { insertExecution, previousExecutionId } from '../../store/agents/executions.ts';
import { lockDocumentIfExists } from '../../store/documents/documents.ts';
import { bumpExecutionCount, type LoadedAgent, loadAgent } from '../agents/load-agent.ts';
import { isSealedAuth, sealRunAuth, summarizeAuth } from '../agents/page-auth-secrets.ts';
import { refuseForeignFields } from './run-request.ts';

export interface Dispatch {
  agentId: string;
  url: string;
  organizationId?: string | undefined;
  documentId?: string | undefined;
  trigger: 'standalone' | 'workflow';
  ranBy?: { userId: string; name: string; email: string } | undefined;
  request: RunRequest;
  /** Credentials for the reviewed pages in the clear; they are stored sealed. */
  auth?: { value: PageAuth; keyring: Keyring } | undefined;
}

/** Inserts an execution and enqueues it in the same transaction. Returns its id. */
export async function dispatchRun(tx: Tx, jobs: Jobs, scope: Scope, dispatch: Dispatch): Promise<string> {
  const agent = await requireRunnable(tx, scope, dispatch.agentId);
  refuseForeignFields([agent.behavior as AgentBehavior], dispatch.request);
  const executionId = await insertRun(tx, scope, dispatch, agent);
  await jobs.enqueue(tx, 'agent.run', { ...scope, executionId });
  return executionId;
}

/** The agent of a run. Throws NOT_FOUND, or FAILED_PRECONDITION if it is disabled. */
export async function requireRunnable(tx: Tx, scope: Scope, agentId: string): Promise<LoadedAgent> {
  const agent = await loadAgent(tx, scope, agentId);
  if (!agent) throw agentNotFound(agentId);
  if (!agent.enabled) throw failedPrecondition(`The agent ${agentId} is disabled.`);
  return agent;
}

/** Inserts an execution and announces it. Another statement of the transaction enqueues its job. */
export async function insertRun(
  tx: Tx,
  scope: Scope,
  dispatch: Dispatch,
  agent: LoadedAgent,
  reviewId: string | null = null,
): Promise<string> {
  const { agentId, organizationId = '', documentId = '' } = dispatch;
  const document = { organizationId, documentId };
  if (documentId !== '' && !(await lockDocumentIfExists(tx, scope, document))) {
    throw notFound(`Document not found: ${documentId}`);
  }
  const startedAt = Date.now();
  const executionId = newExecutionId(startedAt);
  const seedUrl = new URL(dispatch.url).href;
  const previous = await previousExecutionId(tx, scope, { agentId, ...document, seedUrl });
  await insertExecution(tx, {
    apiKeyId: scope.apiKeyId,
    executionId,
    agentId,
    agentName: agent.name,
    agentVersion: agent.version,
    organizationId,
    documentId,
    status: 'running',
    seedUrl,
    request: {
      ...dispatch.request,
      ...storedAuth(dispatch, agent.behavior, { apiKeyId: scope.apiKeyId, executionId }),
      ...(previous !== undefined && { previousExecutionId: previous }),
    },
    trigger: dispatch.trigger,
    ranBy: dispatch.ranBy ?? null,
    outcome: {},
    startedAt,
    completedAt: null,
    leaseOwner: null,
    leaseUntil: startedAt + PICK_UP_MS,
    attempts: 0,
    reviewId,
  });
  await emit(tx, scope, 'agent_execution.started', {
    executionId,
    agentId,
    ...(documentId !== '' && document),
    agentName: agent.name,
    seedUrl,
    startedAt,
  });
  await bumpExecutionCount(tx, scope, agentId, startedAt);
  return executionId;
}

/** The credentials of the run, sealed; of those of its agent only what is shown of them. */
function storedAuth(
  { auth }: Dispatch,
  behavior: Fields,
  owner: { apiKeyId: string; executionId: string },
): Pick<RunRequest, 'auth'> {
  if (auth) return { auth: sealRunAuth(auth.value, auth.keyring, owner) };
  return isSealedAuth(behavior.auth) ? { auth: { shown: summarizeAuth(behavior.auth.shown) } } : {};
}
