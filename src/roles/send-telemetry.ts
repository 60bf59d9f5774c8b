import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { installTracer } from '../lib/tracing/tracing.ts';
import type { ReadMetrics } from '../outside/telemetry/telemetry.ts';
import { telemetrySettingsOf } from './setup/telemetry-settings.ts';

export interface SentTelemetry {
  sendMetrics(read: ReadMetrics): void;
  stop(): Promise<void>;
}

/** Records traces from now on, if a collector is set. Packages of OpenTelemetry are loaded only then. */
export async function sendTelemetry(config: Config, log: Logger): Promise<SentTelemetry> {
  const settings = telemetrySettingsOf(config);
  if (settings === undefined) return { sendMetrics() {}, async stop() {} };
  const { openTelemetry } = await import('../outside/telemetry/open-telemetry.ts');
  const telemetry = openTelemetry(settings, log);
  const uninstall = telemetry.tracer ? installTracer(telemetry.tracer) : () => {};
  const { traces, metrics, sampler } = settings;
  log.info(
    {
      ...(traces && { traces: originOf(traces.url), sampler }),
      ...(metrics && { metrics: originOf(metrics.url) }),
    },
    'telemetry is sent over OTLP',
  );
  let closed: Promise<void> | undefined;
  return {
    sendMetrics: telemetry.sendMetrics,
    stop() {
      uninstall();
      closed ??= telemetry.close();
      return closed;
    },
  };
}

/** Path and query may contain a key. */
const originOf = (url: string): string => new URL(url).origin;
