import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../../../test/service/harness.ts';

const LIST = '/v2/users/organizations/get';

test('the organizations of a user are listed in pages, with what is granted in each', async () => {
  const w = await newWorkspace();
  for (const organizationId of ['a', 'b', 'c', 'd']) {
    await w.must('/v2/organizations/add', {
      organizations: [{ organizationId, organizationName: `Org ${organizationId}` }],
    });
    await w.must('/v1/organizations/documents/add', {
      organizationId,
      documents: [{ documentId: 'x' }, { documentId: 'y' }],
    });
  }
  const resources = [
    { type: 'organization', id: 'a', organizationId: 'a', accessRole: 'viewer' },
    { type: 'document', id: 'x', organizationId: 'a', accessRole: 'editor' },
    { type: 'document', id: 'x', organizationId: 'b', accessRole: 'editor' },
    { type: 'document', id: 'y', organizationId: 'b', accessRole: 'editor' },
    { type: 'organization', id: 'd', organizationId: 'd', accessRole: 'editor' },
  ];
  await w.must('/v2/auth/permissions/add', { user: { userId: 'eve' }, permissions: { resources } });

  const { deps } = await testApp();
  await deps.db
    .updateTable('grants')
    .set({ expiresAt: Date.now() - 1 })
    .where('apiKeyId', '=', w.apiKeyId)
    .where('organizationId', '=', 'd')
    .execute();

  const first = (await w.post(LIST, { userId: 'eve', pageSize: 1 })).body.result;
  expect(first.data).toEqual([
    {
      ...{ organizationId: 'a', organizationName: 'Org a', disabled: false },
      ...{ accessRole: 'viewer', folders: 0, documents: 1 },
    },
  ]);
  const second = (await w.post(LIST, { userId: 'eve', pageSize: 1, pageToken: first.nextPageToken })).body
    .result;
  expect(second.data).toMatchObject([{ organizationId: 'b', accessRole: null, documents: 2 }]);
  expect(second.nextPageToken ?? null).toBeNull();
  expect((await w.post(LIST, { userId: 'stranger' })).body.result.data).toEqual([]);
});
