import { expect, test } from 'vitest';
import { newWorkspace } from '../../../../test/service/harness.ts';

const EXPLAIN = '/v2/auth/permissions/explain';

async function stage() {
  const w = await newWorkspace();
  await w.must('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] });
  await w.must('/v2/organizations/folders/add', {
    organizationId: 'acme',
    folders: [{ folderId: 'outer', folderName: 'Outer' }],
  });
  await w.must('/v1/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'website', accessType: 'restricted' }, { documentId: 'open' }],
  });
  const grant = async (userId: string, resource: object) =>
    await w.must('/v2/auth/permissions/add', {
      user: { userId },
      permissions: { resources: [{ organizationId: 'acme', ...resource }] },
    });
  return { w, grant };
}

const ask = (userId: string, more: object = {}) => ({ userId, organizationId: 'acme', ...more });

test('the role on a document comes with the rule and the grants that were looked at', async () => {
  const { w, grant } = await stage();
  const expiresAt = Math.floor(Date.now() / 1_000) + 3_600;
  await grant('eve', { type: 'organization', id: 'acme', accessRole: 'editor' });
  expect(await w.must(EXPLAIN, ask('eve', { documentId: 'website' }))).toEqual({
    accessRole: 'none',
    reason:
      'The document website is restricted, which a grant on its organization does not open: the user is stored as editor of the organization acme.',
    exists: true,
    disabled: false,
    accessType: 'restricted',
    folderIds: [],
    isAdmin: false,
    grants: [
      {
        ...{ source: 'stored', type: 'organization', id: 'acme', accessRole: 'editor' },
        ...{ expiresAt: null, expired: false, decided: false },
      },
    ],
  });
  await grant('eve', { type: 'document', id: 'website', accessRole: 'viewer', expiresAt });
  const explained = await w.must(EXPLAIN, ask('eve', { documentId: 'website' }));
  expect(explained).toMatchObject({
    accessRole: 'viewer',
    reason: 'The user is stored as viewer of the document website.',
    grants: [
      { type: 'document', expiresAt, expired: false, decided: true },
      { type: 'organization', decided: false },
    ],
  });
  expect(await w.must(EXPLAIN, ask('bob', { documentId: 'open' }))).toMatchObject({
    accessRole: 'editor',
    reason: 'The access type of the document open is public.',
    grants: [],
  });
});

test('folders and organizations are explained in their own words', async () => {
  const { w, grant } = await stage();
  expect(await w.must(EXPLAIN, ask('eve', { folderId: 'outer' }))).toMatchObject({
    accessRole: 'editor',
    reason: 'The access type of the folder outer is public.',
    folderIds: ['outer'],
  });
  await grant('eve', { type: 'folder', id: 'outer', accessRole: 'viewer' });
  expect(await w.must(EXPLAIN, ask('eve', { folderId: 'outer' }))).toMatchObject({
    accessRole: 'viewer',
    reason: 'The user is stored as viewer of the folder outer.',
  });
  expect(await w.must(EXPLAIN, ask('eve'))).toMatchObject({
    accessRole: 'none',
    reason: 'Nothing is granted on the organization acme.',
    exists: true,
  });
  await grant('eve', { type: 'organization', id: 'acme', accessRole: 'editor' });
  expect(await w.must(EXPLAIN, ask('eve'))).toMatchObject({
    accessRole: 'editor',
    reason: 'The user is stored as editor of the organization acme.',
    grants: [{ decided: true }],
  });
  await w.must('/v2/organizations/access/disablestate/update', {
    organizationIds: ['acme'],
    disabled: true,
  });
  expect(await w.must(EXPLAIN, ask('eve'))).toMatchObject({
    accessRole: 'none',
    reason: 'The organization acme is disabled.',
    disabled: true,
  });
});

test('what does not exist is explained as such', async () => {
  const { w } = await stage();
  const reason = async (more: object) => {
    const { exists, accessRole, reason } = await w.must(EXPLAIN, ask('eve', more));
    expect({ exists, accessRole }).toEqual({ exists: false, accessRole: 'none' });
    return reason;
  };
  expect(await reason({ documentId: 'gone' })).toBe('There is no document gone in the organization acme.');
  expect(await reason({ folderId: 'gone' })).toBe('There is no folder gone in the organization acme.');
  expect(await reason({ organizationId: 'gone' })).toBe('There is no organization gone.');
  const { body } = await w.post(EXPLAIN, ask('eve', { documentId: 'open', folderId: 'outer' }));
  expect(body.error.message).toContain('Only one of documentId and folderId is allowed.');
});

test('the grants of a token of the user count first, and other tokens are refused', async () => {
  const { w, grant } = await stage();
  await grant('eve', { type: 'document', id: 'website', accessRole: 'editor' });
  const { token } = await w.must('/v2/auth/generate_token', {
    userId: 'eve',
    userProperties: { name: 'Eve', email: 'eve@acme.example' },
    permissions: {
      resources: [{ type: 'document', id: 'website', organizationId: 'acme', accessRole: 'viewer' }],
    },
  });
  expect(await w.must(EXPLAIN, ask('eve', { documentId: 'website', userToken: token }))).toMatchObject({
    accessRole: 'viewer',
    reason: 'The token grants viewer on the document website.',
    grants: [
      { source: 'token', decided: true },
      { source: 'stored', decided: false },
    ],
  });
  const errorOf = async (data: object) => (await w.post(EXPLAIN, data)).body.error;
  expect(await errorOf(ask('bob', { userToken: token }))).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message: 'userToken is that of the user eve.',
  });
  expect(await errorOf(ask('eve', { userToken: `${token}x` }))).toMatchObject({
    status: 'INVALID_ARGUMENT',
  });
});
