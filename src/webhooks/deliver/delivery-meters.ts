import { Counter, Gauge, Histogram } from 'prom-client';

export const attemptsByOutcome = new Counter({
  name: 'redpen_webhook_attempts_total',
  help: 'Tries to deliver a webhook, by outcome: delivered, refused, timeout, unreachable, forbidden.',
  labelNames: ['outcome'],
  registers: [],
});

export const attemptSeconds = new Histogram({
  name: 'redpen_webhook_attempt_duration_seconds',
  help: 'Time from the connection to the end of the answer, of tries that were answered.',
  buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
  registers: [],
});

export const exhaustedMessages = new Counter({
  name: 'redpen_webhook_exhausted_total',
  help: 'Deliveries that were given up after their last try.',
  registers: [],
});

export const lanesAtWork = new Gauge({
  name: 'redpen_webhook_endpoints_active',
  help: 'Endpoints that this process delivers to at the moment.',
  registers: [],
});

export const sendsInFlight = new Gauge({
  name: 'redpen_webhook_in_flight',
  help: 'Webhooks that this process is sending at the moment.',
  registers: [],
});

export const sendsWaiting = new Gauge({
  name: 'redpen_webhook_waiting_endpoints',
  help: 'Endpoints that wait because their host, their API key or this process has as many webhooks in flight as it may have.',
  registers: [],
});

export const webhookMeters = [
  attemptsByOutcome,
  attemptSeconds,
  exhaustedMessages,
  lanesAtWork,
  sendsInFlight,
  sendsWaiting,
];
