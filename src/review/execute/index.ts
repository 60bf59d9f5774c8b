import { ai } from './ai.ts';
import { mcpTools } from './mcp-tools.ts';
import { service } from './service.ts';
import { serviceAi } from './service-ai.ts';
import { stagehandAgent } from './stagehand-agent.ts';
import type { ExecutionStrategy } from './strategy.ts';

/** The strategies that this version can run. */
export const executionStrategies: readonly ExecutionStrategy[] = [
  ai,
  service,
  serviceAi,
  mcpTools,
  stagehandAgent,
];
