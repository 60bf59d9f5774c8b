import { Counter, Gauge, Histogram } from 'prom-client';

export const attemptsByOutcome = new Counter({
  name: 'redpen_webhook_attempts_total',
  help: 'Attempts to deliver a webhook, by outcome: delivered, refused, timeout, unreachable, forbidden.',
  labelNames: ['outcome'],
  registers: [],
});

export const attemptSeconds = new Histogram({
  name: 'redpen_webhook_attempt_duration_seconds',
  help: 'Time from the connection to the end of the response, for attempts with a response.',
  buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
  registers: [],
});

export const exhaustedMessages = new Counter({
  name: 'redpen_webhook_exhausted_total',
  help: 'Deliveries that failed on their last attempt.',
  registers: [],
});

export const activeEndpoints = new Gauge({
  name: 'redpen_webhook_endpoints_active',
  help: 'Webhook endpoints that this process currently delivers to.',
  registers: [],
});

export const sendsInFlight = new Gauge({
  name: 'redpen_webhook_in_flight',
  help: 'Webhooks that this process is currently sending.',
  registers: [],
});

export const waitingEndpoints = new Gauge({
  name: 'redpen_webhook_waiting_endpoints',
  help: 'Endpoints that wait because their host, their API key or this process has reached its limit of webhooks in flight.',
  registers: [],
});

export const webhookMetrics = [
  attemptsByOutcome,
  attemptSeconds,
  exhaustedMessages,
  activeEndpoints,
  sendsInFlight,
  waitingEndpoints,
];
