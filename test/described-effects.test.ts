import { expect, test } from 'vitest';
import { newUserToken } from './people/user-token.ts';
import { newWorkspace, type TestWorkspace } from './service/harness.ts';

/** Statements of descriptions that the tests of the operations do not cover. */

const place = { organizationId: 'o', documentId: 'd' };

async function workspaceWith(accessType: string): Promise<TestWorkspace> {
  const w = await newWorkspace();
  await w.must('/v2/organizations/add', { organizations: [{ organizationId: 'o' }] });
  await w.must('/v1/organizations/documents/add', { organizationId: 'o', documents: [{ documentId: 'd' }] });
  await w.must('/v2/organizations/documents/access/update', {
    ...{ organizationId: 'o', documentIds: ['d'] },
    accessType,
  });
  return w;
}

const thread = (userId: string) => ({
  ...place,
  commentAnnotations: [{ commentData: [{ commentText: 'x', from: { userId } }] }],
});

test('a public document may be edited by users of the API key, except where a grant says otherwise', async () => {
  const w = await workspaceWith('public');
  const stranger = await newUserToken(w, { userId: 'zoe', resources: [] });
  const viewer = await newUserToken(w, {
    userId: 'vic',
    resources: [{ type: 'organization', id: 'o', accessRole: 'viewer' }],
  });
  expect((await stranger.post('/v2/commentannotations/add', thread('zoe'))).status).toBe(200);
  expect((await viewer.post('/v2/commentannotations/add', thread('vic'))).status).toBe(403);
});

test('activities without an id are new each time', async () => {
  const w = await workspaceWith('public');
  await w.must('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } });
  const activity = {
    ...{ featureType: 'custom', actionType: 'deploy', actionUser: { userId: 'eve' }, targetEntityId: 't' },
  };
  for (const id of ['one', 'one', undefined, undefined]) {
    await w.must('/v2/activities/add', { ...place, activities: [{ ...activity, id }] });
  }
  expect(await w.must('/v2/activities/get', { organizationId: 'o' })).toHaveLength(3);
});

test('an API key sees what it sent to a user by name; the user needs access to the document', async () => {
  const w = await workspaceWith('restricted');
  await w.must('/v2/notifications/add', {
    ...place,
    actionUser: { userId: 'eve' },
    notifyUsers: [{ userId: 'zoe', email: 'zoe@example.com' }],
    notifyAll: false,
    displayHeadlineMessageTemplate: 'Hello',
    displayBodyMessage: 'Hello',
  });
  const zoe = await newUserToken(w, { userId: 'zoe', resources: [] });
  expect(await w.must('/v2/notifications/get', { organizationId: 'o', userId: 'zoe' })).toHaveLength(1);
  const own = await zoe.post('/v2/notifications/get', { organizationId: 'o' });
  expect(own.body.result.data).toEqual([]);
});

test('without the last domain, pages of every origin may use user tokens', async () => {
  const w = await workspaceWith('public');
  const user = await newUserToken(w, { userId: 'zoe', resources: [] });
  const statusFrom = async (origin?: string) => {
    const headers: Record<string, string> = origin === undefined ? {} : { origin };
    const data = { organizationId: 'o', documentIds: ['d'] };
    return (await user.post('/v2/commentannotations/count/get', data, headers)).status;
  };
  await w.must('/v2/workspace/domains/add', { domains: ['app.example.com', 'new.example.com'] });
  expect(await statusFrom('https://elsewhere.example')).toBe(403);
  expect(await statusFrom()).toBe(200);
  await w.must('/v2/workspace/domains/delete', { domains: ['app.example.com'] });
  expect(await statusFrom('https://app.example.com')).toBe(403);
  await w.must('/v2/workspace/domains/delete', { domains: ['new.example.com'] });
  expect(await statusFrom('https://elsewhere.example')).toBe(200);
});
