import { expect, test } from 'vitest';
import { addNotes, COUNT, note, PLACE, UPDATE } from '../../../../test/documents/annotations.ts';
import { newUserToken } from '../../../../test/people/user-token.ts';
import { newWorkspace } from '../../../../test/service/harness.ts';

test('counts have the requested statuses and every requested document', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  await addNotes(workspace, [note('a1'), note('a2')]);
  await workspace.must(UPDATE, {
    ...PLACE,
    annotationIds: ['a1'],
    updatedData: { status: { id: 'RESOLVED' } },
  });
  const count = (data: object) =>
    workspace.must(COUNT, { organizationId: 'acme', documentIds: ['home'], ...data });
  const request = { documentIds: ['home', 'none', 'toString'], userId: 'ann', statusIds: ['OPEN', 'LATER'] };
  expect(await count(request)).toEqual({
    home: { total: 1, unread: 0 },
    none: { total: 0, unread: 0 },
    toString: { total: 0, unread: 0 },
  });
  expect(await count({ userId: 'ann' })).toEqual({ home: { total: 2, unread: 1 } });
  const { body } = await workspace.post(COUNT, { organizationId: 'acme', documentIds: ['home'] });
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', message: 'userId is required.' });
});

test('an API key may count what the user may not see', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  await addNotes(workspace, [
    note('a1'),
    { ...note('a2'), visibility: { type: 'restricted', userIds: ['zoe'] } },
  ]);
  const data = { organizationId: 'acme', documentIds: ['home'], userId: 'bob' };
  expect(await workspace.must(COUNT, data)).toEqual({ home: { total: 1, unread: 1 } });
  const all = { ...data, allAnnotations: true };
  expect(await workspace.must(COUNT, all)).toEqual({ home: { total: 2, unread: 2 } });
  await workspace.must(UPDATE, {
    ...PLACE,
    annotationIds: ['a2'],
    updatedData: { viewedByUserIds: ['bob'] },
  });
  expect(await workspace.must(COUNT, all)).toEqual({ home: { total: 2, unread: 1 } });

  const bob = await newUserToken(workspace, {
    userId: 'bob',
    resources: [{ type: 'organization', id: 'acme' }],
  });
  const refused = await bob.post(COUNT, all);
  expect(refused.body.error).toMatchObject({ status: 'PERMISSION_DENIED' });
});
