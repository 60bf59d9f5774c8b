import { expect, test } from 'vitest';
import { capturing } from '../../../test/database/captured-queries.ts';
import { eventsOf, faultsOf, messagesOf } from '../../../test/messages/webhook-events.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { protectBody } from '../deliver/format-body.ts';
import { composeMessages, MAX_BODY_BYTES } from './compose-messages.ts';

const place = { organizationId: 'acme', documentId: 'home' };
const ann = { userId: 'ann', name: 'Ann', email: 'ann@example.com' };
const bob = { userId: 'bob', name: 'Bob', email: 'bob@example.com' };

async function withDocument(): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/add', {
    organizations: [{ organizationId: 'acme', organizationName: 'Acme', plan: 'team' }],
  });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home', documentName: 'Home', team: 'web' }],
  });
  return workspace;
}

const annotate = (workspace: TestWorkspace, annotation: object = {}, comment: object = {}) =>
  workspace.must('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [
      { annotationId: 'a1', ...annotation, commentData: [{ from: ann, commentText: 'Hello', ...comment }] },
    ],
  });
const change = (workspace: TestWorkspace, updatedData: object, annotationId = 'a1') =>
  workspace.must('/v2/commentannotations/update', {
    ...place,
    annotationIds: [annotationId],
    updatedData,
  });

async function lastOf(workspace: TestWorkspace, type: string) {
  const message = (await messagesOf(workspace)).findLast((one) => one.type === type)!;
  return {
    message,
    body: JSON.parse(message.body),
    basic: message.basicBody === null ? null : JSON.parse(message.basicBody),
  };
}

test('a comment message names the document, the organization, the people concerned and the actor', async () => {
  const workspace = await withDocument();
  const pageInfo = { url: 'https://example.com/', title: 'Home' };
  await annotate(workspace, { pageInfo, location: { id: 'top', locationName: 'Top' } });
  const { message, body, basic } = await lastOf(workspace, 'comment_annotation.add');
  const [event] = (await eventsOf(workspace)).filter(({ name }) => name === 'comment_annotation.add');
  expect(body).toEqual({
    event: 'comment_annotation.add',
    actionType: 'newlyAdded',
    source: 'comment',
    platform: 'sdk',
    webhookId: event!.id,
    createdAt: event!.createdAt,
    data: {
      commentAnnotation: expect.objectContaining({ annotationId: 'a1', annotationNumber: 1 }),
      targetComment: expect.objectContaining({ commentText: 'Hello', from: ann }),
      actionUser: ann,
      metadata: {
        apiKey: workspace.apiKeyId,
        document: { documentId: 'home', documentName: 'Home' },
        documentMetadata: { team: 'web' },
        organization: { organizationId: 'acme', organizationName: 'Acme' },
        organizationMetadata: { plan: 'team' },
        pageInfo,
        locationId: expect.any(Number),
        location: { id: 'top', locationName: 'Top' },
      },
    },
    usersOrganizationNotificationsConfig: { ann: { inbox: 'ALL', email: 'MINE' } },
  });
  const { data, event: _event, source: _source, createdAt: _at, ...envelope } = body;
  expect(basic).toEqual({ ...envelope, notificationSource: 'comment', ...data });
  expect(message).toMatchObject({
    organizationId: 'acme',
    documentId: 'home',
    basicTrigger: 'comment_annotation.add',
  });
});

test('notification settings of the document are sent if any person concerned has some', async () => {
  const workspace = await withDocument();
  const settings = (userId: string, config: object, more: object = {}) =>
    workspace.must('/v2/notifications/config/set', {
      organizationId: 'acme',
      userIds: [userId],
      config,
      ...more,
    });
  const tagged = { userId: 'bob', contact: bob, text: '@Bob' };
  await settings('bob', { inbox: 'NONE', chat: 'ALL' });
  await settings('stranger', { inbox: 'NONE' }, { documentIds: ['home'] });
  await annotate(workspace, {}, { taggedUserContacts: [tagged], commentText: '@Bob' });
  expect((await lastOf(workspace, 'comment_annotation.add')).body).toMatchObject({
    usersOrganizationNotificationsConfig: {
      ann: { inbox: 'ALL', email: 'MINE' },
      bob: { inbox: 'NONE', email: 'MINE' },
    },
  });
  await settings('ann', { email: 'ALL' }, { documentIds: ['home'] });
  const { body, basic } = await lastOf(workspace, 'comment_annotation.add');
  expect(body).not.toHaveProperty('usersOrganizationNotificationsConfig');
  const onDocument = { ann: { inbox: 'ALL', email: 'ALL' }, bob: { inbox: 'NONE', email: 'MINE' } };
  expect(body.usersDocumentNotificationsConfig).toEqual(onDocument);
  expect(basic.usersDocumentNotificationsConfig).toEqual(onDocument);
});

test('each kind of change has its own action type and says what changed', async () => {
  const workspace = await withDocument();
  await annotate(workspace);
  await change(workspace, { assignedTo: bob });
  expect((await lastOf(workspace, 'comment_annotation.assign')).basic).toMatchObject({
    actionType: 'assigned',
    assigned: bob,
  });
  await change(workspace, { status: { id: 'RESOLVED' } });
  const { body, basic } = await lastOf(workspace, 'comment_annotation.status_change');
  const statuses = { oldStatus: { id: 'OPEN' }, newStatus: { id: 'RESOLVED', type: 'terminal' } };
  expect(body.data).toMatchObject(statuses);
  expect(basic).toMatchObject({ actionType: 'statusChanged', ...statuses });
  await change(workspace, { priority: { id: 'P0', name: 'Now' } });
  await change(workspace, { priority: null });
  expect((await lastOf(workspace, 'comment_annotation.priority_change')).basic).toMatchObject({
    actionType: 'priorityChanged',
    newPriority: null,
  });
  await change(workspace, { context: { note: 'x' } });
  expect((await lastOf(workspace, 'comment_annotation.update')).basic.actionType).toBe('updated');
});

test('a change of visibility is an accessModeChanged that carries the new visibility', async () => {
  const workspace = await withDocument();
  await annotate(workspace);
  expect((await lastOf(workspace, 'comment_annotation.add')).body.data).not.toHaveProperty('visibility');
  const visibility = { type: 'restricted', userIds: ['ann', 'bob'] };
  await change(workspace, { visibility });
  const { body, basic } = await lastOf(workspace, 'comment_annotation.update');
  expect([body.actionType, basic.actionType]).toEqual(['accessModeChanged', 'accessModeChanged']);
  expect([body.data.visibility, basic.visibility]).toEqual([visibility, visibility]);
  await change(workspace, { visibility });
  expect((await lastOf(workspace, 'comment_annotation.update')).body.actionType).toBe('updated');
});

test('basic endpoints get comment events and nothing else', async () => {
  const workspace = await withDocument();
  await annotate(workspace);
  const messages = await messagesOf(workspace);
  expect(messages.filter(({ basicBody }) => basicBody !== null).map(({ type }) => type)).toEqual([
    'comment_annotation.add',
  ]);
  const { deps } = await testApp();
  const events = await eventsOf(workspace);
  const basicOnly = await composeMessages(deps.db, events, { advanced: false, basic: true });
  expect(basicOnly.map(({ type }) => type)).toEqual(['comment_annotation.add']);
  const advancedOnly = await composeMessages(deps.db, events, { advanced: true, basic: false });
  expect(advancedOnly.map(({ basicBody, basicTrigger }) => [basicBody, basicTrigger])).toEqual(
    events.map(() => [null, null]),
  );
});

test('events of many tenants are enriched in a handful of statements, each with its own data', async () => {
  const { deps } = await testApp();
  const workspaces = await Promise.all([withDocument(), withDocument(), withDocument()]);
  for (const [index, workspace] of workspaces.entries()) {
    await workspace.must('/v2/organizations/documents/update', {
      organizationId: 'acme',
      documents: [{ documentId: 'home', documentName: `Home ${index}` }],
    });
    await annotate(workspace);
  }
  const events = (await Promise.all(workspaces.map(eventsOf))).flat();
  const { db, queries } = capturing(deps.db);
  const messages = await composeMessages(db, events, { advanced: true, basic: true });
  expect(queries.length).toBeLessThanOrEqual(3);
  expect(messages.map(({ event }) => event.id)).toEqual(events.map(({ id }) => id));
  const names = messages
    .filter(({ type }) => type === 'comment_annotation.add')
    .map(({ body }) => JSON.parse(body).data.metadata.document.documentName);
  expect(names).toEqual(['Home 0', 'Home 1', 'Home 2']);
});

test('a message can be composed after everything it is about is deleted', async () => {
  const workspace = await withDocument();
  await annotate(workspace);
  await workspace.must('/v2/organizations/delete', { organizationIds: ['acme'] });
  const { message, body } = await lastOf(workspace, 'comment_annotation.add');
  expect(body.data.metadata).toEqual({
    apiKey: workspace.apiKeyId,
    document: { documentId: 'home' },
    organization: { organizationId: 'acme' },
  });
  expect(faultsOf(message)).toEqual([]);
});

test('messages about one annotation share an order key, also after its document got another id', async () => {
  const workspace = await withDocument();
  await annotate(workspace);
  await change(workspace, { status: { id: 'RESOLVED' } });
  await workspace.must('/v2/commentannotations/comments/add', {
    ...place,
    annotationId: 'a1',
    commentData: [{ from: bob, commentText: 'Yes' }],
  });
  await annotate(workspace, { annotationId: 'a2' });
  const messages = await messagesOf(workspace);
  const keysOf = (annotationId: string) =>
    messages
      .filter(({ body }) => JSON.parse(body).data.commentAnnotation?.annotationId === annotationId)
      .map(({ orderKey }) => orderKey);
  expect(keysOf('a1')).toHaveLength(3);
  expect(new Set(keysOf('a1')).size).toBe(1);
  expect(keysOf('a2')).not.toContain(keysOf('a1')[0]);
  const { event } = messages.find(({ type }) => type === 'comment.add')!;
  const moved = { ...event, payload: { ...event.payload, documentId: 'house' } } as typeof event;
  const { deps } = await testApp();
  const [again] = await composeMessages(deps.db, [moved], { advanced: true, basic: true });
  expect(again!.orderKey).toBe(keysOf('a1')[0]);
  const longest = messages.map(({ orderKey }) => orderKey?.length ?? 0);
  expect(Math.max(...longest)).toBeLessThan(100);
});

const mentions = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const userId = `${'long id of somebody '.repeat(20)}${index}`;
    return { userId, text: '@Somebody', contact: { userId, name: 'Somebody', email: 's@example.com' } };
  });

test.each([
  ['a huge comment', { commentText: 'x'.repeat(900_000) }],
  ['a comment of wide characters', { commentText: '\u{1f600}'.repeat(100_000) }],
  ['very many mentions', { taggedUserContacts: mentions(900) }],
])('for %s only ids, types, statuses, numbers and times are sent', async (_, comment) => {
  const workspace = await withDocument();
  await annotate(workspace, {}, { commentId: 7, ...comment });
  const { message, body, basic } = await lastOf(workspace, 'comment_annotation.add');
  const thin = {
    truncated: true,
    webhookId: message.event.id,
    actionType: 'newlyAdded',
    platform: 'sdk',
  };
  expect(body).toMatchObject({ ...thin, event: 'comment_annotation.add', createdAt: expect.any(Number) });
  expect(body.data).toMatchObject({
    commentAnnotation: { annotationId: 'a1', status: { id: 'OPEN' }, from: { userId: 'ann' } },
    targetComment: { commentId: 7 },
    actionUser: { userId: 'ann' },
    metadata: { document: { documentId: 'home' }, organization: { organizationId: 'acme' } },
  });
  expect(basic).toMatchObject({ ...thin, targetComment: { commentId: 7 } });
  expect(faultsOf(message)).toEqual([]);
  for (const text of [message.body, message.basicBody!]) {
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_BODY_BYTES / 4);
    expect(JSON.parse(protectBody(text))).toMatchObject({ truncated: true });
  }
});

test('a body of exactly the maximum size is sent whole', async () => {
  const workspace = await withDocument();
  await annotate(workspace);
  const room =
    MAX_BODY_BYTES - Buffer.byteLength((await lastOf(workspace, 'comment_annotation.add')).message.body);
  const [event] = (await eventsOf(workspace)).filter(({ name }) => name === 'comment_annotation.add');
  const { deps } = await testApp();
  const withText = async (more: number) => {
    const longer = structuredClone(event!);
    if (longer.name !== 'comment_annotation.add') throw new Error('Another event was expected.');
    longer.payload.targetComment!.commentText += 'x'.repeat(more);
    const [message] = await composeMessages(deps.db, [longer], { advanced: true, basic: false });
    return [Buffer.byteLength(message!.body) === MAX_BODY_BYTES, JSON.parse(message!.body).truncated];
  };
  expect(await withText(room)).toEqual([true, undefined]);
  expect(await withText(room + 1)).toEqual([false, true]);
});
