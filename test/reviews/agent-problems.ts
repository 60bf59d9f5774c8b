import { parseData } from '../../src/http/request/parse.ts';
import { ApiError, type Issue } from '../../src/lib/errors.ts';
import { createGuard } from '../../src/outside/net/ssrf-guard.ts';
import { newAgent } from '../../src/review/agents/agent-shape/agent-shape.ts';

export const { checkUrl } = createGuard({ allowHosts: ['mcp.allowed.internal'] });

export const problems = (agent: Record<string, unknown>, schema = newAgent(checkUrl)): Issue[] => {
  try {
    parseData(schema, agent);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status !== 'INVALID_ARGUMENT') throw error;
    return (error.details as { issues: Issue[] }).issues;
  }
};
export const paths = (agent: Record<string, unknown>): string[] =>
  problems({ name: 'A', ...agent }).map(({ path }) => path.join('.'));

export const server = { id: 's', url: 'https://mcp.example.com/' };
export const endpoint = { description: 'Prices', url: 'https://api.example.com/{{sku}}' };
export const gather = (name: string, options: unknown) => ({
  contextGathering: { strategies: [name], strategyOptions: { [name]: options } },
});
export const restApi = (fields: object) => gather('rest-api', { endpoints: [{ ...endpoint, ...fields }] });
export const mcp = (fields: object) => ({
  instructions: 'Look it up.',
  execution: { executionStrategy: 'mcp-tools', mcpServers: [{ ...server, ...fields }] },
});
export const stagehand = (options: object) => ({
  contextGathering: { strategies: ['none'] },
  execution: { executionStrategy: 'stagehand-agent', strategyOptions: { 'stagehand-agent': options } },
});
export const linkReview = (options: object) => ({
  execution: {
    executionStrategy: 'service',
    serviceId: 'broken-links',
    strategyOptions: { 'broken-links': options },
  },
});
export const field = (fields: object) => ({
  input: { userContextFields: [{ id: 'f', title: 'F', type: 'string', ...fields }] },
});
export const crossPage = (fields: object) => ({
  scope: { crossPage: { enabled: true, targetProperty: 'price', pageDiscovery: 'auto', ...fields } },
});
export const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const REST = 'contextGathering.strategyOptions.rest-api';
export const STAGEHAND = 'execution.strategyOptions.stagehand-agent';
export const LINKS = 'execution.strategyOptions.broken-links';
