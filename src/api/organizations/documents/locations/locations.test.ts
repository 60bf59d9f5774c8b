import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newWorkspace, send, type TestWorkspace, testApp } from '../../../../../test/service/harness.ts';

/** A workspace with two annotations on location `one`, one on `two` and one without a location. */
async function withAnnotations(organizationId = 'o'): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId,
    documents: [{ documentId: 'd' }],
  });
  const onLocation = (annotationId: string, id?: string) => ({
    annotationId,
    ...(id && { location: { id, locationName: id.toUpperCase() } }),
    commentData: [{ commentText: annotationId, from: { userId: 'ada' } }],
  });
  await workspace.must('/v2/commentannotations/add', {
    organizationId,
    documentId: 'd',
    commentAnnotations: [
      onLocation('a1', 'one'),
      onLocation('a2', 'one'),
      onLocation('b', 'two'),
      onLocation('c'),
    ],
  });
  await workspace.must('/v2/notifications/add', {
    organizationId,
    documentId: 'd',
    notificationId: 'n',
    location: { id: 'one' },
    actionUser: { userId: 'ada' },
    notifyUsers: [{ userId: 'bob' }],
    displayHeadlineMessageTemplate: 'x',
    displayBodyMessage: 'y',
  });
  return workspace;
}

const on = async (workspace: TestWorkspace, locationId: string, organizationId = 'o'): Promise<string[]> => {
  const rows = await workspace.must('/v2/commentannotations/get', {
    organizationId,
    locationIds: [locationId],
  });
  return rows.map((row: { annotationId: string }) => row.annotationId).sort();
};

const notificationsOn = async (workspace: TestWorkspace, locationId: string): Promise<number> => {
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('notifications')
    .select('notificationId')
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('locationId', '=', locationId)
    .execute();
  return rows.length;
};

const bodyOf = ({ apiKeyId, token }: TestWorkspace, more: object) => ({
  data: { apiKey: apiKeyId, authToken: token, organizationId: 'o', documentId: 'd', ...more },
});

const move = (workspace: TestWorkspace, from: string, to: string, more: object = {}) =>
  send(
    '/v1/organizations/documents/locations/update',
    bodyOf(workspace, {
      migrate: { oldLocation: { id: from }, newLocation: { id: to, locationName: 'New' } },
      ...more,
    }),
  );

test('the data of a location moves to an empty location', async () => {
  const workspace = await withAnnotations();
  expect((await move(workspace, 'one', 'three')).body).toEqual({
    result: { status: 'success', message: 'Location updated.', data: null },
  });
  expect([await on(workspace, 'one'), await on(workspace, 'three')]).toEqual([[], ['a1', 'a2']]);
  const [row] = await workspace.must('/v2/commentannotations/get', {
    organizationId: 'o',
    annotationIds: ['a1'],
  });
  expect(row.location).toEqual({ id: 'three', locationName: 'New' });
  expect([await notificationsOn(workspace, 'one'), await notificationsOn(workspace, 'three')]).toEqual([
    0, 1,
  ]);
  const { deps } = await testApp();
  const events = await deps.db
    .selectFrom('events')
    .select('payload')
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('name', '=', 'comment_annotation.update')
    .execute();
  expect(events.map(({ payload }) => payload.annotationId).sort()).toEqual(['a1', 'a2']);
});

test('moving to a location with data requires merge', async () => {
  const workspace = await withAnnotations();
  const { body } = await move(workspace, 'one', 'two');
  expect(body.error).toEqual({
    status: 'FAILED_PRECONDITION',
    message: 'The location two has data already; merge: true puts both together.',
  });
  expect(await on(workspace, 'two')).toEqual(['b']);
  expect((await move(workspace, 'one', 'two', { merge: true })).status).toBe(200);
  expect(await on(workspace, 'two')).toEqual(['a1', 'a2', 'b']);
});

test('the data of a location is deleted, and nothing else', async () => {
  const workspace = await withAnnotations();
  const reply = await send(
    '/v1/organizations/documents/locations/data/delete',
    bodyOf(workspace, { location: { id: 'one' } }),
  );
  expect(reply.body).toEqual({
    result: { status: 'success', message: 'Data deleted successfully.', data: null },
  });
  const left = await workspace.must('/v2/commentannotations/get', { organizationId: 'o' });
  expect(left.map((row: { annotationId: string }) => row.annotationId).sort()).toEqual(['b', 'c']);
  expect(await notificationsOn(workspace, 'one')).toBe(0);
});

test('a location with more annotations than one batch is moved and deleted completely', async () => {
  const workspace = await withAnnotations();
  const { deps } = await testApp();
  await sql`
    insert into annotations (api_key_id, organization_id, document_id, annotation_id, annotation_number, author_id,
      status_id, location_id, body, created_at, last_updated)
    select api_key_id, organization_id, document_id, 'many-' || n, annotation_number, author_id, status_id,
      location_id, body, created_at, last_updated
    from annotations, generate_series(1, 2300) as many(n)
    where api_key_id = ${workspace.apiKeyId} and annotation_id = 'a1'`.execute(deps.db);
  const count = async (locationId: string) =>
    (
      await deps.db
        .selectFrom('annotations')
        .select('annotationId')
        .where('apiKeyId', '=', workspace.apiKeyId)
        .where('locationId', '=', locationId)
        .execute()
    ).length;
  await move(workspace, 'one', 'three');
  expect([await count('one'), await count('three')]).toEqual([0, 2_302]);
  await send(
    '/v1/organizations/documents/locations/data/delete',
    bodyOf(workspace, { location: { id: 'three' } }),
  );
  expect([await count('three'), await count('two')]).toEqual([0, 1]);
});

test('the default organization can be omitted', async () => {
  const workspace = await withAnnotations('default');
  const { organizationId: _, ...data } = bodyOf(workspace, { location: { id: 'one' } }).data;
  expect((await send('/v1/organizations/documents/locations/data/delete', { data })).status).toBe(200);
  expect(await on(workspace, 'one', 'default')).toEqual([]);
});

test('wrong credentials are refused with the usual message', async () => {
  const workspace = await withAnnotations();
  for (const wrong of [{ authToken: 'no' }, { apiKey: 'no' }]) {
    const body = bodyOf(workspace, { location: { id: 'one' }, ...wrong });
    for (const reply of [
      await move(workspace, 'one', 'three', wrong),
      await send('/v1/organizations/documents/locations/data/delete', body),
    ])
      expect([reply.status, reply.body.error]).toEqual([
        401,
        { status: 'UNAUTHENTICATED', message: 'Invalid or missing credentials.' },
      ]);
  }
  expect(await on(workspace, 'one')).toEqual(['a1', 'a2']);
});

test('a location is moved to another one of a document that is there', async () => {
  const workspace = await withAnnotations();
  for (const [from, to, more, status] of [
    ['a', 'a', {}, 400],
    ['a', 'b', { documentId: 'none' }, 404],
    [7, 8, {}, 200],
  ] as const) {
    const migrate = { oldLocation: { id: from }, newLocation: { id: to } };
    const body = bodyOf(workspace, { migrate, ...more });
    const reply = await send('/v1/organizations/documents/locations/update', body);
    expect([from, to, reply.status]).toEqual([from, to, status]);
  }
});
