import { expect, test } from 'vitest';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace } from '../../../test/service/harness.ts';

const place = { organizationId: 'acme', documentId: 'home' };
const viewer = { type: 'document', id: 'home', organizationId: 'acme', accessRole: 'viewer' };

async function withViewer() {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [
      { documentId: 'home', accessType: 'restricted', secretOfBackend: 1 },
      { documentId: 'other', accessType: 'restricted' },
      { documentId: 'open', accessType: 'public' },
    ],
  });
  return { workspace, user: await newUserToken(workspace, { resources: [viewer] }) };
}

test('a viewer is present as themselves, under the name of their token', async () => {
  const { workspace, user } = await withViewer();
  const asUser = async (name: string, data: object) => (await user.post(name, { ...place, ...data })).status;
  const present = async () =>
    (await workspace.post('/v2/presence/get', place)).body.result.data.map(
      ({ userId, name, status, cursor }: Record<string, unknown>) => ({ userId, name, status, cursor }),
    );
  const own = { userId: 'ada', name: 'The boss', cursor: 7 };
  expect(await asUser('/v2/presence/add', { users: [own] })).toBe(200);
  expect(await present()).toEqual([{ userId: 'ada', name: 'Ada', status: 'online', cursor: 7 }]);
  expect(await asUser('/v2/presence/update', { users: [{ userId: 'ada', status: 'away' }] })).toBe(200);
  expect(await present()).toMatchObject([{ userId: 'ada', name: 'Ada', status: 'away' }]);
  expect((await user.post('/v2/presence/get', place)).body.result.data).toHaveLength(1);
  for (const [name, data, status] of [
    ['/v2/presence/add', { users: [own, { userId: 'eve' }] }, 403],
    ['/v2/presence/update', { users: [{ userId: 'eve' }] }, 403],
    ['/v2/presence/delete', { userIds: ['ada', 'eve'] }, 403],
    ['/v2/presence/add', { users: [{ ...own, cursor: 'x'.repeat(9_000) }] }, 400],
    ['/v2/presence/add', { documentId: 'other', users: [own] }, 403],
    ['/v2/presence/get', { documentId: 'other' }, 403],
    ['/v2/presence/get', { documentId: 'nowhere' }, 403],
  ] as const)
    expect([name, await asUser(name, data)]).toEqual([name, status]);
  expect(await asUser('/v2/presence/delete', { userIds: ['ada'] })).toBe(200);
  expect(await present()).toEqual([]);
});

test('a user lists the documents that they are granted, without metadata, and reads public ones by their id', async () => {
  const { user } = await withViewer();
  const get = async (data: object) =>
    (await user.post('/v2/organizations/documents/get', { organizationId: 'acme', ...data })).body.result
      .data;
  const home = { id: 'home', documentName: expect.any(String), disabled: false, accessType: 'restricted' };
  expect(await get({})).toEqual([home]);
  const missing = { success: false, message: 'Document does not exist', code: 'not-found' };
  expect(await get({ documentIds: ['home', 'other', 'open', 'none'] })).toEqual([
    home,
    { id: 'other', ...missing },
    { ...home, id: 'open', accessType: 'public' },
    { id: 'none', ...missing },
  ]);
});
