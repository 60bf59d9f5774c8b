import { Counter, Histogram } from 'prom-client';
import { isBuiltin } from '../agents/builtin/index.ts';

/** Metrics of executions; the metrics endpoint registers them. */
export const executionsEnded = new Counter({
  name: 'redpen_executions_total',
  help: 'Executions that ended, by agent and status: passed, failed (with findings), partial, error, skipped. Counted by the process that ends the execution.',
  labelNames: ['agent', 'status'],
  registers: [],
});

export const executionSeconds = new Histogram({
  name: 'redpen_execution_duration_seconds',
  help: 'Time from the request to the end of an execution, including the wait for a worker, by agent.',
  labelNames: ['agent'],
  buckets: [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600],
  registers: [],
});

export const pagesReviewed = new Counter({
  name: 'redpen_execution_pages_total',
  help: 'Pages of executions, by agent and outcome: completed, failed.',
  labelNames: ['agent', 'outcome'],
  registers: [],
});

export const pageSeconds = new Histogram({
  name: 'redpen_page_duration_seconds',
  help: 'Time for the review of one page by one agent, failed or not, by agent.',
  labelNames: ['agent'],
  buckets: [0.1, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320],
  registers: [],
});

export const findingsReported = new Counter({
  name: 'redpen_findings_total',
  help: 'Findings of executions that ended, by agent and severity.',
  labelNames: ['agent', 'severity'],
  registers: [],
});

export const reviewMetrics = [
  executionsEnded,
  executionSeconds,
  pagesReviewed,
  pageSeconds,
  findingsReported,
];

/** Id of a built-in agent; custom agents share one label, since their number is unbounded. */
export const agentLabel = (agentId: string): string => (isBuiltin(agentId) ? agentId : 'custom');
