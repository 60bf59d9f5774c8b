import { expect, test } from 'vitest';
import { createClient, type LiveEvent, type ReviewResult } from '../../packages/client/src/index.ts';
import { allowLog } from '../run/log-watch.ts';
import { rounds } from '../run/rounds.ts';
import { until } from '../run/until.ts';
import { expireLeases } from '../service/expire-leases.ts';
import { ownTenant } from '../service/own-tenant.ts';
import { ownService } from '../service/worker-service.ts';
import { oddServer } from './odd-server.ts';

const KILLS = rounds(1, 3, 'KILLS');
/** The least number of events of a long run. */
const EVENTS = Number(process.env.EVENTS ?? 0);
const WRITERS = 4;

test(`over ${KILLS} kills of the service each write is carried out once, each event arrives once, and runs are awaited`, {
  timeout: 900_000 + KILLS * 60_000 + EVENTS * 1_000,
}, async () => {
  allowLog(/run resumed after its process was lost/);
  const site = await oddServer((request, response) => {
    // So slow that the run is still at work when the service is killed.
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const number = Number(request.url?.slice(2) || 0);
      response.end(`<a href="/p${number + 1}">next</a> <a href="mailto:nowhere">mail</a>`);
    }, 100);
  });
  const service = await ownService();
  const { url, databaseUrl } = service;
  const { apiKeyId, headers } = await ownTenant(() => service);
  const redpen = createClient({
    baseUrl: url,
    apiKey: apiKeyId,
    authToken: headers['x-service-auth-token'],
    // A start takes as long as the load of the machine makes it.
    tries: 10_000,
    timeoutMs: 600_000,
  });
  await redpen.organizations.add({ organizations: [{ organizationId: 'acme' }] });

  const stop = new AbortController();
  const received: LiveEvent[] = [];
  let opened = 0;
  const listening = (async () => {
    const options = { signal: stop.signal, onOpen: () => void opened++ };
    const events = redpen.events({ organizationId: 'acme', families: ['document.add'] }, options);
    for await (const event of events) received.push(event);
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  await until(() => opened > 0, 'the stream to open');

  const lines: string[] = [];
  const review = async () => {
    const run = await redpen.reviews.run({
      agents: ['broken-links'],
      urls: [`${site}/`],
      crossPageExecute: true,
      maxUrlsToProcess: 20,
    });
    const follow = async () => {
      for await (const { id } of run.events()) lines.push(id);
    };
    return (await Promise.all([run.result(), follow()]))[0];
  };
  let result: Promise<ReviewResult> | undefined;

  let isWriting = true;
  const written: string[] = [];
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let index = 0; isWriting; index++) {
      const documentId = `document-${writer}-${index}`;
      const added = await redpen.documents.add({ organizationId: 'acme', documents: [{ documentId }] });
      // If the request ran twice, its second run would say that the document exists.
      expect(added[documentId]).toMatchObject({ success: true });
      written.push(documentId);
    }
  });
  for (let kill = 0; kill < KILLS; kill++) {
    const before = written.length;
    // A run whose process dies three times ends with an error.
    if (kill === Math.max(0, KILLS - 2)) result = review();
    await until(() => opened > kill, 'the stream to be open again');
    // The number varies, so that processes die at different moments of their work.
    const enough = before + Math.max(EVENTS / KILLS, (2 + Math.random() * 6) * WRITERS);
    await until(() => written.length > enough, 'writes');
    await service.kill('SIGKILL');
    await expireLeases(databaseUrl, service);
    await service.restart();
  }
  isWriting = false;
  await Promise.all(writers);

  const documents = await redpen.documents.all({ organizationId: 'acme' }, { max: 100_000 });
  expect(documents.map(({ id }) => id).sort()).toEqual(written.toSorted());
  await until(() => received.length >= written.length, 'all events');
  const { status, findings, runs } = await result!;
  stop.abort();
  await listening;
  expect(received.map(({ data }) => data.documentId).sort()).toEqual(written.toSorted());
  expect(opened).toBeGreaterThan(KILLS);
  const { execution } = runs[0]!;
  expect(['failed', 'partial']).toContain(status);
  expect(status).toBe(execution.status);
  expect(findings.length).toBeGreaterThan(0);
  expect(findings).toHaveLength(execution.resultsSummary?.totalFindings ?? 0);
  expect(new Set(lines).size).toBe(lines.length);
});
