import { expect, test } from 'vitest';
import { fakeModels } from '../fakes/models/fake-models.ts';
import { fakeSite } from '../fakes/site.ts';
import { atEnd } from '../run/at-end.ts';
import { allowLog } from '../run/log-watch.ts';
import { expireLeases } from '../service/expire-leases.ts';
import { type Any, ownTenant } from '../service/own-tenant.ts';
import { ownService } from '../service/worker-service.ts';

test('a run whose process is killed during a model call is resumed, ends correctly, and duplicates nothing', {
  timeout: 900_000,
}, async () => {
  allowLog(/run resumed after its process was lost/);
  const site = await fakeSite({ '/': '<a href="/b">b</a>', '/b': 'b' });
  atEnd(() => site.close());
  let onHung = () => {};
  const hung = new Promise<void>((resolve) => {
    onHung = resolve;
  });
  let isFirst = true;
  const finding = {
    title: 'Dull',
    description: 'The page is dull.',
    severity: 'low',
    issueType: 'style',
    targetText: '',
    occurrence: 1,
    suggestion: 'Add a joke.',
    htmlSelector: '',
    isPageLevel: true,
    findingType: 'page',
    confidence: 90,
  };
  const fake = await fakeModels(({ texts }) => {
    if (texts.join('\n').includes(`${site.url}/b`) && isFirst) {
      isFirst = false;
      onHung();
      return { hang: 'headers' };
    }
    return { json: { summary: '', findings: [finding] } };
  });
  atEnd(() => fake.close());
  const service = await ownService({
    ANTHROPIC_BASE_URL: fake.url('claude'),
    ANTHROPIC_API_KEY: 'key-of-the-test',
  });
  const { must } = await ownTenant(() => service);
  const place = { organizationId: 'o', documentId: 'd' };
  await must('/v1/organizations/documents/add', { organizationId: 'o', documents: [{ documentId: 'd' }] });
  const { agentId } = await must('/v2/agents/create', {
    name: 'Critic',
    instructions: 'Find what is dull.',
    contextGathering: { strategies: ['robots-txt'] },
  });
  const { executionId } = await must('/v2/agents/execution/run', {
    agentId,
    url: `${site.url}/`,
    crossPageExecute: true,
    ...place,
  });
  await hung;
  const annotations = async () => (await must('/v2/commentannotations/get', place)) as Any[];
  await expect.poll(async () => (await annotations()).length, { timeout: 300_000 }).toBe(1);
  // Log lines are stored a moment after they are written.
  const eventCount = async () => (await must('/v2/agents/execution/events', { executionId })).events.length;
  await expect.poll(eventCount, { timeout: 300_000 }).toBeGreaterThan(0);
  await service.kill('SIGKILL');
  await expireLeases(service.databaseUrl, service);
  await service.restart();

  const events: Any[] = [];
  for (let after: string | null = null, done = false; !done; ) {
    const answer = await must('/v2/agents/execution/events', { executionId, after, waitMs: 5_000 });
    events.push(...answer.events);
    ({ next: after, done } = answer);
  }
  const messages = events.map(({ message }) => message).join('\n');
  expect(messages).toMatch(/Started:[\s\S]*Resumed after[\s\S]*Ended as failed/);
  expect(JSON.stringify(events)).not.toContain('key-of-the-test');
  const { execution } = await must('/v2/agents/execution/get', { executionId });
  expect(execution).toMatchObject({
    status: 'failed',
    resultsSummary: { urlsProcessed: 2, totalFindings: 2, totalAnnotationsCreated: 2 },
    tokenUsage: { requestCount: 2 },
  });
  expect((await annotations()).map(({ pageInfo }) => new URL(pageInfo.url).pathname).sort()).toEqual([
    '/',
    '/b',
  ]);
  expect(await service.kill('SIGTERM')).toBe(0);
});
