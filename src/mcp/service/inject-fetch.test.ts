import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../../test/run/until.ts';
import { endInjected, injectingFetch } from './inject-fetch.ts';

/** A server whose route reads the body and answers never, and counts who is gone. */
async function stuckServer() {
  const app: FastifyInstance = Fastify();
  app.decorate('closing', new AbortController().signal);
  endInjected(app);
  const seen = { begun: 0, gone: 0 };
  app.post('/stuck', (_, reply) => {
    seen.begun += 1;
    reply.raw.once('close', () => {
      seen.gone += 1;
    });
    reply.hijack();
  });
  await app.ready();
  onTestFinished(() => app.close());
  return { seen, send: injectingFetch(app, { remoteAddress: '127.0.0.1', atOnce: 1 }) };
}

const body = JSON.stringify({ data: {} });
const headers = { 'content-type': 'application/json' };

test('an operation learns that its caller is gone, and the next one has its place', async () => {
  const { seen, send } = await stuckServer();
  for (const round of [1, 2]) {
    const stop = new AbortController();
    const answer = send('http://x/stuck', { method: 'POST', body, headers, signal: stop.signal });
    await until(() => seen.begun === round);
    stop.abort();
    await expect(answer).rejects.toThrow();
    await until(() => seen.gone === round);
  }
});
