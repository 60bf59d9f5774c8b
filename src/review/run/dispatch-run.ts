import type { Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import type { Jobs } from '../../jobs/queue.ts';
import { failedPrecondition, type Issue, invalidRequest, notFound } from '../../lib/errors.ts';
import { newExecutionId } from '../../lib/ids.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import type { RunRequest } from '../../shapes/agents/run.ts';
import { agentNotFound } from '../../store/agents/agents.ts';
import { PICK_UP_MS } from '../../store/agents/execution-leases.ts';
import { insertExecution, previousExecutionId } from '../../store/agents/executions.ts';
import { lockDocumentIfExists } from '../../store/documents/documents.ts';
import { bumpExecutionCount, loadAgent } from '../agents/load-agent.ts';

export interface Dispatch {
  agentId: string;
  url: string;
  organizationId?: string | undefined;
  documentId?: string | undefined;
  trigger: 'standalone' | 'workflow';
  ranBy?: { userId: string; name: string; email: string } | undefined;
  request: RunRequest;
}

/** Inserts an execution and enqueues it in the same transaction. Returns its id. */
export async function dispatchRun(tx: Tx, jobs: Jobs, scope: Scope, dispatch: Dispatch): Promise<string> {
  const { agentId, organizationId = '', documentId = '' } = dispatch;
  const agent = await loadAgent(tx, scope, agentId);
  if (!agent) throw agentNotFound(agentId);
  if (!agent.enabled) throw failedPrecondition(`The agent ${agentId} is disabled.`);
  refuseUnknownContext(agent.behavior as AgentBehavior, dispatch.request.userContext);
  refuseForeignOptions(agent.behavior as AgentBehavior, dispatch.request.strategyOptions ?? {});
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
    request: { ...dispatch.request, ...(previous !== undefined && { previousExecutionId: previous }) },
    trigger: dispatch.trigger,
    ranBy: dispatch.ranBy ?? null,
    outcome: {},
    startedAt,
    completedAt: null,
    leaseOwner: null,
    leaseUntil: startedAt + PICK_UP_MS,
    attempts: 0,
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
  await jobs.enqueue(tx, 'agent.run', { ...scope, executionId });
  return executionId;
}

/** Throws INVALID_ARGUMENT for options of services that the agent does not run. */
function refuseForeignOptions({ execution }: AgentBehavior, options: Fields): void {
  const foreign = Object.keys(options).filter((name) => name !== execution?.serviceId);
  if (foreign.length === 0) return;
  throw invalidRequest(
    foreign.map((name) => ({
      path: ['strategyOptions', name],
      code: 'unrecognized_key',
      message: `strategyOptions.${name} is for agents that run the service ${name}.`,
    })),
  );
}

/** Throws INVALID_ARGUMENT for context fields that the agent does not declare, or of another type. */
function refuseUnknownContext({ input }: AgentBehavior, userContext: Fields): void {
  const fields = new Map((input?.userContextFields ?? []).map((field) => [field.id, field.type]));
  const issues = Object.entries(userContext).flatMap(([key, value]): Issue[] => {
    const path = ['userContext', key];
    const type = fields.get(key);
    if (type === undefined) {
      return [
        {
          path,
          code: 'unrecognized_key',
          message: `userContext.${key} is not a field that the agent declares.`,
        },
      ];
    }
    return typeof value === type
      ? []
      : [{ path, code: 'invalid_type', message: `userContext.${key} must be a ${type}.` }];
  });
  if (issues.length > 0) throw invalidRequest(issues);
}
