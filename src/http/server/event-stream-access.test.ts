import { expect, test } from 'vitest';
import type { EventClient } from '../../../test/fakes/event-source.ts';
import { type EventStage, newEventStage, organizationId, place } from '../../../test/live/event-stage.ts';
import { newUserToken, type TestUser } from '../../../test/people/user-token.ts';
import { md5 } from '../../lib/ids.ts';

const ada = { userId: 'ada', name: 'Ada', email: 'ada@example.com' };
const member = (userId: string) => ({
  userId,
  resources: [{ type: 'organization', id: organizationId, accessRole: 'editor' }],
});
const SOON = { timeout: 300_000, interval: 20 };

const annotate = (stage: EventStage, annotationId: string, more: object = {}, at: object = place) =>
  stage.workspace.must('/v2/commentannotations/add', {
    ...at,
    commentAnnotations: [
      { annotationId, commentData: [{ commentId: 1, from: ada, commentText: 'Secret' }], ...more },
    ],
  });
const change = (stage: EventStage, annotationId: string, updatedData: object) =>
  stage.workspace.must('/v2/commentannotations/update', {
    ...place,
    annotationIds: [annotationId],
    updatedData,
  });
const reply = (stage: EventStage, annotationId: string, commentId: number) =>
  stage.workspace.must('/v2/commentannotations/comments/add', {
    ...place,
    annotationId,
    commentData: [{ commentId, from: ada, commentText: 'Secret, too' }],
  });
const open = async (stage: EventStage, user: TestUser, query: Record<string, string> = {}) => {
  const client = await stage.open(user.headers, query);
  expect(client.status).toBe(200);
  return client;
};
const summary = async (stage: EventStage, client: EventClient) =>
  (await stage.receivedBy(client)).map(({ event, data }) => [event, data.annotationId ?? data.documentId]);

test('events of other API keys and organizations never arrive, even with equal ids', async () => {
  const stage = await newEventStage();
  const other = await newEventStage();
  await stage.workspace.must('/v2/organizations/add', { organizations: [{ organizationId: 'beta' }] });
  const beta = { organizationId: 'beta', documentId: 'home' };
  await stage.workspace.must('/v2/organizations/documents/add', {
    organizationId: 'beta',
    documents: [{ documentId: 'home' }],
  });
  const user = await open(stage, await newUserToken(stage.workspace, {}));
  const backend = await stage.open();
  await annotate(other, 'theirs');
  await annotate(stage, 'beside', {}, beta);
  await annotate(stage, 'mine');
  const mine = [['comment_annotation.add', 'mine']];
  expect(await summary(stage, user)).toEqual(mine);
  expect(await summary(stage, backend)).toEqual(mine);
});

test('users receive no events of documents that they may not read, and backends do', async () => {
  const stage = await newEventStage();
  const { must } = stage.workspace;
  await must('/v2/organizations/documents/add', {
    organizationId,
    documents: [
      { documentId: 'closed', accessType: 'restricted' },
      { documentId: 'internal', accessType: 'organizationPrivate' },
    ],
  });
  await stage.relay();
  const outsider = await newUserToken(stage.workspace, { userId: 'out' });
  const guest = await newUserToken(stage.workspace, {
    userId: 'guest',
    resources: [{ type: 'document', id: 'closed', organizationId, accessRole: 'viewer' }],
  });
  const clients = {
    out: await open(stage, outsider),
    in: await open(stage, await newUserToken(stage.workspace, member('in'))),
    guest: await open(stage, guest),
    backend: await stage.open(),
  };
  expect((await stage.open(outsider.headers, { documentId: 'closed' })).status).toBe(403);
  for (const documentId of ['closed', 'internal', 'home']) {
    const at = { organizationId, documentId };
    await must('/v2/presence/add', { ...at, users: [ada] });
    await must('/v2/livestate/broadcast', { ...at, liveStateDataId: 's', data: {} });
    await annotate(stage, documentId, {}, at);
    await must('/v2/organizations/documents/update', { organizationId, documents: [{ documentId }] });
  }
  const seen = async (client: EventClient) => [
    ...new Set((await summary(stage, client)).map(([, id]) => id)),
  ];
  expect(await seen(clients.out)).toEqual(['home']);
  expect(await seen(clients.in)).toEqual(['internal', 'home']);
  expect(await seen(clients.guest)).toEqual(['closed', 'home']);
  expect(await seen(clients.backend)).toEqual(['closed', 'internal', 'home']);
  expect(await summary(stage, clients.guest)).toHaveLength(8);
});

test('events of a restricted annotation, of its comments and of its deletion reach only users who may see it', async () => {
  const stage = await newEventStage();
  const { workspace } = stage;
  const users = {
    ada: await newUserToken(workspace, { userId: 'ada' }),
    bo: await newUserToken(workspace, { userId: 'bo' }),
    cy: await newUserToken(workspace, member('cy')),
    di: await newUserToken(workspace, {
      userId: 'di',
      resources: [
        {
          type: 'document',
          id: 'home',
          organizationId,
          accessRole: 'viewer',
          context: { access: { team: 'red' } },
        },
      ],
    }),
  };
  const clients = Object.fromEntries(
    await Promise.all(
      Object.entries(users).map(async ([name, user]) => [name, await open(stage, user)] as const),
    ),
  );
  await annotate(stage, 'for-bo', { visibility: { type: 'restricted', userIds: ['bo'] } });
  await annotate(stage, 'for-members', { visibility: { type: 'organizationPrivate' } });
  await annotate(stage, 'for-reds', { context: { access: { team: 'red' } } });
  await annotate(stage, 'for-all');
  const all = ['for-bo', 'for-members', 'for-reds', 'for-all'];
  for (const id of all) await reply(stage, id, 2);
  const story = async (name: string) =>
    (await summary(stage, clients[name]!)).map((words) => words.join(' '));
  const added = (...ids: string[]) => [
    ...ids.map((id) => `comment_annotation.add ${id}`),
    ...ids.map((id) => `comment.add ${id}`),
  ];
  expect(await story('bo')).toEqual(added('for-bo', 'for-all'));
  expect(await story('cy')).toEqual(added('for-members', 'for-all'));
  expect(await story('di')).toEqual(added('for-reds', 'for-all'));
  // The author may see all of them.
  expect(await story('ada')).toEqual(added(...all));

  await workspace.must('/v2/commentannotations/delete', { ...place, annotationIds: all });
  const deletionsOf = (...ids: string[]) => ids.map((id) => `comment_annotation.delete ${id}`);
  const deleted = async (name: string) =>
    (await story(name)).filter((words) => words.includes('delete')).sort();
  expect(await deleted('bo')).toEqual(deletionsOf('for-all', 'for-bo'));
  expect(await deleted('cy')).toEqual(deletionsOf('for-all', 'for-members'));
  expect(await deleted('di')).toEqual(deletionsOf('for-all', 'for-reds'));
  expect(await deleted('ada')).toEqual(deletionsOf('for-all', 'for-bo', 'for-members', 'for-reds'));
});

test('users who lose sight of an annotation receive its deletion, and users who gain it receive an update', async () => {
  const stage = await newEventStage();
  const clients = {
    bo: await open(stage, await newUserToken(stage.workspace, { userId: 'bo' })),
    cy: await open(stage, await newUserToken(stage.workspace, { userId: 'cy' })),
    di: await open(stage, await newUserToken(stage.workspace, { userId: 'di' })),
  };
  const to = (...userIds: string[]) => ({ visibility: { type: 'restricted', userIds } });
  await annotate(stage, 'a', to('bo'));
  await stage.relay();
  await stage.receivedBy(clients.bo);
  await change(stage, 'a', to('cy'));
  await stage.receivedBy(clients.cy);
  await change(stage, 'a', { ...to('cy'), priority: { id: 'P1', name: 'High' } });
  await stage.receivedBy(clients.bo);
  const gone = { ...place, at: expect.any(Number), annotationId: 'a' };
  expect((await stage.receivedBy(clients.bo)).map(({ event, data }) => [event, data])).toEqual([
    ['comment_annotation.add', expect.objectContaining({ annotationId: 'a' })],
    ['comment_annotation.delete', gone],
  ]);
  expect(await summary(stage, clients.cy)).toEqual([
    ['comment_annotation.update', 'a'],
    ['comment_annotation.priority_change', 'a'],
    ['comment_annotation.update', 'a'],
  ]);
  expect(await summary(stage, clients.di)).toEqual([]);
  // No event reveals how it was hidden, or from whom.
  expect(JSON.stringify(clients.cy.events)).not.toContain('seenBefore');
});

test('a stream of deletions has annotations that become hidden, and no other changes', async () => {
  const stage = await newEventStage();
  const bo = await newUserToken(stage.workspace, { userId: 'bo' });
  const client = await open(stage, bo, { events: 'comment_annotation.delete' });
  await annotate(stage, 'a');
  await change(stage, 'a', { visibility: { type: 'restricted', userIds: ['cy'] } });
  await change(stage, 'a', { visibility: { type: 'public' } });
  await stage.relay();
  await expect.poll(() => client.names(), SOON).toEqual(['comment_annotation.delete']);
});

test('a notification reaches only its recipients, as in their own list', async () => {
  const stage = await newEventStage();
  const { must } = stage.workspace;
  const bo = await newUserToken(stage.workspace, member('bo'));
  const clients = {
    bo: await open(stage, bo),
    cy: await open(stage, await newUserToken(stage.workspace, member('cy'))),
    out: await open(stage, await newUserToken(stage.workspace, { userId: 'out' })),
  };
  const notify = (notificationId: string, more: object) =>
    must('/v2/notifications/add', {
      organizationId,
      notificationId,
      actionUser: ada,
      displayHeadlineMessageTemplate: '{actionUser} was here',
      displayHeadlineMessageTemplateData: {},
      displayBodyMessage: 'See for yourself.',
      ...more,
    });
  await notify('for-bo', { notifyAll: false, notifyUsers: [{ userId: 'bo' }, { userId: 'dee-of-acme' }] });
  await notify('for-all', { notifyUsers: [], notifyAll: true });
  await must('/v2/organizations/documents/add', {
    organizationId,
    documents: [{ documentId: 'closed', accessType: 'restricted' }],
  });
  await notify('on-closed', { documentId: 'closed', notifyAll: true, notifyUsers: [{ userId: 'bo' }] });
  const seen = async (client: EventClient) =>
    (await stage.receivedBy(client)).flatMap(({ data }) => data.notificationId ?? []);
  expect(await seen(clients.bo)).toEqual(['for-bo', 'for-all']);
  expect(await seen(clients.cy)).toEqual(['for-all']);
  expect(await seen(clients.out)).toEqual([]);
  const [received] = await stage.receivedBy(clients.bo);
  const listed = await bo.post('/v2/notifications/get', { organizationId, notificationIds: ['for-bo'] });
  expect(received!.data).toEqual({
    organizationId,
    at: expect.any(Number),
    notificationId: 'for-bo',
    notificationSource: 'custom',
    notification: listed.body.result.data[0],
  });
  const text = JSON.stringify(clients.bo.events);
  for (const other of ['dee-of-acme', md5('dee-of-acme')]) expect(text).not.toContain(other);
});
