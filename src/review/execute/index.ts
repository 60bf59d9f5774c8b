import type { ExecutionStrategy } from '../core/execution-strategy.ts';
import { ai } from './ai.ts';
import { mcpTools } from './mcp-tools.ts';
import { service } from './service.ts';
import { serviceAi } from './service-ai.ts';
import { stagehandAgent } from './stagehand-agent.ts';

/** The strategies that this version can run. */
export const executionStrategies: readonly ExecutionStrategy[] = [
  ai,
  service,
  serviceAi,
  mcpTools,
  stagehandAgent,
];
