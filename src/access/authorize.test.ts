import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../test/service/harness.ts';
import type { Caller, TokenGrant } from '../lib/scope.ts';
import { putGrants } from '../store/access/grants.ts';
import { loadReader, readableDocument } from '../store/access/visibility-sql.ts';
import { actingUser, authorize, documentRoleOf } from './authorize.ts';

const ORGANIZATION = 'acme';
const FOLDERS = [
  { folderId: 'top', parentFolderId: undefined },
  { folderId: 'inner', parentFolderId: 'top' },
];
const DOCUMENTS = [
  ['public', undefined, 'public'],
  ['private', undefined, 'organizationPrivate'],
  ['closed', undefined, 'restricted'],
  ['in-top', 'top', 'restricted'],
  ['in-inner', 'inner', 'organizationPrivate'],
  ['inherits', 'inner', undefined],
  ['disabled', undefined, 'public'],
] as const;

async function world() {
  const workspace = await newWorkspace();
  for (const { folderId, parentFolderId } of FOLDERS) {
    await workspace.must('/v2/organizations/folders/add', {
      organizationId: ORGANIZATION,
      folders: [{ folderId, parentFolderId, ...(folderId === 'top' && { accessType: 'restricted' }) }],
    });
  }
  for (const [documentId, folderId, accessType] of DOCUMENTS) {
    await workspace.must('/v2/organizations/documents/add', {
      organizationId: ORGANIZATION,
      folderId,
      documents: [{ documentId, accessType }],
    });
  }
  await workspace.must('/v2/organizations/documents/access/disablestate/update', {
    organizationId: ORGANIZATION,
    documentIds: ['disabled'],
    disabled: true,
  });
  return workspace;
}

const target = fc.constantFrom(
  { type: 'organization' as const, id: ORGANIZATION },
  { type: 'folder' as const, id: 'top' },
  { type: 'folder' as const, id: 'inner' },
  ...DOCUMENTS.map(([id]) => ({ type: 'document' as const, id })),
);
const grant = fc.record({
  target,
  accessRole: fc.constantFrom('viewer' as const, 'editor' as const),
  expired: fc.boolean(),
});

test('the documents that lists show to a user are those that the rules let them read', async () => {
  const workspace = await world();
  const { deps } = await testApp();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(grant, { maxLength: 4 }),
      fc.array(grant, { maxLength: 4 }),
      fc.boolean(),
      async (stored, carried, isAdmin) => {
        const userId = `user${count++}`;
        const expiry = (expired: boolean) => (expired ? Date.now() - 1_000 : Date.now() + 600_000);
        await deps.db.transaction().execute((tx) =>
          putGrants(
            tx,
            workspace,
            stored.map(({ target, accessRole, expired }) => ({
              organizationId: ORGANIZATION,
              resourceType: target.type,
              resourceId: target.id,
              userId,
              accessRole,
              expiresAt: expiry(expired),
            })),
          ),
        );
        const resources = carried.map(
          ({ target, accessRole, expired }): TokenGrant => ({
            ...target,
            organizationId: ORGANIZATION,
            accessRole,
            expiresAt: expiry(expired),
          }),
        );
        const user = { userId, name: '', email: '', isAdmin, resources, expiresAt: Date.now() + 600_000 };
        const caller: Caller = { workspaceId: workspace.workspaceId, apiKeyId: workspace.apiKeyId, user };
        const reader = await loadReader(deps.db, caller, ORGANIZATION);
        const listed = await deps.db
          .selectFrom('documents')
          .select('documentId')
          .where('apiKeyId', '=', workspace.apiKeyId)
          .where(readableDocument(reader!, 'documents'))
          .execute();
        const decided: string[] = [];
        for (const [documentId] of DOCUMENTS) {
          const place = { organizationId: ORGANIZATION, documentId };
          const { role } = await documentRoleOf(deps.db, caller, user, place);
          if (role !== 'none') decided.push(documentId);
        }
        expect(listed.map((row) => row.documentId).sort()).toEqual(decided.sort());
      },
    ),
    { numRuns: 40 },
  );
});

test('a missing document is refused like a closed one', async () => {
  const workspace = await world();
  const { deps } = await testApp();
  const user = { userId: 'u', name: '', email: '', isAdmin: false, resources: [], expiresAt: 0 };
  const caller: Caller = { workspaceId: workspace.workspaceId, apiKeyId: workspace.apiKeyId, user };
  const refusals = await Promise.all(
    ['closed', 'unknown', 'disabled'].map((documentId) =>
      authorize(deps.db, caller, { organizationId: ORGANIZATION, documentId }, 'viewer').catch(
        ({ status, message }) => ({ status, message }),
      ),
    ),
  );
  expect(refusals).toEqual(
    Array(3).fill({ status: 'PERMISSION_DENIED', message: 'User does not have access to document' }),
  );
  await authorize(deps.db, caller, { organizationId: ORGANIZATION, documentId: 'public' }, 'editor');
  await authorize(deps.db, workspace, { organizationId: ORGANIZATION, documentId: 'unknown' }, 'editor');
});

test('a user acts under their own name, and an API key under the name it sends', () => {
  const user = { userId: 'ada', name: 'Ada', email: 'a@x.com', isAdmin: false, resources: [], expiresAt: 0 };
  const asUser: Caller = { workspaceId: 'w', apiKeyId: 'k', user };
  const ada = { userId: 'ada', name: 'Ada', email: 'a@x.com' };
  expect(actingUser(asUser, undefined)).toEqual(ada);
  expect(actingUser(asUser, { userId: 'ada', name: 'Somebody' })).toEqual(ada);
  expect(() => actingUser(asUser, { userId: 'eve' })).toThrow('from names somebody else');
  const backend: Caller = { workspaceId: 'w', apiKeyId: 'k' };
  expect(actingUser(backend, { userId: 'eve', name: 'Eve' })).toEqual({ userId: 'eve', name: 'Eve' });
  expect(actingUser(backend, undefined)).toBeUndefined();
});
