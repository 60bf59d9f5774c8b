import type { Logger } from 'pino';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { ReadMetrics } from '../../src/outside/telemetry/telemetry.ts';
import { sendTelemetry } from '../../src/roles/send-telemetry.ts';
import { type OtlpCollector, startOtlpCollector } from '../fakes/otlp/collector.ts';
import { logAbout } from '../run/log-watch.ts';

export interface Traced extends OtlpCollector {
  sendMetrics(read: ReadMetrics): void;
  /** Ends the telemetry, and sends what is left. */
  flush(): Promise<void>;
}

/** Sends telemetry to a collector until the end of the test, or until `flush`. */
export async function traced(env: Record<string, string> = {}, given?: Logger): Promise<Traced> {
  const collector = await startOtlpCollector();
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env });
  // A request that is under way when the collector ends fails.
  let isOver = false;
  const log = given ?? logAbout(() => !isOver);
  const telemetry = await sendTelemetry(config, log);
  onTestFinished(async () => {
    isOver = true;
    await telemetry.stop();
    await collector[Symbol.asyncDispose]();
  });
  return { ...collector, sendMetrics: telemetry.sendMetrics, flush: telemetry.stop };
}
