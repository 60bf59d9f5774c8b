import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { relayLiveEvents } from '../../../test/event-stage.ts';
import type { TestWorkspace } from '../../../test/harness.ts';
import { asKey, mcpStage } from '../../../test/mcp-stage.ts';
import { links, onDocument, siteOf, small, work, workspaceWithDocument } from '../../../test/runs.ts';
import { until } from '../../../test/until.ts';
import { streamsOpen } from '../../realtime/feed/feed-metrics.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

async function workspaceWithFinding(): Promise<{ w: TestWorkspace; finding: Any }> {
  const w = await workspaceWithDocument();
  const site = await siteOf(small);
  const { agentId } = await w.must('/v2/agents/create', { name: 'Links', ...links });
  const { executionId } = await w.must('/v2/agents/execution/run', { agentId, url: site.url, ...onDocument });
  await work(w, executionId);
  const { findings } = await w.must('/v2/agents/findings/list', {});
  return { w, finding: findings[0] };
}

const comment = (w: TestWorkspace, { annotationId }: Any) =>
  w.must('/v2/commentannotations/comments/add', {
    ...onDocument,
    annotationId,
    commentData: [{ commentText: 'Hello', from: { userId: 'a', name: 'A' } }],
  });

/** Subscribes to findings, and collects the addresses of those that change. */
async function listen(client: Client, findings: Any[]): Promise<{ heard: string[]; close(): Promise<void> }> {
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri);
  });
  const { close } = await client.listen({
    resourceSubscriptions: findings.map(({ id }) => `redpen://findings/${id}`),
  });
  return { heard, close };
}

const openStreams = async () => (await streamsOpen.get()).values[0]?.value ?? 0;

test('a subscription hears of a comment on its finding, and of none of another tenant', async () => {
  const [own, other] = [await workspaceWithFinding(), await workspaceWithFinding()];
  await relayLiveEvents();
  const { connect, app } = await mcpStage();
  const client = await connect(asKey(own.w));
  const { heard } = await listen(client, [own.finding, other.finding]);
  await comment(other.w, other.finding);
  await comment(own.w, own.finding);
  await relayLiveEvents();
  await until(() => heard.length > 0);
  expect(heard).toEqual([`redpen://findings/${own.finding.id}`]);
  // An open subscription does not hold up the end of the server.
  await app.close();
});

test('a client that ends its subscription leaves no stream of events open', async () => {
  const { w, finding } = await workspaceWithFinding();
  const { connect } = await mcpStage();
  const client = await connect(asKey(w));
  const before = await openStreams();
  const { close } = await listen(client, [finding]);
  expect(await openStreams()).toBe(before + 1);
  await close();
  await until(async () => (await openStreams()) === before);
});
