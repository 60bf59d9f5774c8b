import { expect, test } from 'vitest';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, type TestWorkspace } from '../../../test/service/harness.ts';

const organizationId = 'acme';
const member = { type: 'organization', id: organizationId };

async function withPeople() {
  const workspace = await newWorkspace();
  await workspace.must('/v2/users/add', {
    organizationId,
    users: [
      { userId: 'u1', name: 'Zoé Müller-Smith', email: 'zoe@acme.dev' },
      { userId: 'u2', name: "Anna O'Hara", email: 'anna.o@example.com' },
      { userId: 'u3', name: 'Bob', email: 'smithers@example.com' },
      { userId: 'u4' },
    ],
  });
  return workspace;
}

const found = async (workspace: TestWorkspace, text: string, more: object = {}) => {
  const { body } = await workspace.post('/v2/users/get', { organizationId, text, ...more });
  return body.result.data.map(({ userId }: { userId: string }) => userId);
};

test('people are found by beginnings of words, ordered by name', async () => {
  const workspace = await withPeople();
  for (const [text, expected] of [
    ['an', ['u2']],
    ['ANNA', ['u2']],
    ['smith', ['u3', 'u1']],
    ['müller sm', ['u1']],
    ['hara', ['u2']],
    ['acme.dev', ['u1']],
    ['anna.o@example.com', ['u2']],
    ['zoé', ['u1']],
    ['nna', []],
    ["'", []],
    ['\\', []],
    ["a' | b:*", []],
    ['anna bob', []],
  ] as const)
    expect([text, await found(workspace, text)]).toEqual([text, expected]);
});

test('people whose token grants a place are found there, and only there, without any stored right', async () => {
  const workspace = await withPeople();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId,
    documents: [{ documentId: 'd', accessType: 'restricted' }, { documentId: 'e' }],
  });
  const document = { type: 'document', id: 'd', organizationId };
  await newUserToken(workspace, { userId: 'guest', name: 'Gina', email: 'g@x.dev', resources: [document] });
  const eve = await newUserToken(workspace, {
    userId: 'eve',
    name: 'Eve',
    email: 'e@x.dev',
    resources: [member],
  });
  expect(await found(workspace, 'gina')).toEqual([]);
  expect(await found(workspace, 'gina', { documentId: 'd' })).toEqual(['guest']);
  expect(await found(workspace, 'gina', { documentId: 'e' })).toEqual([]);
  const asEve = await eve.post('/v2/users/get', { organizationId, text: 'ev' });
  expect(asEve.body.result.data).toMatchObject([{ userId: 'eve', name: 'Eve', email: 'e@x.dev' }]);
  expect((await eve.post('/v2/users/get', { organizationId, documentId: 'd', text: 'gina' })).status).toBe(
    403,
  );
  const listed = await workspace.post('/v2/users/get', { organizationId });
  const ids = listed.body.result.data.map(({ userId }: { userId: string }) => userId);
  expect(ids.sort()).toEqual(['u1', 'u2', 'u3', 'u4']);
  const again = await newUserToken(workspace, { userId: 'eve' });
  expect((await again.post('/v2/users/get', { organizationId, text: 'ev' })).status).toBe(403);
});

test('a person who is removed or erased is found no more, even if a token is still used', async () => {
  const workspace = await withPeople();
  const eve = await newUserToken(workspace, {
    userId: 'eve',
    name: 'Eve',
    email: 'e@x.dev',
    resources: [member],
  });
  expect(await found(workspace, 'eve')).toEqual(['eve']);
  await workspace.must('/v2/users/delete', { organizationId, userIds: ['eve'] });
  await eve.post('/v2/users/get', { organizationId, text: 'x' });
  expect(await found(workspace, 'eve')).toEqual([]);
});

test('the search is paged', async () => {
  const workspace = await withPeople();
  const users = Array.from({ length: 5 }, (_, index) => ({ userId: `p${index}`, name: `Pat ${index % 2}` }));
  await workspace.must('/v2/users/add', { organizationId, users });
  const seen: string[] = [];
  let pageToken: string | undefined;
  do {
    const { body } = await workspace.post('/v2/users/get', {
      organizationId,
      text: 'pat',
      pageSize: 2,
      pageToken,
    });
    seen.push(...body.result.data.map(({ userId }: { userId: string }) => userId));
    pageToken = body.result.nextPageToken;
  } while (pageToken !== undefined);
  expect(seen).toEqual(['p0', 'p2', 'p4', 'p1', 'p3']);
});
