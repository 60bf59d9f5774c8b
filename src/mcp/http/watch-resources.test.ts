import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { relayLiveEvents } from '../../../test/live/event-stage.ts';
import { asKey, mcpStage } from '../../../test/mcp/mcp-stage.ts';
import { onDocument, workspaceWithFindings } from '../../../test/reviews/runs.ts';
import { until } from '../../../test/run/until.ts';
import type { TestWorkspace } from '../../../test/service/harness.ts';
import { streamsOpen } from '../../realtime/feed/feed-metrics.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

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
  const [own, other] = [await workspaceWithFindings(), await workspaceWithFindings()];
  await relayLiveEvents();
  const { connect, app } = await mcpStage();
  const client = await connect(asKey(own.w));
  const { heard } = await listen(client, [own.findings[0], other.findings[0]]);
  await comment(other.w, other.findings[0]);
  await comment(own.w, own.findings[0]);
  await relayLiveEvents();
  await until(() => heard.length > 0);
  expect(heard).toEqual([`redpen://findings/${own.findings[0].id}`]);
  // An open subscription does not hold up the end of the server.
  await app.close();
});

test('a client that ends its subscription leaves no stream of events open', async () => {
  const { w, findings } = await workspaceWithFindings();
  const { connect } = await mcpStage();
  const client = await connect(asKey(w));
  const before = await openStreams();
  const { close } = await listen(client, findings.slice(0, 1));
  expect(await openStreams()).toBe(before + 1);
  await close();
  await until(async () => (await openStreams()) === before);
});
