import { pino } from 'pino';
import { expect, test } from 'vitest';
import { newEventStage, organizationId, place } from '../../../test/live/event-stage.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { emitAll } from '../../events/emit.ts';
import { feedMetrics } from '../../realtime/feed/feed-metrics.ts';

const ada = { userId: 'ada', name: 'Ada', email: 'ada@example.com' };

test('a backend receives all events of its organization, in order', async () => {
  const stage = await newEventStage();
  const { must } = stage.workspace;
  const client = await stage.open();
  expect(client.status).toBe(200);
  expect(client.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');

  await must('/v2/presence/add', { ...place, users: [{ ...ada, status: 'online' }] });
  await must('/v2/presence/delete', { ...place, userIds: ['ada'] });
  await must('/v2/livestate/broadcast', { ...place, liveStateDataId: 'slide', data: { current: 7 } });
  const before = Date.now();
  // The comment triggers no notification, but is still in the stream.
  await must('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [{ annotationId: 'a1', commentData: [{ from: ada, commentText: 'Hello\n\nthere' }] }],
  });
  await must('/v2/commentannotations/comments/add', {
    ...place,
    annotationId: 'a1',
    commentData: [{ commentId: 2, from: ada, commentText: 'More' }],
  });
  await must('/v2/commentannotations/comments/update', {
    ...place,
    annotationId: 'a1',
    commentIds: [2],
    updatedData: { from: ada, commentText: 'Less' },
  });
  await must('/v2/commentannotations/comments/delete', { ...place, annotationId: 'a1', commentIds: [2] });
  await must('/v2/commentannotations/update', {
    ...place,
    annotationIds: ['a1'],
    updatedData: { priority: { id: 'P1', name: 'High' } },
  });
  await must('/v2/commentannotations/delete', { ...place, annotationIds: ['a1'] });
  await must('/v2/notifications/add', {
    ...place,
    notificationId: 'n1',
    actionUser: ada,
    displayHeadlineMessageTemplate: '{actionUser} was here',
    displayHeadlineMessageTemplateData: {},
    displayBodyMessage: 'See for yourself.',
    notifyUsers: [{ userId: 'bo' }],
  });
  await must('/v2/organizations/documents/update', {
    organizationId,
    documents: [{ documentId: 'home', documentName: 'Home' }],
  });
  const received = await stage.receivedBy(client);

  expect(received.map(({ event }) => event)).toEqual([
    'presence.update',
    'presence.delete',
    'live_state.broadcast',
    'comment_annotation.add',
    'comment.add',
    'comment.update',
    'comment.delete',
    'comment_annotation.priority_change',
    'comment_annotation.delete',
    'notification.add',
    'document.update',
  ]);
  expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
  const [present, left, state, annotation, , , uncommented, , gone, notified, renamed] = received.map(
    ({ data }) => data,
  );
  expect(present).toEqual({ ...place, at: present.at, users: [{ ...ada, status: 'online' }] });
  expect(left).toEqual({ ...place, at: left.at, userIds: ['ada'] });
  expect(state).toEqual({ ...place, at: state.at, liveStateDataId: 'slide', data: { current: 7 } });
  expect(annotation).toEqual({
    ...place,
    at: expect.any(Number),
    annotationId: 'a1',
    commentAnnotation: expect.objectContaining({ annotationId: 'a1', annotationNumber: 1 }),
    targetComment: expect.objectContaining({ commentText: 'Hello\n\nthere' }),
    actionUser: ada,
  });
  expect(annotation.at).toBeGreaterThanOrEqual(before);
  expect(uncommented.targetComment).toEqual({ commentId: 2 });
  expect(gone).toEqual({ ...place, at: gone.at, annotationId: 'a1' });
  expect(notified).toMatchObject({
    notificationId: 'n1',
    notificationSource: 'custom',
    notifyUserIds: ['bo'],
  });
  expect(renamed).toEqual({ ...place, at: renamed.at, documentName: 'Home', disabled: false });
});

test('a thousand events arrive in the order of their commits, each once', async () => {
  const stage = await newEventStage();
  const { deps } = await testApp();
  const [backend, user] = [
    await stage.open(),
    await stage.open((await newUserToken(stage.workspace, {})).headers, { documentId: 'home' }),
  ];
  const all = Array.from({ length: 1_000 }, (_, index) => ({
    ...place,
    liveStateDataId: 'slide',
    data: { index },
  }));
  for (let from = 0; from < all.length; from += 100) {
    const part = all.slice(from, from + 100);
    await deps.db.transaction().execute((tx) => emitAll(tx, stage.workspace, 'live_state.broadcast', part));
    if (from % 300 === 0) await stage.relay();
  }
  for (const client of [backend, user]) {
    const received = await stage.receivedBy(client);
    expect(received.map(({ data }) => data.data.index)).toEqual(all.map((_, index) => index));
  }
});

test('a stream starts with a retry delay and a position, and sends heartbeats', async () => {
  const stage = await newEventStage({ feed: { heartbeatMs: 0 } });
  const client = await stage.open();
  await expect.poll(() => client.stream.comments(), { timeout: 300_000 }).toBeGreaterThan(1);
  expect(client.stream.retryMs()).toBe(2_000);
  expect(client.events).toEqual([]);
  const position = client.stream.lastEventId();
  expect(position).toMatch(/^[\w-]{22}$/);
  // The position changes although nothing happens, so that it reveals nothing about the activity of others.
  await expect.poll(() => client.stream.lastEventId(), { timeout: 300_000 }).not.toBe(position);
});

test('a stream has only the requested events and document', async () => {
  const stage = await newEventStage();
  const { must } = stage.workspace;
  await must('/v2/organizations/documents/add', { organizationId, documents: [{ documentId: 'other' }] });
  const some = await stage.open(undefined, { events: 'presence, live_state.broadcast' });
  const one = await stage.open(undefined, { documentId: 'home' });
  for (const documentId of ['home', 'other']) {
    const at = { organizationId, documentId };
    await must('/v2/presence/add', { ...at, users: [ada] });
    await must('/v2/commentannotations/add', {
      ...at,
      commentAnnotations: [{ annotationId: 'a', commentData: [{ from: ada, commentText: 'Hi' }] }],
    });
  }
  expect((await stage.receivedBy(some)).map(({ event, data }) => [event, data.documentId])).toEqual([
    ['presence.update', 'home'],
    ['presence.update', 'other'],
  ]);
  expect((await stage.receivedBy(one)).map(({ event, data }) => [event, data.documentId])).toEqual([
    ['presence.update', 'home'],
    ['comment_annotation.add', 'home'],
  ]);
});

test('an invalid request is answered in the envelope, before any stream starts', async () => {
  const stage = await newEventStage();
  const other = await newWorkspace();
  const { token, headers } = await newUserToken(stage.workspace, {});
  const answer = async (query: Record<string, string> | string, sent: Record<string, string> = {}) => {
    const url = typeof query === 'string' ? `${stage.url({})}${query}` : stage.url(query);
    const response = await fetch(url, { headers: sent });
    const { error } = (await response.json()) as { error: { status: string; message: string } };
    expect(response.headers.get('content-type')).toContain('application/json');
    return [response.status, error.status, error.message];
  };
  const keys = stage.workspace.keyHeaders;
  const unauthenticated = [401, 'UNAUTHENTICATED', 'Invalid or missing credentials.'];
  const missing = 'The headers x-service-api-key and x-service-auth-token, or authorization, are missing.';
  expect(await answer({ organizationId })).toEqual([
    401,
    'UNAUTHENTICATED',
    `Invalid or missing credentials. ${missing}`,
  ]);
  expect(await answer({ organizationId, access_token: `${token}x` })).toEqual(unauthenticated);
  expect(await answer({ organizationId }, { authorization: 'Bearer x' })).toEqual(unauthenticated);
  expect(await answer({ organizationId }, { ...keys, 'x-service-auth-token': other.token })).toEqual(
    unauthenticated,
  );
  const invalid = (message: unknown) => [400, 'INVALID_ARGUMENT', message];
  expect(await answer({}, keys)).toEqual(invalid('organizationId is required.'));
  expect(await answer('organizationId=a&organizationId=b', keys)).toEqual(
    invalid('organizationId must be a string.'),
  );
  expect(await answer({ organizationId: '' }, keys)).toEqual(invalid('organizationId must not be empty.'));
  expect(await answer('organizationId=a%00b', keys)).toEqual(
    invalid('organizationId must not contain a NUL character.'),
  );
  expect(await answer({ organizationId, documentID: 'home' }, keys)).toEqual(
    invalid('documentID is not a known field.'),
  );
  expect(await answer({ organizationId, events: 'comment,agent.add,' }, keys)).toEqual(
    invalid(expect.stringMatching(/"agent\.add" is neither\.\n.*: "" is neither\.$/)),
  );
  expect(await answer({ organizationId, access_token: token }, headers)).toEqual(
    invalid('Credentials must be sent once: in headers, or as access_token.'),
  );
  expect(await answer({ organizationId: 'nowhere' }, keys)).toEqual([
    404,
    'NOT_FOUND',
    'Organization does not exist',
  ]);
  expect(await answer({ organizationId, documentId: 'none' }, keys)).toEqual([
    404,
    'NOT_FOUND',
    'Document does not exist',
  ]);
  // A user cannot distinguish a missing document from a forbidden one.
  expect(await answer({ organizationId: 'nowhere' }, headers)).toEqual([
    403,
    'PERMISSION_DENIED',
    'User does not have access to organization',
  ]);
  expect(await answer({ organizationId, documentId: 'none' }, headers)).toEqual([
    403,
    'PERMISSION_DENIED',
    'User does not have access to document',
  ]);
});

test('pages of allowed origins may connect with a token in the address, which is never logged', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const stage = await newEventStage({ deps: { log } });
  const { token } = await newUserToken(stage.workspace, {});
  await stage.workspace.must('/v2/workspace/domains/add', { domains: ['app.example.com'] });
  const preflight = await fetch(stage.url({ organizationId }), {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.com', 'access-control-request-method': 'GET' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-methods')).toBe('GET');
  expect(preflight.headers.get('access-control-allow-headers')).toContain('last-event-id');
  const from = async (origin: string) => {
    const client = await stage.open({ origin }, { access_token: token });
    expect(client.headers.get('access-control-allow-origin')).toBe(origin);
    expect(client.headers.get('vary')).toBe('origin');
    return client;
  };
  expect((await from('https://evil.example.com')).status).toBe(403);
  const page = await from('https://app.example.com');
  expect(page.status).toBe(200);
  page.close();
  await fetch(stage.url({ organizationId, access_token: token, documentId: 'none' }));
  await fetch(stage.url({ access_token: `${token}broken` }));
  await expect.poll(() => lines.filter((line) => line.includes('/v2/events')).length).toBeGreaterThan(4);
  expect(lines.filter((line) => line.includes(token.slice(-40)) || line.includes('access_token'))).toEqual(
    [],
  );
});

test('metrics of the feed are exported', async () => {
  const { app } = await testApp();
  const { body } = await app.inject('/metrics');
  for (const metric of feedMetrics) expect(body).toContain((metric as unknown as { name: string }).name);
});
