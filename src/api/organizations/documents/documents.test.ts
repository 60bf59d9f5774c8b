import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../../../test/service/harness.ts';

const ids = (rows: { id: string }[]) => rows.map((row) => row.id);

test('documents are added, and a missing organization is created', async () => {
  const workspace = await newWorkspace();
  const added = await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [
      { documentId: 'home', documentName: 'Home', owner: { team: 'web' }, accessType: 'restricted' },
    ],
    folderId: 'f1',
  });
  expect(added).toEqual({
    home: { success: true, id: expect.stringMatching(/^\d{16}$/), message: 'Added Successfully' },
  });
  expect(await workspace.must('/v2/organizations/documents/get', { organizationId: 'acme' })).toEqual([
    {
      id: 'home',
      documentName: 'Home',
      disabled: false,
      accessType: 'restricted',
      folderId: 'f1',
      owner: { team: 'web' },
    },
  ]);
  expect(ids(await workspace.must('/v2/organizations/get'))).toEqual(['acme']);
});

test('a missing organization is not created if the request forbids it', async () => {
  const workspace = await newWorkspace();
  const { status, body } = await workspace.post('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
    createOrganization: false,
  });
  expect(status).toBe(404);
  expect(body.error).toEqual({ status: 'NOT_FOUND', message: 'Organization does not exist' });
});

test('an existing document fails alone within a successful batch', async () => {
  const workspace = await newWorkspace();
  const add = (...documentIds: string[]) =>
    workspace.must('/v2/organizations/documents/add', {
      organizationId: 'acme',
      documents: documentIds.map((documentId) => ({ documentId, documentName: documentId.toUpperCase() })),
    });
  const first = await add('a');
  expect(await add('a', 'b', 'constructor')).toEqual({
    a: { success: false, id: first.a.id, message: 'Document already exists', code: 'already-exists' },
    b: { success: true, id: expect.any(String), message: 'Added Successfully' },
    constructor: { success: true, id: expect.any(String), message: 'Added Successfully' },
  });
});

test('an id that is sent twice is one document, with the later fields', async () => {
  const workspace = await newWorkspace();
  const documents = [
    { documentId: 'a', documentName: 'first' },
    { documentId: 'a', documentName: 'second' },
  ];
  const data = await workspace.must('/v2/organizations/documents/add', { organizationId: 'acme', documents });
  expect(data.a.success).toBe(true);
  expect(await workspace.must('/v2/organizations/documents/get', { organizationId: 'acme' })).toMatchObject([
    { id: 'a', documentName: 'second' },
  ]);
});

test('concurrent additions create each document once', async () => {
  const workspace = await newWorkspace();
  const documents = Array.from({ length: 40 }, (_, index) => ({ documentId: `d${index}` }));
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      workspace.must('/v2/organizations/documents/add', {
        organizationId: 'acme',
        documents: index % 2 ? documents : documents.toReversed(),
      }),
    ),
  );
  const added = replies
    .flatMap((data) => Object.values(data))
    .filter((item) => (item as { success: boolean }).success);
  expect(added).toHaveLength(40);
});

test('concurrent additions to a missing organization all succeed, and announce it once and first', async () => {
  const workspace = await newWorkspace();
  const documentIds = Array.from({ length: 8 }, (_, index) => `d${index}`);
  const answers = await Promise.all(
    documentIds.map((documentId) =>
      workspace.must('/v2/organizations/documents/add', {
        organizationId: 'acme',
        documents: [{ documentId }],
      }),
    ),
  );
  for (const [index, answer] of answers.entries())
    expect(answer[documentIds[index]!]).toMatchObject({ success: true });
  const { deps } = await testApp();
  const events = await deps.db
    .selectFrom('events')
    .select(['name', 'payload'])
    .where('apiKeyId', '=', workspace.apiKeyId)
    .orderBy('seq')
    .execute();
  expect(events[0]).toEqual({
    name: 'organization.add',
    payload: { organizationId: 'acme', organizationName: 'acme' },
  });
  const added = events.slice(1).map(({ name, payload }) => ({ name, ...payload }));
  expect(added).toHaveLength(documentIds.length);
  expect(added).toEqual(
    expect.arrayContaining(
      documentIds.map((documentId) => ({
        name: 'document.add',
        organizationId: 'acme',
        documentId,
        documentName: documentId,
      })),
    ),
  );
});

test('requested ids are returned in their order, and missing ones reported', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'a' }, { documentId: 'b' }],
  });
  const get = (extra: object) =>
    workspace.post('/v2/organizations/documents/get', {
      organizationId: 'acme',
      documentIds: ['b', 'x', 'a'],
      ...extra,
    });
  expect((await get({})).body.result.data).toEqual([
    expect.objectContaining({ id: 'b', documentName: 'b' }),
    { id: 'x', success: false, message: 'Document does not exist', code: 'not-found' },
    expect.objectContaining({ id: 'a' }),
  ]);
  const first = await get({ pageSize: 2 });
  const second = await get({ pageSize: 2, pageToken: first.body.result.pageToken });
  expect([...ids(first.body.result.data), ...ids(second.body.result.data)]).toEqual(['b', 'x', 'a']);
  expect(second.body.result).not.toHaveProperty('pageToken');
});

test('the pages together contain the whole list, of one folder, too', async () => {
  const workspace = await newWorkspace();
  const documents = Array.from({ length: 25 }, (_, index) => ({ documentId: `d${index}` }));
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents,
    folderId: 'f',
  });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'x' }],
  });
  const seen: string[] = [];
  let pageToken: string | undefined;
  do {
    const { body } = await workspace.post('/v2/organizations/documents/get', {
      organizationId: 'acme',
      folderId: 'f',
      pageSize: 10,
      pageToken,
    });
    seen.push(...ids(body.result.data));
    pageToken = body.result.pageToken;
  } while (pageToken);
  expect(seen.sort()).toEqual(documents.map((one) => one.documentId).sort());
});

test('documents without an access type get the default of the key', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'a' }],
  });
  const accessType = async () =>
    (await workspace.must('/v2/organizations/documents/get', { organizationId: 'acme' }))[0].accessType;
  expect(await accessType()).toBe('public');
  await workspace.must('/v2/workspace/apikeyconfig/update', {
    defaultDocumentAccessType: 'organizationPrivate',
  });
  expect(await accessType()).toBe('organizationPrivate');
});

test('deleting a missing document succeeds, and is reported', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'a' }],
  });
  expect(
    await workspace.must('/v2/organizations/documents/delete', {
      organizationId: 'acme',
      documentIds: ['a', 'x'],
    }),
  ).toEqual({
    a: { success: true, id: expect.stringMatching(/^\d{16}$/), message: 'Deleted Successfully' },
    x: { success: true, id: expect.stringMatching(/^\d{16}$/), message: 'Document does not exist' },
  });
  expect(await workspace.must('/v2/organizations/documents/get', { organizationId: 'acme' })).toEqual([]);
  const { deps } = await testApp();
  const events = await deps.db
    .selectFrom('events')
    .select('name')
    .where('apiKeyId', '=', workspace.apiKeyId)
    .orderBy('seq')
    .execute();
  expect(events.map((event) => event.name)).toEqual(['organization.add', 'document.add', 'document.delete']);
});

test('adding to an organization that is deleted meanwhile causes no error', async () => {
  const workspace = await newWorkspace();
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 2
        ? workspace.post('/v2/organizations/delete', { organizationIds: ['acme'] })
        : workspace.post('/v2/organizations/documents/add', {
            organizationId: 'acme',
            documents: [{ documentId: `d${index}` }],
          }),
    ),
  );
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
});

test('ids that are too long for an index of the database are refused', async () => {
  const w = await newWorkspace();
  // Distinct letters, since the index compresses repetitions.
  const long = (from: number) => String.fromCodePoint(...Array.from({ length: 512 }, (_, at) => from + at));
  const { status, body } = await w.post('/v1/organizations/documents/add', {
    organizationId: long(0x4e00),
    documents: [{ documentId: long(0x6000) }],
    createOrganization: true,
  });
  expect([status, body.error.message]).toEqual([400, 'The ids take too many bytes in UTF-8 together.']);
});
