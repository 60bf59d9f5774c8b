import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Booted } from '../boot.ts';
import type { Config } from '../config.ts';
import { startWatchdog } from '../lib/threads/watchdog.ts';
import { createFeed } from '../realtime/feed/feed.ts';
import { watchedChecks } from './doctor/watched-checks.ts';
import { createReadiness } from './readiness.ts';
import { sendTelemetry } from './send-telemetry.ts';
import { startServer } from './serve.ts';
import { lostProcess, noteAddress } from './setup/service-address.ts';
import { shareWork } from './share-work.ts';
import { prepareWeb } from './web/prepare-web.ts';
import { startWorker, type Worker } from './worker.ts';

export interface Roles {
  url: string | undefined;
  stop(): Promise<void>;
}

/** Shorter stalls may come from module loading or a busy machine, and are only counted in metrics. */
const LONG_STALL_MS = 1_000;

/** Starts the roles of REDPEN_ROLES, and the HTTP server, which every role needs for its probes. */
export async function startRoles(config: Config, deps: Booted): Promise<Roles> {
  let stopping = false;
  const telemetry = await sendTelemetry(config, deps.log);
  const watchdog = startWatchdog({
    onStall: (stall) =>
      deps.log[stall.ms >= LONG_STALL_MS ? 'warn' : stall.cause === 'work' ? 'info' : 'debug'](
        stall,
        stall.cause === 'work' ? 'the main thread stalls' : 'the main thread gets no CPU time',
      ),
  });
  const worker: Worker | undefined = config.REDPEN_ROLES.includes('worker')
    ? await startWorker(deps)
    : undefined;
  const readiness = createReadiness(deps, worker, () => stopping);
  const api = config.REDPEN_ROLES.includes('api');
  const feed = config.REDPEN_ROLES.includes('realtime')
    ? createFeed(deps, { perKey: config.REDPEN_LIVE_CONNECTIONS })
    : undefined;
  const work = shareWork(deps.bus, worker?.wake);
  const web = api && config.REDPEN_CONSOLE === 'on' ? prepareWeb(deps.log) : undefined;
  const server = await startServer(deps, { readiness }, { api, feed, web }, work.written);
  telemetry.sendMetrics(server.metrics.read);
  const isListening = await server.listen({ host: config.HOST, port: config.PORT }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      // Otherwise a worker next to a process with role api would need a port of its own.
      if (api || feed || error.code !== 'EADDRINUSE') throw error;
      deps.log.warn(
        { port: config.PORT },
        'probes and metrics of this worker are not served, because its port is in use; set PORT',
      );
      return false;
    },
  );
  web?.start();
  deps.health.start(watchedChecks(config, resolve(config.REDPEN_DATA_DIR), deps));
  const address = isListening ? (server.server.address() as AddressInfo) : undefined;
  const host = address?.family === 'IPv6' ? `[${address.address}]` : address?.address;

  const url = address && `http://${host}:${address.port}`;
  const lost = lostProcess(config);
  if (lost !== undefined) {
    deps.log.warn(
      { lostPid: lost },
      'the process before this one ended without stopping: it was killed, it crashed, or its machine went down',
    );
  }
  const forgetAddress = url === undefined ? () => {} : noteAddress(config, url);

  return {
    url,
    async stop() {
      stopping = true;
      forgetAddress();
      work.stop();
      await deps.health.stop();
      // Requests in flight and live connections end while the worker hands its executions back.
      await Promise.all([
        server.close(),
        feed?.stop(),
        deps.realtime.disconnect(),
        worker?.stop(),
        web?.stop(),
      ]);
      await deps.realtime.stop();
      watchdog.stop();
      await telemetry.stop();
    },
  };
}
