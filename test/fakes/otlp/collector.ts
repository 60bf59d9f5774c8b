import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { until } from '../../run/until.ts';
import { decodeMessage, REQUESTS } from './protobuf.ts';

type Attributes = Record<string, string | number | boolean>;

export interface ReceivedSpan {
  name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  attributes: Attributes;
  isError: boolean;
  ms: number;
  resource: Attributes;
}

export interface ReceivedPoint {
  attributes: Attributes;
  /** The value of a counter or gauge. */
  value?: number;
  histogram?: { bounds: number[]; counts: number[]; sum: number; count: number };
}

export interface ReceivedMetric {
  name: string;
  description: string;
  type: 'counter' | 'gauge' | 'histogram';
  points: ReceivedPoint[];
  resource: Attributes;
}

export interface OtlpCollector {
  url: string;
  requests: { path: string; headers: IncomingHttpHeaders }[];
  spans: ReceivedSpan[];
  /** The metrics of the latest export. */
  metrics: ReceivedMetric[];
  /** Waits for a span that meets a condition. */
  span(is: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
  /** From now on, requests get this status; `hangs` answers none of them. */
  answer(how: number | 'hangs'): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A collector that takes OTLP over HTTP on loopback, as protobuf or as JSON. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  let how: number | 'hangs' = 200;
  const requests: OtlpCollector['requests'] = [];
  const spans: ReceivedSpan[] = [];
  const metrics: ReceivedMetric[] = [];
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    const received = await buffer(request);
    requests.push({ path, headers });
    if (how === 'hangs') return;
    if (how !== 200) return void response.writeHead(how).end();
    const body = headers['content-encoding'] === 'gzip' ? gunzipSync(received) : received;
    const isJson = headers['content-type']?.startsWith('application/json') ?? false;
    const signal = path.endsWith('/metrics') ? 'metrics' : 'traces';
    const message = isJson ? JSON.parse(String(body)) : decodeMessage(body, REQUESTS[signal]);
    if (signal === 'traces') spans.push(...spansOf(message));
    else metrics.splice(0, Infinity, ...metricsOf(message));
    // An empty message means that everything is accepted.
    response.writeHead(200, { 'content-type': headers['content-type'] }).end(isJson ? '{}' : '');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans,
    metrics,
    async span(is) {
      await until(() => spans.some(is), 'a span');
      return spans.find(is)!;
    },
    answer(next) {
      how = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the fields of OTLP are read one by one.
type Json = any;

const attributesOf = (list: Json[] = []): Attributes =>
  Object.fromEntries(
    list.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  );

const spansOf = ({ resourceSpans = [] }: Json): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }: Json) =>
    scopeSpans.flatMap(({ spans }: Json) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId, attributes, status, ...times }: Json) => ({
        name,
        kind,
        traceId,
        spanId,
        parentSpanId: parentSpanId || undefined,
        attributes: attributesOf(attributes),
        isError: status?.code === 2,
        ms: Number(BigInt(times.endTimeUnixNano) - BigInt(times.startTimeUnixNano)) / 1e6,
        resource: attributesOf(resource.attributes),
      })),
    ),
  );

const metricsOf = ({ resourceMetrics = [] }: Json): ReceivedMetric[] =>
  resourceMetrics.flatMap(({ resource, scopeMetrics }: Json) =>
    scopeMetrics.flatMap(({ metrics }: Json) =>
      metrics.map(({ name, description, sum, gauge, histogram }: Json) => ({
        name,
        description,
        type: sum ? 'counter' : gauge ? 'gauge' : 'histogram',
        points: ((sum ?? gauge ?? histogram).dataPoints ?? []).map(pointOf),
        resource: attributesOf(resource.attributes),
      })),
    ),
  );

const pointOf = ({ attributes, asDouble, asInt, ...point }: Json): ReceivedPoint => ({
  attributes: attributesOf(attributes),
  ...(point.bucketCounts === undefined
    ? { value: Number(asDouble ?? asInt ?? 0) }
    : {
        histogram: {
          bounds: point.explicitBounds ?? [],
          counts: point.bucketCounts.map(Number),
          sum: Number(point.sum ?? 0),
          count: Number(point.count ?? 0),
        },
      }),
});
