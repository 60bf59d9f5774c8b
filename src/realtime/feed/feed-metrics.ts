import { Counter, Gauge } from 'prom-client';

export const streamsOpen = new Gauge({
  name: 'redpen_event_streams_open',
  help: 'Open live event streams of this process.',
  registers: [],
});

export const eventsSent = new Counter({
  name: 'redpen_event_stream_events_total',
  help: 'Live events sent, counted once per receiving stream, by event.',
  labelNames: ['event'],
  registers: [],
});

export const streamsEnded = new Counter({
  name: 'redpen_event_streams_ended_total',
  help: 'Live event streams ended by the service, by reason: token, organization, document, restart, slow.',
  labelNames: ['reason'],
  registers: [],
});

export const streamsRefused = new Counter({
  name: 'redpen_event_streams_refused_total',
  help: 'Live event streams refused, by the limit that was reached: key, user.',
  labelNames: ['reason'],
  registers: [],
});

export const feedMetrics = [streamsOpen, eventsSent, streamsEnded, streamsRefused];
