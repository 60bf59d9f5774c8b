import { expect, test } from 'vitest';
import { editor, place, withDocument } from '../../../test/live/live-node.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import type { TestWorkspace } from '../../../test/service/harness.ts';

const add = (w: TestWorkspace, more: object = {}, headers = {}) =>
  w.post('/v2/crdt/add', { ...editor, type: 'text', data: 'Hello', ...more }, headers);
const update = (w: TestWorkspace, more: object = {}, headers = {}) =>
  w.post('/v2/crdt/update', { ...editor, type: 'text', data: 'Hello', ...more }, headers);
const contentOf = async (w: TestWorkspace) => (await w.must('/v2/crdt/get', editor))[0]?.data;

const tree = { title: 'Plan', tags: ['a', 'b'], meta: { done: false, left: null, size: 1.5 } };
const xml = '<paragraph>One <bold>two</bold></paragraph><image src="x.png"></image>';

test.each([
  ['text', 'Hello', 'Hello, world. \u{1F600}'],
  ['text', 'Hello', ''],
  ['map', tree, { title: 'Plan B', tags: ['b'], more: [{ x: 1 }] }],
  ['map', tree, {}],
  ['array', [1, 'two', { three: [3] }, null], [{ three: [] }, 1]],
  ['array', [], [[[]]]],
  ['xml', xml, '<paragraph>One</paragraph>'],
])('content of type %s is added, read and replaced', async (type, first, second) => {
  const w = await withDocument();
  const added = await add(w, { type, data: first });
  expect([added.status, added.body]).toEqual([
    200,
    { result: { status: 'success', message: 'CRDT data added successfully.' } },
  ]);
  const before = Date.now() - 60_000;
  const got = await w.post('/v2/crdt/get', editor);
  expect(got.body.result.data).toEqual([
    { id: 'body', data: first, lastUpdate: expect.any(String), lastUpdatedBy: null, sessionId: null },
  ]);
  expect(Date.parse(got.body.result.data[0].lastUpdate)).toBeGreaterThan(before);
  const updated = await update(w, { type, data: second });
  expect([updated.status, updated.body]).toEqual([
    200,
    { result: { status: 'success', message: 'CRDT data updated successfully.' } },
  ]);
  expect(await contentOf(w)).toEqual(second);
});

test('a TipTap editor can keep its content under another key', async () => {
  const w = await withDocument();
  await add(w, { type: 'xml', data: '<paragraph>One</paragraph>', contentKey: 'default' });
  expect(await contentOf(w)).toBe('<paragraph>One</paragraph>');
  const data = '<paragraph>Two</paragraph>';
  expect((await update(w, { type: 'xml', data, contentKey: 'default' })).status).toBe(200);
  expect(await contentOf(w)).toBe(data);
});

test('an editor is added once, even by concurrent requests, and only to an existing document', async () => {
  const w = await withDocument();
  const replies = await Promise.all(['one', 'two', 'three'].map((data) => add(w, { data })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const refused = replies.find(({ status }) => status === 409)!;
  expect(refused.body.error).toEqual({
    status: 'ALREADY_EXISTS',
    message: 'CRDT data already exists for this editor ID.',
  });
  expect(['one', 'two', 'three']).toContain(await contentOf(w));
  const nowhere = await add(w, { documentId: 'nowhere' });
  expect(nowhere.body.error).toEqual({ status: 'NOT_FOUND', message: 'Document does not exist' });
  expect(await w.must('/v2/crdt/get', { ...place, documentId: 'nowhere' })).toEqual([]);
});

test('an editor without content cannot be replaced', async () => {
  const w = await withDocument();
  const missing = { status: 'NOT_FOUND', message: 'No CRDT data found for this editor ID.' };
  expect((await update(w)).body.error).toEqual(missing);
  expect((await update(w, { documentId: 'nowhere' })).body.error).toEqual(missing);
  expect(await w.must('/v2/crdt/get', place)).toEqual([]);
});

test('content of another type is refused, and nothing changes', async () => {
  const w = await withDocument();
  await add(w);
  for (const [type, data, message] of [
    ['text', { a: 1 }, 'Data must be a string for type text.'],
    ['text', null, 'Data must be a string for type text.'],
    ['xml', ['<p/>'], 'Data must be a string for type xml.'],
    ['map', [1], 'Data must be an object for type map.'],
    ['map', null, 'Data must be an object for type map.'],
    ['array', { 0: 1 }, 'Data must be an array for type array.'],
  ])
    for (const reply of [
      await update(w, { type, data }),
      await add(w, { type, data, editorId: 'other' }),
      await update(w, { type, data, editorId: 'missing' }),
    ])
      expect(reply.body.error).toMatchObject({
        ...{ status: 'INVALID_ARGUMENT', message },
        details: { issues: [{ path: ['data'] }] },
      });
  expect((await w.must('/v2/crdt/get', place)).map(({ id, data }: never) => [id, data])).toEqual([
    ['body', 'Hello'],
  ]);
});

test('all problems are reported at once', async () => {
  const w = await withDocument();
  for (const operation of ['add', 'update']) {
    const wrong = { ...editor, editorId: ' ', type: 'map', data: 'x', contentKey: '' };
    expect((await w.post(`/v2/crdt/${operation}`, wrong)).body.error.message.split('\n')).toEqual([
      'editorId must not be empty.',
      'contentKey must not be empty.',
      'Data must be an object for type map.',
    ]);
    const reply = await w.post(`/v2/crdt/${operation}`, { ...editor, type: 'toString', data: 'x' });
    expect(reply.body.error.message).toBe('type must be text, map, array or xml.');
  }
});

test('content that does not match the existing content is refused, and changes nothing', async () => {
  const w = await withDocument();
  await add(w, { type: 'map', data: tree });
  const mismatch = await update(w, { type: 'array', data: [1] });
  expect([mismatch.status, mismatch.body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
  const elsewhere = await update(w, { type: 'map', data: {}, contentKey: 'default' });
  expect(elsewhere.body.error).toEqual({
    status: 'INVALID_ARGUMENT',
    message: 'There is nothing under contentKey "default": this editor keeps its content under "content".',
  });
  const broken = await update(w, { type: 'xml', data: '<p>never closed' });
  expect([broken.status, broken.body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
  expect(await contentOf(w)).toEqual(tree);
});

test('concurrent replacements all succeed, and one of them is the result', async () => {
  const w = await withDocument();
  await add(w, { data: 'start' });
  const texts = Array.from({ length: 50 }, (_, index) => `text ${index} `.repeat(1 + (index % 7)));
  const replies = await Promise.all(texts.map((data) => update(w, { data })));
  expect(replies.map(({ status }) => status)).toEqual(texts.map(() => 200));
  expect(texts).toContain(await contentOf(w));
});

test('a disabled document is closed to users, but not to its backend', async () => {
  const w = await withDocument();
  await add(w);
  const reader = await newUserToken(w, {
    resources: [{ type: 'organization', id: 'acme', accessRole: 'viewer' }],
  });
  expect((await reader.post('/v2/crdt/get', editor)).body.result.data).toMatchObject([{ data: 'Hello' }]);
  await w.must('/v2/organizations/documents/access/disablestate/update', {
    organizationId: 'acme',
    documentIds: ['home'],
    disabled: true,
  });
  const refused = await reader.post('/v2/crdt/get', editor);
  expect([refused.status, refused.body.error.status]).toEqual([403, 'PERMISSION_DENIED']);
  expect((await update(w, { data: 'Hello again' })).status).toBe(200);
  expect(await contentOf(w)).toBe('Hello again');
});

test('content may have almost the size of a body', async () => {
  const w = await withDocument();
  const large = 'a'.repeat(9_000_000);
  expect((await add(w, { data: large })).status).toBe(200);
  expect((await update(w, { data: `${large}b` })).status).toBe(200);
  expect((await contentOf(w)).length).toBe(9_000_001);
});

test('content is limited by the nesting of a body', async () => {
  const w = await withDocument();
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`) as unknown;
  expect((await add(w, { type: 'array', data: nested(62) })).status).toBe(200);
  expect(await contentOf(w)).toEqual(nested(62));
  const deeper = await update(w, { type: 'array', data: nested(64) });
  expect(deeper.body.error).toMatchObject({ status: 'INVALID_ARGUMENT' });
});

test('a repeated request with an idempotency-key is answered, and not executed again', async () => {
  const w = await withDocument();
  const adding = { 'idempotency-key': 'add-1' };
  const updating = { 'idempotency-key': 'update-1' };
  expect((await add(w, {}, adding)).status).toBe(200);
  const again = await add(w, {}, adding);
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
  await update(w, { data: 'first' }, updating);
  await update(w, { data: 'second' });
  const replayed = await update(w, { data: 'first' }, updating);
  expect([replayed.status, replayed.headers['idempotent-replayed']]).toEqual([200, 'true']);
  expect(await contentOf(w)).toBe('second');
  const other = await update(w, { data: 'third' }, updating);
  expect(other.body.error.status).toBe('INVALID_ARGUMENT');
  // A refused request can be repeated with its key.
  const failing = { 'idempotency-key': 'update-2' };
  expect((await update(w, { editorId: 'late' }, failing)).status).toBe(404);
  await add(w, { editorId: 'late' });
  expect((await update(w, { editorId: 'late' }, failing)).status).toBe(200);
});
