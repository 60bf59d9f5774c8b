import { expect, test } from 'vitest';
import type { ReceivedEvent } from '../../../test/fakes/event-source.ts';
import { newEventStage, organizationId, place } from '../../../test/live/event-stage.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import { dispatch, links, siteOf, small, work } from '../../../test/reviews/runs.ts';

const ofRuns = (events: ReceivedEvent[]) =>
  events.filter(({ event }) => event.startsWith('agent_execution.'));
const namesOf = (events: ReceivedEvent[]) => ofRuns(events).map(({ event }) => event);

test('a run on a document announces its start, its progress, its pages and its end, in this order', async () => {
  const stage = await newEventStage();
  const client = await stage.open();
  const site = await siteOf(small);
  const url = `${site.url}/`.replace(/\/\/$/, '/');
  const executionId = await dispatch(stage.workspace, links, { url, ...place, crossPageExecute: true });
  await work(stage.workspace, executionId);
  const events = ofRuns(await stage.receivedBy(client));
  expect(events.every(({ data }) => data.executionId === executionId && data.documentId === 'home')).toBe(
    true,
  );
  expect(events[0]).toMatchObject({
    event: 'agent_execution.started',
    data: { ...place, agentName: 'A', seedUrl: url },
  });
  expect(events.at(-1)).toMatchObject({
    event: 'agent_execution.completed',
    data: { ...place, status: 'failed', resultsSummary: { totalFindings: 3 } },
  });
  expect(events.at(-1)!.data.resultsSummary).not.toHaveProperty('findings');
  const pages = events.filter(({ event }) => event === 'agent_execution.page').map(({ data }) => data);
  expect(pages.map((page) => [page.status, page.url]).sort()).toEqual(
    ['', 'a', 'b'].map((path) => ['completed', `${url}${path}`]),
  );
  expect(pages.reduce((sum, page) => sum + page.findings, 0)).toBe(3);
  const [progress] = events.filter(({ event }) => event === 'agent_execution.progress');
  expect(progress!.data).toMatchObject({ phase: 'planning', done: 0, total: 0, findings: 0 });
  expect(JSON.stringify(events.slice(0, -1)).length / events.length).toBeLessThan(600);
});

test('users receive the runs on documents that they may read, and private ones only in their organization', async () => {
  const stage = await newEventStage();
  const { workspace } = stage;
  await workspace.must('/v2/organizations/documents/access/update', {
    organizationId,
    documentIds: ['home'],
    accessType: 'restricted',
  });
  const grant = { type: 'document', id: 'home', organizationId, accessRole: 'viewer' };
  const member = { type: 'organization', id: organizationId, accessRole: 'viewer' };
  const users = {
    member: await newUserToken(workspace, { userId: 'member', resources: [member, grant] }),
    guest: await newUserToken(workspace, { userId: 'guest', resources: [grant] }),
    stranger: await newUserToken(workspace, { userId: 'stranger', resources: [member] }),
  };
  const query = { events: 'agent_execution.started' };
  const clients = {
    member: await stage.open(users.member.headers, query),
    guest: await stage.open(users.guest.headers, query),
    stranger: await stage.open(users.stranger.headers, query),
  };
  const site = await siteOf(small);
  const [hidden, shown] = [
    await dispatch(workspace, links, { url: site.url, ...place }),
    await dispatch(workspace, links, { url: site.url, ...place, annotationVisibility: 'public' }),
  ];
  await stage.relay();
  const idsOf = (events: ReceivedEvent[]) => ofRuns(events).map(({ data }) => data.executionId);
  await expect.poll(() => idsOf(clients.member.events)).toEqual([hidden, shown]);
  await expect.poll(() => idsOf(clients.guest.events)).toEqual([shown]);
  // Each stream gets events in order, so what comes after shows what did not come before.
  const later = await dispatch(workspace, links, { url: site.url, ...place, annotationVisibility: 'public' });
  await newUserToken(workspace, { userId: 'stranger', resources: [member, grant] });
  await stage.relay();
  await expect.poll(() => idsOf(clients.guest.events)).toEqual([shown, later]);
  expect(clients.stranger.events).toEqual([]);
});

test('runs without a document are on the stream of the API key, which users cannot open', async () => {
  const stage = await newEventStage();
  const { workspace } = stage;
  const site = await siteOf(small);
  const ofOrganization = await stage.open();
  const ofKey = await stage.open(undefined, { scope: 'apiKey' });
  const executionId = await dispatch(workspace, links, { url: site.url });
  await work(workspace, executionId);
  const onDocument = await dispatch(workspace, links, { url: site.url, ...place });
  expect(ofRuns(await stage.receivedBy(ofOrganization)).map(({ data }) => data.executionId)).toEqual([
    onDocument,
  ]);
  await expect.poll(() => namesOf(ofKey.events).at(-1)).toBe('agent_execution.completed');
  expect(new Set(ofKey.events.map(({ data }) => data.executionId))).toEqual(new Set([executionId]));
  expect(ofKey.events.some(({ data }) => 'organizationId' in data)).toBe(false);
  const { headers } = await newUserToken(workspace, {});
  const { status } = await fetch(stage.url({ scope: 'apiKey' }), { headers });
  expect(status).toBe(403);
});

test('the events of a run are sent after a resumption, each once', async () => {
  const stage = await newEventStage();
  const { workspace } = stage;
  const client = await stage.open();
  const site = await siteOf(small);
  const executionId = await dispatch(workspace, links, { url: site.url, ...place, crossPageExecute: true });
  await work(workspace, executionId);
  const all = ofRuns(await stage.receivedBy(client));
  const again = await stage.open({ ...workspace.keyHeaders, 'last-event-id': all[1]!.id! });
  expect(namesOf(await stage.receivedBy(again))).toEqual(namesOf(all.slice(2)));
});

test.each([
  [{}, 'organizationId is required.'],
  [{ scope: 'workspace' }, 'scope must be apiKey.'],
  [{ scope: 'apiKey', organizationId }, 'scope is not allowed with organizationId.'],
  [{ scope: 'apiKey', documentId: 'home' }, 'scope is not allowed with documentId.'],
])('a stream with %j is refused', async (query, message) => {
  const stage = await newEventStage();
  const response = await fetch(stage.url(query as Record<string, string>), {
    headers: stage.workspace.keyHeaders,
  });
  const { error } = (await response.json()) as { error: { message: string } };
  expect([response.status, error.message.split('\n').at(-1)]).toEqual([400, message]);
});
