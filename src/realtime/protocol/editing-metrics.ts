import { Counter, Gauge, Histogram } from 'prom-client';

export const connectionsOpen = new Gauge({
  name: 'redpen_realtime_connections',
  help: 'Open WebSocket connections of live editors.',
  registers: [],
});

export const connectionsUnauthenticated = new Gauge({
  name: 'redpen_realtime_unauthenticated_connections',
  help: 'WebSocket connections of live editors that have not sent a valid token yet.',
  registers: [],
});

export const connectionsRefused = new Counter({
  name: 'redpen_realtime_refused_total',
  help: 'WebSocket connections refused before they were opened, by cause: address, process, stopping.',
  labelNames: ['cause'],
  registers: [],
});

export const connectionsWaiting = new Gauge({
  name: 'redpen_realtime_waiting_connections',
  help: 'Live connections that are paused because their API key is over its message budget.',
  registers: [],
});

export const messagesDelayed = new Counter({
  name: 'redpen_realtime_delayed_messages_total',
  help: 'Messages of live clients that waited because their API key was over its message budget.',
  registers: [],
});

export const documentsOpen = new Gauge({
  name: 'redpen_realtime_documents',
  help: 'Live editors whose content this process has in memory.',
  registers: [],
});

export const connectionsClosed = new Counter({
  name: 'redpen_realtime_closed_total',
  help: 'Live connections closed by the service, by cause.',
  labelNames: ['cause'],
  registers: [],
});

export const updatesStored = new Counter({
  name: 'redpen_realtime_updates_stored_total',
  help: 'Changes of live editors that were stored.',
  registers: [],
});

export const storeSeconds = new Histogram({
  name: 'redpen_realtime_store_duration_seconds',
  help: 'Time to store a batch of changes, including failed attempts.',
  buckets: [0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  registers: [],
});

export const oldestUnstored = new Gauge({
  name: 'redpen_realtime_oldest_unstored_seconds',
  help: 'Age of the oldest change that is not yet stored and acknowledged.',
  registers: [],
});

export const realtimeMetrics = [
  connectionsOpen,
  connectionsUnauthenticated,
  connectionsRefused,
  connectionsWaiting,
  messagesDelayed,
  documentsOpen,
  connectionsClosed,
  updatesStored,
  storeSeconds,
  oldestUnstored,
];
