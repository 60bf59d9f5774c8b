import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Plugin } from 'vite';
import { SCRIPTS, sharedSettings } from './settings.ts';

/** Everything but the console and the scripts. */
const OF_THE_SERVICE = '^/(?!console(?:[/?]|$)|client/)';

/** Serves the scripts for pages of others at their addresses. */
const scripts = (): Plugin => ({
  name: 'redpen:scripts',
  configureServer({ middlewares, config }) {
    middlewares.use('/client', (request: IncomingMessage, response: ServerResponse, next: () => void) => {
      const source = SCRIPTS.get(/^\/(\w+)\.js(?:\?|$)/.exec(request.url ?? '')?.[1] ?? '');
      if (source === undefined) return next();
      response.setHeader('content-type', 'text/javascript; charset=utf-8');
      response.setHeader('access-control-allow-origin', '*');
      response.end(`export * from '${config.base}@fs${source}';\n`);
    });
  },
});

/** Serves the console from its sources on this machine, with pages that follow changes; the rest comes from a service. */
export async function serveSources(service: URL, port: number): Promise<void> {
  const server = await createServer({
    ...sharedSettings,
    plugins: [...sharedSettings.plugins, scripts()],
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      // The service takes the session of the console only from its own address, so the host stays that of this server.
      proxy: { [OF_THE_SERVICE]: { target: service.origin, ws: true, changeOrigin: false } },
    },
  });
  await server.listen();
  const [address] = server.resolvedUrls?.local ?? [];
  process.stdout.write(
    `The console of ${service.origin} is at ${address} and follows changes of packages/.\n`,
  );
}
