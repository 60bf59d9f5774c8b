import { Counter, Gauge } from 'prom-client';

export const streamsOpen = new Gauge({
  name: 'redpen_event_streams_open',
  help: 'Streams of live events that this process serves at the moment.',
  registers: [],
});

export const eventsSent = new Counter({
  name: 'redpen_event_stream_events_total',
  help: 'Live events that were sent, one for each stream that got it, by event.',
  labelNames: ['event'],
  registers: [],
});

export const streamsEnded = new Counter({
  name: 'redpen_event_streams_ended_total',
  help: 'Streams of live events that this side ended, by reason: token, organization, document, restart, slow.',
  labelNames: ['reason'],
  registers: [],
});

export const streamsRefused = new Counter({
  name: 'redpen_event_streams_refused_total',
  help: 'Streams of live events that were refused, by what has as many as it may have: key, user.',
  labelNames: ['reason'],
  registers: [],
});

export const feedMeters = [streamsOpen, eventsSent, streamsEnded, streamsRefused];
