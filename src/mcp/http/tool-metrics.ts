import { Counter } from 'prom-client';

export const toolCalls = new Counter({
  name: 'redpen_assistant_tool_calls_total',
  help: 'Tool calls of AI assistants over MCP, by tool and outcome: OK or the status of the failure.',
  labelNames: ['tool', 'status'],
  registers: [],
});

export const toolMetrics = [toolCalls];
