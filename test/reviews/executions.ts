import type { ExecutionRow } from '../../src/store/agents/executions.ts';
import { type TestWorkspace, testApp } from '../service/harness.ts';

export const RUN = '/v2/agents/execution/run';
export const GET = '/v2/agents/execution/get';
export const LIST = '/v2/agents/execution/list';
export const COUNT = '/v2/agents/execution/count';

/** Creates an agent that checks links, a simple agent that can run. */
export async function newAgent(w: TestWorkspace, more: object = {}): Promise<string> {
  const { agentId } = await w.must('/v2/agents/create', {
    name: 'Links',
    contextGathering: { strategies: ['none'] },
    execution: { executionStrategy: 'service', serviceId: 'broken-links' },
    ...more,
  });
  return agentId;
}

export async function addDocuments(w: TestWorkspace, ...documentIds: string[]): Promise<void> {
  await w.must('/v1/organizations/documents/add', {
    organizationId: 'o',
    documents: documentIds.map((documentId) => ({ documentId })),
  });
}

/** Starts a run that no worker picks up: it stays `running`. */
export async function start(w: TestWorkspace, request: object): Promise<string> {
  return (await w.must(RUN, { url: 'http://127.0.0.1:9/', ...request })).executionId;
}

/** Changes the row of an execution, such as its start time. */
export async function amend(w: TestWorkspace, executionId: string, change: Partial<ExecutionRow>) {
  const { deps } = await testApp();
  await deps.db
    .updateTable('executions')
    .set(change)
    .where('apiKeyId', '=', w.apiKeyId)
    .where('executionId', '=', executionId)
    .execute();
}

export async function remove(w: TestWorkspace, executionId: string) {
  const { deps } = await testApp();
  await deps.db
    .deleteFrom('executions')
    .where('apiKeyId', '=', w.apiKeyId)
    .where('executionId', '=', executionId)
    .execute();
}
