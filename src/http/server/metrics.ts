import { collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { ownVersion } from '../../lib/version.ts';
import type { ReadMetrics } from '../../outside/telemetry/telemetry.ts';

export interface Metrics {
  observe(method: string, route: string, statusCode: number, seconds: number): void;
  print(): Promise<string>;
  /** All metrics with their values, as `print` prints them. */
  read: ReadMetrics;
  /** All metrics in order of their names, but for those that every Node process has. */
  list(): MetricDoc[];
  contentType: string;
}

export interface MetricDoc {
  name: string;
  type: string;
  help: string;
  labels: string[];
}

/** The registry behind /metrics: the metrics of all parts, and those of requests and the build. */
export function createMetrics(metrics: readonly Metric[]): Metrics {
  const registry = new Registry();
  let hasDefaults = false;
  /** From the first scrape on, because the delay of the event loop is sampled a hundred times a second. */
  const addDefaults = () => {
    if (!hasDefaults) collectDefaultMetrics({ register: registry });
    hasDefaults = true;
  };
  const { version, commit } = ownVersion();
  new Gauge({
    name: 'redpen_build_info',
    help: 'Always 1; the labels contain the version and commit of this process.',
    labelNames: ['version', 'commit'],
    registers: [registry],
  }).set({ version, commit: commit ?? 'unknown' }, 1);
  // Published dashboards look for this name and these labels. Routes are paths of operations, so that they stay few.
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to response, by method, route (the path of the operation) and HTTP status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  for (const metric of metrics) registry.registerMetric<string>(metric);
  return {
    observe(method, route, statusCode, seconds) {
      duration.observe({ method, route, status: statusCode }, seconds);
    },
    list: () => describe(registry),
    print() {
      addDefaults();
      return registry.metrics();
    },
    read() {
      addDefaults();
      return registry.getMetricsAsJSON();
    },
    contentType: registry.contentType,
  };
}

const describe = (registry: Registry): MetricDoc[] =>
  registry
    .getMetricsAsArray()
    // prom-client has these fields on every metric, and declares them on none.
    .map((metric) => metric as typeof metric & Omit<MetricDoc, 'labels'> & { labelNames: string[] })
    .filter(({ name }) => !/^(process|nodejs)_/.test(name))
    .map(({ name, type, help, labelNames }) => ({ name, type, help, labels: [...labelNames] }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
