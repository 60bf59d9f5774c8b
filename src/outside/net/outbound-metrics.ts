import { Counter, Gauge, Histogram } from 'prom-client';

/** Metrics of everything that leaves the process; `roles/collect-metrics.ts` registers them. */
export const browserLaunches = new Counter({
  name: 'redpen_browser_launches_total',
  help: 'Starts of Chromium, by outcome: started, failed.',
  labelNames: ['outcome'],
  registers: [],
});

// Each series starts at 0, since an alert on an increase does not see a series that appears with its first count.
for (const outcome of ['started', 'failed']) browserLaunches.inc({ outcome }, 0);

export const browsersRunning = new Gauge({
  name: 'redpen_browsers_running',
  help: 'Running Chromium browsers of this process.',
  registers: [],
});

export const browserPagesOpen = new Gauge({
  name: 'redpen_browser_pages_open',
  help: 'Pages that this process has open in the browser for reviews. The limit is REDPEN_MAX_PAGES.',
  registers: [],
});

export const browserPagesWaiting = new Gauge({
  name: 'redpen_browser_pages_waiting',
  help: 'Pages that wait for another page to be closed.',
  registers: [],
});

export const modelRequests = new Counter({
  name: 'redpen_model_questions_total',
  help: 'Requests to language models, by provider and outcome: answered, or the kind of failure.',
  labelNames: ['provider', 'outcome'],
  registers: [],
});

export const modelSeconds = new Histogram({
  name: 'redpen_model_question_duration_seconds',
  help: 'Time from a question to a language model to its answer or failure, with repetitions and tool calls, by provider.',
  labelNames: ['provider'],
  buckets: [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160],
  registers: [],
});

export const modelTokens = new Counter({
  name: 'redpen_model_tokens_total',
  help: 'Tokens used by language models, by provider and kind: prompt, completion, thoughts. Includes failed requests.',
  labelNames: ['provider', 'kind'],
  registers: [],
});

export const mails = new Counter({
  name: 'redpen_mail_attempts_total',
  help: 'Attempts to send an email, by carrier and outcome: sent, temporary (a failure that is retried) or permanent failure.',
  labelNames: ['carrier', 'outcome'],
  registers: [],
});

export const blobOperations = new Counter({
  name: 'redpen_blob_operations_total',
  help: 'Operations on stored files, by operation (put, get, delete) and outcome: done, failed.',
  labelNames: ['operation', 'outcome'],
  registers: [],
});

export const blobBytes = new Counter({
  name: 'redpen_blob_bytes_total',
  help: 'Bytes of stored files that were written or read, by operation: put, get.',
  labelNames: ['operation'],
  registers: [],
});

export const outsideMetrics = [
  browserLaunches,
  browsersRunning,
  browserPagesOpen,
  browserPagesWaiting,
  modelRequests,
  modelSeconds,
  modelTokens,
  mails,
  blobOperations,
  blobBytes,
];
