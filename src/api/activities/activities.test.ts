import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';

const place = { organizationId: 'acme', documentId: 'home' };
const organizationId = 'acme';
const actionUser = { userId: 'u1', name: 'Ada' };

const activity = (id: string, more: object = {}) => ({
  id,
  featureType: 'comment',
  actionType: 'comment.add',
  actionUser,
  targetEntityId: 't1',
  ...more,
});

async function newEnabledWorkspace(config: object = {}): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  await workspace.must('/v2/workspace/activityconfig/update', {
    activityServiceConfig: { isEnabled: true, immutable: false, ...config },
  });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId,
    documents: [{ documentId: 'home' }, { documentId: 'other' }],
  });
  return workspace;
}

const add = (workspace: TestWorkspace, ...activities: object[]) =>
  workspace.must('/v2/activities/add', { ...place, activities });
const get = (workspace: TestWorkspace, filter: object = {}) =>
  workspace.must('/v2/activities/get', { organizationId, ...filter });
const idsOf = async (workspace: TestWorkspace, filter: object = {}) =>
  (await get(workspace, filter)).map((activity: { id: string }) => activity.id).sort();

test('an activity is returned as it was sent, with its place and time', async () => {
  const workspace = await newEnabledWorkspace();
  const details = {
    targetSubEntityId: '7',
    changes: { status: { from: 'OPEN', to: { id: 'RESOLVED' } } },
    entityData: { a: 1 },
    entityTargetData: { b: [2] },
    displayMessageTemplate: '{{actionUser}} did {{it}}',
    displayMessageTemplateData: { it: 'that' },
    actionIcon: 'icon',
    isActivityResolverUsed: false,
  };
  const { body } = await workspace.post('/v2/activities/add', {
    ...place,
    activities: [activity('a', details)],
  });
  expect(body.result.data).toEqual({ success: true, message: 'Activity(s) added successfully.' });
  expect(await workspace.must('/v2/activities/get', { organizationId })).toEqual([
    {
      ...activity('a', details),
      metadata: { apiKey: workspace.apiKeyId, ...place },
      immutable: false,
      timestamp: expect.any(Number),
    },
  ]);
});

test('without the log turned on, a document or what an activity is about, nothing is written', async () => {
  const workspace = await newWorkspace();
  const addOne = async (more: object = {}) => {
    const data = { ...place, activities: [activity('a', more)] };
    return (await workspace.post('/v2/activities/add', data)).body.error;
  };
  expect((await addOne()).status).toBe('FAILED_PRECONDITION');
  await workspace.must('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } });
  expect(await addOne()).toEqual({ status: 'NOT_FOUND', message: 'Document does not exist' });
  const custom = { featureType: 'custom', targetEntityId: undefined };
  expect((await addOne(custom)).status).toBe('INVALID_ARGUMENT');
  expect(await get(workspace)).toEqual([]);
});

test('a reused id overwrites an activity unless it is immutable', async () => {
  const workspace = await newEnabledWorkspace();
  await add(workspace, activity('a'));
  const [{ timestamp }] = await get(workspace);
  await add(workspace, activity('a', { actionIcon: '1' }), activity('a', { actionIcon: '2' }));
  expect(await get(workspace)).toMatchObject([{ id: 'a', actionIcon: '2', timestamp }]);
  await workspace.must('/v2/workspace/activityconfig/update', { activityServiceConfig: { immutable: true } });
  await add(workspace, activity('b', { actionIcon: '1' }));
  await add(workspace, activity('b', { actionIcon: '2' }));
  expect(await get(workspace, { activityIds: ['b'] })).toMatchObject([{ actionIcon: '1', immutable: true }]);
});

test('an update changes the sent fields, and no immutable activity', async () => {
  const workspace = await newEnabledWorkspace();
  await add(workspace, activity('a', { actionIcon: 'old', entityData: { x: 1 } }));
  await workspace.must('/v2/workspace/activityconfig/update', { activityServiceConfig: { immutable: true } });
  await add(workspace, activity('fixed'));
  expect(
    await workspace.must('/v2/activities/update', {
      organizationId,
      activities: [
        { id: 'a', actionType: 'custom.type', actionUser: { userId: 'u2' }, entityData: { y: 2 } },
        { id: 'fixed', actionIcon: 'new' },
        { id: 'missing', actionIcon: 'new' },
      ],
    }),
  ).toEqual({
    a: { success: true, id: 'a', message: 'Activity updated.' },
    fixed: { success: false, id: 'fixed', message: 'Failed to update activity.' },
    missing: { success: false, id: 'missing', message: 'Failed to update activity.' },
  });
  expect(await get(workspace, { activityIds: ['a'] })).toMatchObject([
    { actionType: 'custom.type', actionUser: { userId: 'u2' }, actionIcon: 'old', entityData: { y: 2 } },
  ]);
  expect((await get(workspace, { activityIds: ['fixed'] }))[0]).not.toHaveProperty('actionIcon');
});

test('filters are combined, in lists and deletions', async () => {
  const workspace = await newEnabledWorkspace();
  await add(
    workspace,
    activity('a'),
    activity('b', { targetEntityId: 't2' }),
    activity('c', { featureType: 'custom', actionType: 'x', actionUser: { userId: 'u2' } }),
  );
  await workspace.must('/v2/activities/add', { ...place, documentId: 'other', activities: [activity('d')] });
  expect(await idsOf(workspace)).toEqual(['a', 'b', 'c', 'd']);
  expect(await idsOf(workspace, { documentId: 'other' })).toEqual(['d']);
  expect(await idsOf(workspace, { targetEntityId: 't1' })).toEqual(['a', 'c', 'd']);
  expect(await idsOf(workspace, { featureTypes: ['custom', 'crdt'] })).toEqual(['c']);
  expect(await idsOf(workspace, { actionTypes: ['comment.add'], userId: 'u1', documentId: 'home' })).toEqual([
    'a',
    'b',
  ]);
  expect(await idsOf(workspace, { activityIds: ['a', 'c', 'x'] })).toEqual(['a', 'c']);

  const remove = (selection: object) =>
    workspace.post('/v2/activities/delete', { organizationId, ...selection });
  expect((await remove({ documentId: 'other', activityIds: ['a', 'd'] })).body.result).toEqual({
    status: 'success',
    message: 'Activity(s) deleted successfully.',
    data: {
      a: { success: false, id: 'a', message: 'Failed to delete activity.' },
      d: { success: true, id: 'd', message: 'Activity deleted.' },
    },
  });
  await remove({ targetEntityId: 't2' });
  expect(await idsOf(workspace)).toEqual(['a', 'c']);
  expect((await remove({})).body.error.status).toBe('INVALID_ARGUMENT');
  await remove({ documentId: 'home' });
  expect(await idsOf(workspace)).toEqual([]);
});

test('the pages together contain the whole list, in either order', async () => {
  const workspace = await newEnabledWorkspace();
  for (let index = 0; index < 7; index++) await add(workspace, activity(`a${index}`));
  for (const order of ['asc', 'desc']) {
    const seen: { id: string; timestamp: number }[] = [];
    let pageToken: string | undefined;
    do {
      const page = { organizationId, order, pageSize: 3, pageToken };
      const { body } = await workspace.post('/v2/activities/get', page);
      seen.push(...body.result.data);
      pageToken = body.result.pageToken;
    } while (pageToken);
    expect(seen.map(({ id }) => id).sort()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
    const times = seen.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted((a, b) => (order === 'asc' ? a - b : b - a)));
  }
});

test('the acting user is shown with their current name', async () => {
  const workspace = await newEnabledWorkspace();
  await add(workspace, activity('a'));
  await workspace.must('/v2/users/add', {
    organizationId,
    users: [{ userId: 'u1', name: 'Countess', email: 'a@x.org' }],
  });
  expect((await get(workspace))[0].actionUser).toEqual({ userId: 'u1', name: 'Countess', email: 'a@x.org' });
});

test('a thousand activities can be added in one call, each raises an event, and concurrent batches do not deadlock', async () => {
  const workspace = await newEnabledWorkspace();
  const many = Array.from({ length: 1_000 }, (_, index) => activity(`a${index}`));
  await Promise.all([add(workspace, ...many), add(workspace, ...many.toReversed())]);
  expect(await idsOf(workspace)).toHaveLength(1_000);
  const { deps } = await testApp();
  const { count } = await deps.db
    .selectFrom('events')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('name', '=', 'activity.add')
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(2_000);
});
