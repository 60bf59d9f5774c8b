import { expect, test } from 'vitest';
import {
  ADD,
  addNotes,
  ann,
  bob,
  COUNT,
  DELETE,
  eventPayloads,
  GET,
  note,
  PLACE,
  recordOfNote,
  UPDATE,
} from '../../../test/documents/annotations.ts';
import { newUserToken, type TestUser } from '../../../test/people/user-token.ts';
import { newWorkspace, type Reply, type TestWorkspace } from '../../../test/service/harness.ts';

const onDocument = (accessRole: string, documentId = 'home') => ({
  type: 'document',
  id: documentId,
  organizationId: 'acme',
  accessRole,
});
const inOrganization = { type: 'organization', id: 'acme', accessRole: 'editor' };

/** A workspace with restricted documents, and a token of Ada with these grants. */
async function withUser(resources: object[] = [onDocument('editor')], options: object = {}) {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: ['home', 'closed'].map((documentId) => ({ documentId, accessType: 'restricted' })),
  });
  const user = await newUserToken(workspace, { ...options, resources });
  return { workspace, user };
}

const ada = { userId: 'ada', name: 'Ada', email: 'ada@example.com' };
const byAda = { commentData: [{ commentText: 'x' }] };
const idsIn = ({ body }: Reply): (string | null)[] =>
  body.result.data.map((row: { annotationId: string } | null) => row?.annotationId ?? null);
const update = (user: TestUser, annotationId: string, updatedData: object) =>
  user.post(UPDATE, { ...PLACE, annotationIds: [annotationId], updatedData });
const refusal = (reply: Reply) => [reply.status, reply.body.error?.status];
const DENIED = [403, 'PERMISSION_DENIED'];
const count = async (asker: TestWorkspace | TestUser, data: object = {}) =>
  (await asker.post(COUNT, { organizationId: 'acme', documentIds: ['home'], ...data })).body.result.data;

test('a user adds annotations under their own name and at the current time, and creates no documents', async () => {
  const { workspace, user } = await withUser();
  const sent = { ...note('a1', byAda), createdAt: 5, lastUpdated: 6 };
  const { body } = await user.post(ADD, { ...PLACE, commentAnnotations: [sent] });
  expect(body.result.data.a1.success).toBe(true);
  const record = await recordOfNote(workspace, 'a1');
  expect(record).toMatchObject({ from: ada, comments: [{ from: ada }] });
  expect(record.createdAt).toBeGreaterThan(1_000_000);
  expect(record.comments[0].createdAt).toBe(record.createdAt);
  expect(await eventPayloads(workspace, 'comment_annotation.add')).toMatchObject([
    { actionUser: ada, loud: true },
  ]);
  const asAnn = await user.post(ADD, { ...PLACE, commentAnnotations: [note('a2')] });
  expect(refusal(asAnn)).toEqual(DENIED);
  const made = { ...PLACE, documentId: 'new', createDocument: true, commentAnnotations: [note('a2', byAda)] };
  expect(refusal(await user.post(ADD, made))).toEqual(DENIED);
});

test('a user cannot add a comment of an agent', async () => {
  const { user } = await withUser();
  const reason = { title: 'Typo', description: 'teh', severity: 'low' };
  const agent = { agentSource: 'platform', agentId: 'spell-check', reason };
  const commentAnnotations = [note('a1', { commentData: [{ commentText: 'x', agent }] })];
  expect(refusal(await user.post(ADD, { ...PLACE, commentAnnotations }))).toEqual(DENIED);
});

test('a viewer cannot write views, of others or their own', async () => {
  const { workspace, user } = await withUser([onDocument('viewer')]);
  await addNotes(workspace, [note('a1')]);
  for (const userId of ['ada', 'bob'])
    expect(refusal(await update(user, 'a1', { viewedByUserIds: [userId] }))).toEqual(DENIED);
  expect(await count(user)).toEqual({ home: { total: 1, unread: 1 } });
});

test('a user gets nothing of documents that they may not open', async () => {
  const { workspace, user } = await withUser([onDocument('viewer')]);
  const closed = { ...PLACE, documentId: 'closed' };
  await addNotes(workspace, [note('a1')]);
  await addNotes(workspace, [note('hidden')], closed);
  expect(refusal(await user.post(GET, closed))).toEqual(DENIED);
  expect(refusal(await user.post(GET, { ...PLACE, documentId: 'none' }))).toEqual(DENIED);
  expect(idsIn(await user.post(GET, { organizationId: 'acme' }))).toEqual(['a1']);
  expect(idsIn(await user.post(GET, { organizationId: 'acme', documentIds: ['home', 'closed'] }))).toEqual([
    'a1',
  ]);
  expect(idsIn(await user.post(GET, { organizationId: 'acme', documentIds: ['closed'] }))).toEqual([]);
  expect(idsIn(await user.post(GET, { organizationId: 'acme', annotationIds: ['a1', 'hidden'] }))).toEqual([
    'a1',
    null,
  ]);
  expect(await count(user, { documentIds: ['home', 'closed'] })).toEqual({
    home: { total: 1, unread: 1 },
    closed: { total: 0, unread: 0 },
  });
  await workspace.must('/v2/organizations/documents/access/disablestate/update', {
    organizationId: 'acme',
    documentIds: ['home'],
    disabled: true,
  });
  expect(idsIn(await user.post(GET, { organizationId: 'acme' }))).toEqual([]);
  expect(refusal(await user.post(GET, PLACE))).toEqual(DENIED);
  expect(idsIn(await workspace.post(GET, PLACE))).toEqual(['a1']);
});

test('annotations that a user may not see are missing in lists, by id, in counts and for changes', async () => {
  const { workspace, user } = await withUser([onDocument('editor')]);
  const only = (visibility: object) => ({ visibility });
  await addNotes(workspace, [
    note('all'),
    note('ours', only({ type: 'organizationPrivate' })),
    note('theirs', only({ type: 'organizationPrivate', organizationId: 'other' })),
    note('named', only({ type: 'restricted', userIds: ['ada', 'bob'] })),
    note('secret', only({ type: 'restricted', userIds: ['bob'] })),
  ]);
  expect(idsIn(await user.post(GET, { ...PLACE, order: 'asc' })).sort()).toEqual(['all', 'named']);
  const ids = ['all', 'ours', 'theirs', 'named', 'secret'];
  expect(idsIn(await user.post(GET, { ...PLACE, annotationIds: ids }))).toEqual([
    'all',
    null,
    null,
    'named',
    null,
  ]);
  expect(await count(user)).toEqual({ home: { total: 2, unread: 2 } });
  expect(await count(workspace, { userId: 'bob' })).toEqual({ home: { total: 3, unread: 3 } });
  const { body } = await update(user, 'secret', { status: { id: 'RESOLVED' } });
  expect(body.result.data).toEqual({
    secret: { success: false, id: 'secret', message: 'Annotation not found.', code: 'not-found' },
  });
  const gone = await user.post(DELETE, { ...PLACE, annotationIds: ['secret'] });
  expect(gone.body.result.data.secret.success).toBe(false);
  expect(idsIn(await workspace.post(GET, PLACE))).toHaveLength(5);
  const member = await newUserToken(workspace, { resources: [onDocument('editor'), inOrganization] });
  expect(idsIn(await member.post(GET, PLACE)).sort()).toEqual(['all', 'named', 'ours']);
});

test('an annotation with access fields is visible to holders of one of them, and to its author', async () => {
  const { workspace, user } = await withUser();
  await addNotes(workspace, [
    note('open'),
    note('deal', { context: { access: { deal: ['d1', 'd2'] } } }),
    note('both', { context: { access: { deal: 'd2', tier: 'gold' } } }),
    note('mine', { context: { access: { deal: 'd9' } }, commentData: [{ commentText: 'x', from: ada }] }),
  ]);
  expect(idsIn(await user.post(GET, PLACE)).sort()).toEqual(['mine', 'open']);
  const holder = await newUserToken(workspace, {
    resources: [{ ...onDocument('viewer'), context: { access: { deal: 'd2' } } }],
  });
  expect(idsIn(await holder.post(GET, PLACE)).sort()).toEqual(['deal', 'mine', 'open']);
  const holderOfBoth = await newUserToken(workspace, {
    resources: [{ ...onDocument('viewer'), context: { access: { deal: 'd2', tier: ['gold', 'red'] } } }],
  });
  expect(idsIn(await holderOfBoth.post(GET, PLACE)).sort()).toEqual(['both', 'deal', 'mine', 'open']);
});

test('records have the unread state of the user', async () => {
  const { workspace, user } = await withUser();
  await addNotes(workspace, [note('a1'), note('a2')]);
  await user.post(ADD, { ...PLACE, commentAnnotations: [note('mine', byAda)] });
  await update(user, 'a1', { viewedByUserIds: ['ada'] });
  const unread = async () => {
    const rows: { annotationId: string; isUnread: boolean }[] = (await user.post(GET, PLACE)).body.result
      .data;
    return Object.fromEntries(rows.map(({ annotationId, isUnread }) => [annotationId, isUnread]));
  };
  expect(await unread()).toEqual({ a1: false, a2: true, mine: false });
  expect(await count(user)).toEqual({ home: { total: 3, unread: 1 } });
  await workspace.must(UPDATE, { ...PLACE, annotationIds: ['a1'], updatedData: { mark: 1 } });
  expect(await unread()).toEqual({ a1: true, a2: true, mine: false });
  await update(user, 'a1', { status: { id: 'RESOLVED' } });
  expect(await unread()).toEqual({ a1: false, a2: true, mine: false });
});

test('any editor can decide under their own name, and only the author can change other fields', async () => {
  const { workspace, user } = await withUser();
  await addNotes(workspace, [note('hers', { suggestion: {} })]);
  await user.post(ADD, { ...PLACE, commentAnnotations: [note('mine', byAda)] });
  const decided = await update(user, 'hers', {
    status: { id: 'RESOLVED' },
    assignedTo: bob,
    priority: { id: 'P0', name: 'P0' },
    suggestion: { status: 'accepted' },
  });
  expect(decided.body.result.data.hers.success).toBe(true);
  expect(await recordOfNote(workspace, 'hers')).toMatchObject({
    from: ann,
    resolvedByUserId: 'ada',
    statusUpdatedByUserId: 'ada',
    suggestion: { status: 'accepted', resolvedBy: ada },
  });
  expect(await eventPayloads(workspace, 'comment_annotation.suggestion_accept')).toMatchObject([
    { actionUser: ada, loud: true },
  ]);
  for (const change of [
    { visibility: { type: 'restricted', userIds: ['ada'] } },
    { targetElement: { targetText: 'x' } },
    { context: { access: { deal: 'd1' } } },
    { location: { id: 'top' } },
    { colour: 'red' },
    { status: { id: 'OPEN' }, visibility: { type: 'public' } },
  ]) {
    expect(refusal(await update(user, 'hers', change))).toEqual(DENIED);
    expect((await update(user, 'mine', change)).status).toBe(200);
  }
  expect(await recordOfNote(workspace, 'hers')).toMatchObject({ status: { id: 'RESOLVED' } });
});

test('a user cannot act in another’s name', async () => {
  const { user } = await withUser();
  await user.post(ADD, { ...PLACE, commentAnnotations: [note('mine', { ...byAda, suggestion: {} })] });
  for (const change of [
    { from: bob },
    { status: { id: 'RESOLVED' }, resolvedByUserId: 'bob' },
    { statusUpdatedByUserId: 'bob' },
    { suggestion: { status: 'accepted', resolvedBy: 'bob' } },
    { suggestion: { status: 'accepted', resolvedBy: bob } },
  ])
    expect([change, refusal(await update(user, 'mine', change))]).toEqual([change, DENIED]);
});

test('a user cannot become the author of an annotation of another user', async () => {
  const { workspace, user } = await withUser([onDocument('editor'), inOrganization], { isAdmin: true });
  await addNotes(workspace, [note('hers')]);
  await update(user, 'hers', { from: ada, priority: { id: 'P0', name: 'P0' } });
  expect((await recordOfNote(workspace, 'hers')).from).toEqual(ann);
  const updateUsers = [{ oldUser: ann, newUser: ada }];
  expect(refusal(await user.post(UPDATE, { ...PLACE, annotationIds: ['hers'], updateUsers }))).toEqual(
    DENIED,
  );
});

test('a user must name annotations to change, and can delete only their own', async () => {
  const { workspace, user } = await withUser();
  await addNotes(workspace, [note('hers')]);
  await user.post(ADD, { ...PLACE, commentAnnotations: [note('mine', byAda)] });
  const all = await user.post(UPDATE, { ...PLACE, updatedData: { status: { id: 'RESOLVED' } } });
  expect(all.body.error).toMatchObject({ status: 'INVALID_ARGUMENT' });
  expect(refusal(await user.post(DELETE, PLACE))).toEqual(DENIED);
  expect(refusal(await user.post(DELETE, { ...PLACE, annotationIds: ['mine', 'hers'] }))).toEqual(DENIED);
  expect(idsIn(await workspace.post(GET, PLACE))).toHaveLength(2);
  const own = await user.post(DELETE, { ...PLACE, userIds: ['ada'] });
  expect(Object.keys(own.body.result.data)).toEqual(['mine']);
  const admin = await newUserToken(workspace, { isAdmin: true, resources: [inOrganization] });
  expect((await admin.post(DELETE, PLACE)).body.result.data.hers.success).toBe(true);
});

test('a user can restrict visibility only to their own organizations', async () => {
  const { user } = await withUser();
  const shown = (visibility: object) =>
    user.post(ADD, { ...PLACE, commentAnnotations: [note(undefined, { ...byAda, visibility })] });
  expect((await shown({ type: 'organizationPrivate' })).status).toBe(200);
  expect(refusal(await shown({ type: 'organizationPrivate', organizationId: 'other' }))).toEqual(DENIED);
});

test('a page token is valid only for its user', async () => {
  const { workspace, user } = await withUser();
  await addNotes(workspace, [note('a1'), note('a2')]);
  const { nextPageToken } = (await user.post(GET, { ...PLACE, pageSize: 1 })).body.result;
  const other = await newUserToken(workspace, { userId: 'bob', resources: [onDocument('viewer')] });
  const again = await other.post(GET, { ...PLACE, pageSize: 1, pageToken: nextPageToken });
  expect(again.body.error).toEqual({ status: 'INVALID_ARGUMENT', message: 'pageToken is not valid.' });
});

test('a user can only count for themselves', async () => {
  const { user } = await withUser();
  expect(await count(user, { userId: 'ada' })).toEqual({ home: { total: 0, unread: 0 } });
  expect(
    refusal(await user.post(COUNT, { organizationId: 'acme', documentIds: ['home'], userId: 'bob' })),
  ).toEqual(DENIED);
});
