import { type HrTime, ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { ReadMetrics } from './telemetry.ts';

type PrometheusMetric = MetricObjectWithValues<MetricValue<string>>;
/** prom-client sets `metricName` on the parts of histograms, and declares it on no value. */
type Value = MetricValue<string> & { metricName?: string };

interface Period {
  startTime: HrTime;
  endTime: HrTime;
}

/** Reads the metrics of /metrics as OpenTelemetry metrics, so that both have the same names and figures. */
export function createPrometheusProducer(read: ReadMetrics, resource: Resource): MetricProducer {
  const startTime = millisToHrTime(performance.timeOrigin);
  return {
    async collect() {
      const period = { startTime, endTime: millisToHrTime(Date.now()) };
      const metrics = (await read()).flatMap((metric) => toMetricData(metric, period));
      const scopeMetrics = [{ scope: { name: 'redpen' }, metrics }];
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
    },
  };
}

/** Summaries, which no metric of the service is, have no counterpart in the SDK. */
function toMetricData(metric: PrometheusMetric, period: Period): MetricData[] {
  const base = {
    // The name contains the unit.
    descriptor: { name: metric.name, description: metric.help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  // prom-client declares the type as a number, and returns the name.
  const type = String(metric.type);
  const values = metric.values as Value[];
  const points = () =>
    values.map(({ value, labels }) => ({ ...period, attributes: { ...labels }, value: Number(value) }));
  if (type === 'counter')
    return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }];
  if (type === 'gauge') return [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints: points() }];
  if (type === 'histogram')
    return [{ ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(values, period) }];
  return [];
}

interface Series {
  labels: Record<string, string | number>;
  /** Upper bounds with the number of values up to them. */
  upTo: [bound: number, count: number][];
  sum: number;
  count: number;
}

function histogramPoints(values: readonly Value[], period: Period): DataPoint<Histogram>[] {
  const byLabels = new Map<string, Series>();
  for (const { labels: all, value, metricName = '' } of values) {
    const { le, ...labels } = all as Record<string, string | number>;
    const key = JSON.stringify(labels);
    const series = byLabels.get(key) ?? { labels, upTo: [], sum: 0, count: 0 };
    byLabels.set(key, series);
    if (metricName.endsWith('_sum')) series.sum = value;
    else if (metricName.endsWith('_count')) series.count = value;
    else if (le !== '+Inf') series.upTo.push([Number(le), value]);
  }
  return [...byLabels.values()].map(({ labels, upTo, sum, count }) => {
    const inOrder = upTo.toSorted(([a], [b]) => a - b);
    // Buckets of Prometheus contain those below them.
    const counts = [...inOrder.map(([, total]) => total), count];
    return {
      ...period,
      attributes: labels,
      value: {
        buckets: {
          boundaries: inOrder.map(([bound]) => bound),
          counts: counts.map((total, index) => total - (counts[index - 1] ?? 0)),
        },
        sum,
        count,
      },
    };
  });
}
