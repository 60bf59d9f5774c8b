import { expect, test } from 'vitest';
import { eventsOf } from '../../../test/messages/webhook-events.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { md5 } from '../../lib/ids.ts';

test('organizations are added, updated by adding them again, and listed with their metadata', async () => {
  const workspace = await newWorkspace();
  expect(
    await workspace.must('/v2/organizations/add', {
      organizations: [{ organizationId: 'acme', organizationName: 'Acme', region: 'EU', tags: ['a'] }],
    }),
  ).toEqual({ acme: { success: true, id: md5('acme'), message: 'Added Successfully' } });
  await workspace.must('/v1/organizations/add', {
    organizations: [
      { organizationId: 'acme', tags: ['b'], id: 'forged', disabled: true },
      { organizationId: 'beta' },
    ],
  });
  expect(await workspace.must('/v2/organizations/get')).toEqual([
    { id: 'acme', organizationName: 'Acme', disabled: false, region: 'EU', tags: ['b'] },
    { id: 'beta', organizationName: 'beta', disabled: false },
  ]);
});

test('update and delete report missing organizations', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/add', { organizations: [{ organizationId: 'a' }] });
  expect(
    await workspace.must('/v2/organizations/update', {
      organizations: [{ organizationId: 'a', organizationName: 'A' }, { organizationId: 'none' }],
    }),
  ).toMatchObject({
    a: { success: true, message: 'Updated Successfully' },
    none: { success: false, message: 'Organization does not exist' },
  });
  expect(await workspace.must('/v2/organizations/delete', { organizationIds: ['a', 'none'] })).toMatchObject({
    a: { success: true, id: md5('a'), message: 'Deleted Successfully' },
    none: { success: false, message: 'Organization does not exist' },
  });
  expect(await workspace.must('/v2/organizations/get')).toEqual([]);
});

test('an organization is deleted with its folders, documents and grants', async () => {
  const workspace = await newWorkspace();
  const organizationId = 'a';
  await workspace.must('/v2/organizations/documents/add', {
    organizationId,
    folderId: 'f',
    documents: [{ documentId: 'd' }],
  });
  await workspace.must('/v2/users/add', { organizationId, documentId: 'd', users: [{ userId: 'ada' }] });
  await workspace.must('/v2/users/add', { organizationId: 'b', users: [{ userId: 'ada' }] });
  await workspace.must('/v2/organizations/delete', { organizationIds: [organizationId] });
  const { deps } = await testApp();
  for (const table of ['folders', 'documents', 'grants'] as const) {
    const rows = await deps.db
      .selectFrom(table)
      .select('organizationId')
      .where('apiKeyId', '=', workspace.apiKeyId)
      .execute();
    expect([table, rows]).toEqual([table, table === 'grants' ? [{ organizationId: 'b' }] : []]);
  }
});

test('deleting an organization raises an event for each of its documents', async () => {
  const workspace = await newWorkspace();
  const documents = Array.from({ length: 1_000 }, (_, index) => ({ documentId: `d${index}` }));
  await workspace.must('/v2/organizations/documents/add', { organizationId: 'a', documents });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'a',
    folderId: 'f',
    documents: [{ documentId: 'in-folder' }],
  });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'b',
    documents: [{ documentId: 'kept' }],
  });
  await workspace.must('/v2/organizations/delete', { organizationIds: ['a', 'none'] });
  const events = (await eventsOf(workspace)).map(({ name, payload }) => [name, payload] as const);
  const deleted = events.filter(([name]) => name === 'document.delete').map(([, payload]) => payload);
  expect(deleted).toHaveLength(1_001);
  expect(deleted).toContainEqual({ organizationId: 'a', documentId: 'in-folder' });
  expect(deleted).not.toContainEqual(expect.objectContaining({ documentId: 'kept' }));
  expect(events.at(-1)).toEqual(['organization.delete', { organizationId: 'a' }]);
});

test('a batch can have a thousand organizations, with duplicates and unusual ids', async () => {
  const workspace = await newWorkspace();
  const organizations = Array.from({ length: 996 }, (_, index) => ({ organizationId: `o${index}` }));
  const unusual = ['constructor', "o'); drop table organizations; --", 'ünï/çødé 🙂', 'o0'].map(
    (organizationId) => ({
      organizationId,
      organizationName: 'last',
    }),
  );
  const data = await workspace.must('/v2/organizations/add', {
    organizations: [...organizations, ...unusual],
  });
  expect(Object.keys(data)).toHaveLength(999);
  const rows = await workspace.must('/v2/organizations/get');
  expect(rows).toHaveLength(999);
  expect(rows.filter((row: { organizationName: string }) => row.organizationName === 'last')).toHaveLength(4);
  const { deps } = await testApp();
  const events = await deps.db
    .selectFrom('events')
    .select('name')
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  expect(events).toHaveLength(999);
});

test('the pages together contain the whole list', async () => {
  const workspace = await newWorkspace();
  const ids = ['c', 'a', 'd', 'b', 'e'];
  for (const organizationId of ids)
    await workspace.must('/v2/organizations/add', { organizations: [{ organizationId }] });
  const seen: string[] = [];
  let pageToken: string | undefined;
  do {
    const { body } = await workspace.post('/v2/organizations/get', { pageSize: 2, pageToken });
    seen.push(...body.result.data.map((row: { id: string }) => row.id));
    pageToken = body.result.nextPageToken;
  } while (pageToken);
  expect([...seen].sort()).toEqual([...ids].sort());
  expect(new Set(seen).size).toBe(5);
  const only = await workspace.must('/v2/organizations/get', { organizationIds: ['e', 'none'] });
  expect(only.map((row: { id: string }) => row.id)).toEqual(['e']);
});
