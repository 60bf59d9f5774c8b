import { expect, test } from 'vitest';
import {
  addNotes,
  ann,
  eventPayloads,
  GET,
  PLACE,
  recordOfNote,
} from '../../../test/documents/annotations.ts';
import {
  addNoteWith,
  announce,
  CREATE,
  DELETE_ATTACHMENT,
  download,
  GET_ATTACHMENT,
  LIST_ATTACHMENTS,
  png,
  upload,
} from '../../../test/documents/attachments.ts';
import { newEventStage } from '../../../test/live/event-stage.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, type Reply, type TestWorkspace } from '../../../test/service/harness.ts';

const COMMENTS = '/v2/commentannotations/comments';
const onDocument = (accessRole: string) => [
  { type: 'document', id: 'home', organizationId: 'acme', accessRole },
];
const refusal = ({ status, body }: Reply) => [status, body.error?.status];
const DENIED = [403, 'PERMISSION_DENIED'];
const NOT_FOUND = [404, 'NOT_FOUND'];
const EARLY = [400, 'FAILED_PRECONDITION'];

/** A workspace with documents that are open to users with a grant alone. */
async function withDocuments(): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: ['home', 'other'].map((documentId) => ({ documentId, accessType: 'restricted' })),
  });
  return workspace;
}

const addComment = (asker: Pick<TestWorkspace, 'post'>, annotationId: string, more: object) =>
  asker.post(`${COMMENTS}/add`, { ...PLACE, annotationId, commentData: [{ from: ann, ...more }] });
const updateComment = (asker: Pick<TestWorkspace, 'post'>, annotationId: string, attachments: object[]) =>
  asker.post(`${COMMENTS}/update`, {
    ...PLACE,
    annotationId,
    commentIds: [1],
    updatedData: { attachments, from: ann },
  });
const commentsOf = (asker: Pick<TestWorkspace, 'post'>, annotationId: string) =>
  asker.post(`${COMMENTS}/get`, { ...PLACE, annotationId }).then(({ body }: Reply) => body.result.data);

test('an uploaded picture is read with its comment, by a link that shows it', async () => {
  const workspace = await withDocuments();
  const bytes = png(640, 480);
  const attachmentId = await upload(workspace, bytes, { fileName: 'Grüße "1".png' });
  expect((await addNoteWith(workspace, 'a', [attachmentId])).status).toBe(200);
  const expected = {
    attachmentId,
    fileName: 'Grüße "1".png',
    name: 'Grüße "1".png',
    mimeType: 'image/png',
    type: 'image',
    size: bytes.length,
    width: 640,
    height: 480,
    url: expect.stringContaining('/v2/attachments/files/att_'),
    expiresAt: expect.any(Number),
  };
  const [comment] = await commentsOf(workspace, 'a');
  expect(comment.attachments).toEqual([expected]);
  expect(comment.attachments[0].expiresAt - Date.now()).toBeGreaterThan(44 * 60_000);
  expect((await recordOfNote(workspace, 'a')).comments[0].attachments).toEqual([expected]);
  const grouped = await workspace.must(GET, { ...PLACE, groupByDocumentId: true });
  expect(grouped.home[0].comments[0].attachments).toEqual([expected]);
  const data = await workspace.must('/v2/users/data/get', { organizationId: 'acme', userId: 'ann' });
  expect(data.comments[0].attachments).toEqual([expected]);

  const file = await download(comment.attachments[0].url);
  expect([file.statusCode, file.rawPayload.equals(bytes)]).toEqual([200, true]);
  expect(file.headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `inline; filename="Gr__e__1_.png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.png`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'private, max-age=900, immutable',
  });
});

test('attachments that are stored elsewhere stay as they are sent, beside uploaded ones', async () => {
  const workspace = await withDocuments();
  const elsewhere = { attachmentId: 7, name: 'plan.pdf', url: 'https://files.example.com/7', own: [1] };
  const attachmentId = await upload(workspace);
  await addNotes(workspace, [
    {
      annotationId: 'a',
      commentData: [
        {
          commentId: 1,
          from: ann,
          attachments: [
            elsewhere,
            // What is said about a stored file does not count, except what the caller adds.
            { attachmentId, url: 'https://evil.example', name: 'x', width: 9, size: 1, metadata: { a: 1 } },
          ],
        },
      ],
    },
  ]);
  const [{ attachments }] = await commentsOf(workspace, 'a');
  expect(attachments[0]).toEqual(elsewhere);
  expect(attachments[1]).toMatchObject({
    attachmentId,
    name: 'shot.png',
    width: 3,
    height: 2,
    metadata: { a: 1 },
    url: expect.stringContaining(`/v2/attachments/files/${attachmentId}?`),
  });
  expect((await updateComment(workspace, 'a', attachments)).body.result.data[1].success).toBe(true);
  expect((await commentsOf(workspace, 'a'))[0].attachments).toEqual(attachments);
});

test('a comment takes only files that have arrived, on its document, in its tenant, and in no other comment', async () => {
  const [workspace, stranger] = [await withDocuments(), await withDocuments()];
  const mine = await upload(workspace);
  const elsewhere = await upload(workspace, png(), { documentId: 'other' });
  const foreign = await upload(stranger);
  const { attachmentId: pending } = await announce(workspace, { size: 10 });
  await addNoteWith(workspace, 'a', [mine]);
  await addNoteWith(workspace, 'b', []);
  for (const [attachmentId, expected] of [
    [elsewhere, NOT_FOUND],
    [foreign, NOT_FOUND],
    ['att_00000000000000000000', NOT_FOUND],
    [pending, EARLY],
    [mine, EARLY],
    ['att_short', [400, 'INVALID_ARGUMENT']],
  ] as const) {
    const attachments = [{ attachmentId }];
    const replies = [
      await addComment(workspace, 'a', { attachments }),
      await updateComment(workspace, 'b', attachments),
      await addNoteWith(workspace, 'new', [attachmentId]),
    ];
    expect([attachmentId, ...replies.map(refusal)]).toEqual([attachmentId, expected, expected, expected]);
  }
  const twice = await upload(workspace);
  const reply = await addComment(workspace, 'a', {
    attachments: [{ attachmentId: twice }, { attachmentId: twice }],
  });
  expect(refusal(reply)).toEqual(EARLY);
  expect(reply.body.error.message).toBe(
    `commentData[0].attachments[1].attachmentId is used twice: ${twice}.`,
  );
  expect(await commentsOf(workspace, 'a')).toHaveLength(1);
  expect(await recordOfNote(workspace, 'new')).toBeNull();
  expect((await commentsOf(workspace, 'b'))[0].attachments).toEqual([]);
  expect((await addComment(workspace, 'b', { attachments: [{ attachmentId: twice }] })).status).toBe(200);
});

test('of many comments that want one file at the same time, one gets it', async () => {
  const workspace = await withDocuments();
  const attachmentId = await upload(workspace);
  await addNoteWith(workspace, 'a', []);
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      index % 2 === 0
        ? addComment(workspace, 'a', { attachments: [{ attachmentId }] })
        : addNoteWith(workspace, `n${index}`, [attachmentId]),
    ),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of replies) {
    if (status !== 200) expect(['FAILED_PRECONDITION', 'ABORTED']).toContain(body.error.status);
  }
  const records = await workspace.must(GET, PLACE);
  const held = records.flatMap(({ comments }: { comments: { attachments: object[] }[] }) =>
    comments.flatMap(({ attachments }) => attachments),
  );
  expect(held).toMatchObject([{ attachmentId }]);
});

test('an update keeps, adds and removes files, and files of many comments are refused', async () => {
  const workspace = await withDocuments();
  const [first, second, third] = [await upload(workspace), await upload(workspace), await upload(workspace)];
  await addNoteWith(workspace, 'a', [first, second]);
  const [{ attachments }] = await commentsOf(workspace, 'a');
  expect((await updateComment(workspace, 'a', [attachments[1], { attachmentId: third }])).status).toBe(200);
  const [changed] = await commentsOf(workspace, 'a');
  expect(changed.attachments.map((one: { attachmentId: string }) => one.attachmentId)).toEqual([
    second,
    third,
  ]);
  expect((await download(attachments[0].url)).statusCode).toBe(404);
  expect(refusal(await updateComment(workspace, 'a', [{ attachmentId: first }]))).toEqual(NOT_FOUND);
  // A change of the text leaves the files alone.
  await workspace.must(`${COMMENTS}/update`, {
    ...PLACE,
    annotationId: 'a',
    commentIds: [1],
    updatedData: { commentText: 'other', from: ann },
  });
  expect((await commentsOf(workspace, 'a'))[0].attachments).toHaveLength(2);
  const many = await workspace.post(`${COMMENTS}/update`, {
    ...PLACE,
    annotationId: 'a',
    commentIds: [1, 2],
    updatedData: { from: ann, attachments: [{ attachmentId: second }] },
  });
  expect(refusal(many)).toEqual([400, 'INVALID_ARGUMENT']);
  expect((await updateComment(workspace, 'a', [])).status).toBe(200);
  expect((await commentsOf(workspace, 'a'))[0].attachments).toEqual([]);
});

test('attachments are read one by one and listed newest first, with their state', async () => {
  const workspace = await withDocuments();
  const attached = await upload(workspace);
  const uploaded = await upload(workspace);
  const { attachmentId: announced } = await announce(workspace, { size: 10 });
  await addNoteWith(workspace, 'a', [attached]);
  const { body: first } = await workspace.post(LIST_ATTACHMENTS, { ...PLACE, pageSize: 2 });
  const { body: second } = await workspace.post(LIST_ATTACHMENTS, {
    ...PLACE,
    pageSize: 2,
    pageToken: first.result.nextPageToken,
  });
  expect([...first.result.data, ...second.result.data]).toMatchObject([
    { attachmentId: announced, status: 'announced' },
    { attachmentId: uploaded, status: 'uploaded', url: expect.any(String) },
    { attachmentId: attached, status: 'attached', annotationId: 'a', commentId: 1, url: expect.any(String) },
  ]);
  expect(first.result.data[0]).not.toHaveProperty('url');
  const listed = async (filter: object) =>
    (await workspace.must(LIST_ATTACHMENTS, { ...PLACE, ...filter })).map(
      (one: { attachmentId: string }) => one.attachmentId,
    );
  expect(await listed({ attached: true })).toEqual([attached]);
  expect(await listed({ attached: false })).toEqual([announced, uploaded]);
  expect(await listed({ annotationId: 'a', commentId: 1 })).toEqual([attached]);
  expect(await listed({ documentId: 'other' })).toEqual([]);
  const got = await workspace.must(GET_ATTACHMENT, { ...PLACE, attachmentId: uploaded });
  expect((await download(got.url)).statusCode).toBe(200);
  const other = { organizationId: 'acme', documentId: 'other', attachmentId: uploaded };
  expect(refusal(await workspace.post(GET_ATTACHMENT, other))).toEqual(NOT_FOUND);
});

test('users announce where they may comment, and see files of comments that they may see', async () => {
  const workspace = await withDocuments();
  const ada = await newUserToken(workspace, { userId: 'ada', resources: onDocument('editor') });
  const bo = await newUserToken(workspace, { userId: 'bo', resources: onDocument('editor') });
  const viewer = await newUserToken(workspace, { userId: 'vi', resources: onDocument('viewer') });
  const stranger = await newUserToken(workspace, { userId: 'sam', resources: [] });
  const data = { ...PLACE, fileName: 'a.png', mimeType: 'image/png', size: 5 };
  expect(refusal(await stranger.post(CREATE, data))).toEqual(DENIED);
  expect(refusal(await ada.post(CREATE, { ...data, documentId: 'other' }))).toEqual(DENIED);

  const [hidden, open] = [await upload(ada), await upload(ada)];
  const asked = (attachmentId: string) => ({ ...PLACE, attachmentId });
  // Until a comment holds it, a file is that of the user who announced it.
  expect(refusal(await bo.post(GET_ATTACHMENT, asked(open)))).toEqual(NOT_FOUND);
  expect(refusal(await bo.post(DELETE_ATTACHMENT, asked(open)))).toEqual(NOT_FOUND);
  const byAda = (annotationId: string, attachmentId: string, more: object) =>
    ada.post('/v2/commentannotations/add', {
      ...PLACE,
      commentAnnotations: [
        { annotationId, ...more, commentData: [{ commentId: 1, attachments: [{ attachmentId }] }] },
      ],
    });
  const stolen = await bo.post('/v2/commentannotations/add', {
    ...PLACE,
    commentAnnotations: [{ commentData: [{ attachments: [{ attachmentId: open }] }] }],
  });
  expect(refusal(stolen)).toEqual(NOT_FOUND);
  await byAda('private', hidden, { visibility: { type: 'restricted', userIds: ['ada'] } });
  await byAda('public', open, {});
  const ids = ({ body }: Reply) => body.result.data.map((one: { attachmentId: string }) => one.attachmentId);
  expect(ids(await ada.post(LIST_ATTACHMENTS, PLACE))).toEqual(expect.arrayContaining([hidden, open]));
  for (const reader of [bo, viewer]) {
    expect(ids(await reader.post(LIST_ATTACHMENTS, PLACE))).toEqual([open]);
    expect(refusal(await reader.post(GET_ATTACHMENT, asked(hidden)))).toEqual(NOT_FOUND);
    expect((await reader.post(GET_ATTACHMENT, asked(open))).body.result.data).toMatchObject({
      uploaderId: 'ada',
      url: expect.any(String),
    });
  }
  expect(refusal(await stranger.post(LIST_ATTACHMENTS, PLACE))).toEqual(DENIED);
  expect(refusal(await stranger.post(GET_ATTACHMENT, asked(open)))).toEqual(DENIED);
  expect(refusal(await bo.post(DELETE_ATTACHMENT, asked(open)))).toEqual(DENIED);
  expect((await commentsOf(bo, 'public'))[0].attachments).toHaveLength(1);
  expect((await ada.post(DELETE_ATTACHMENT, asked(open))).status).toBe(200);
  expect((await commentsOf(bo, 'public'))[0].attachments).toEqual([]);
});

test('live events carry links, and stored events and webhooks only the facts', async () => {
  const stage = await newEventStage();
  const { workspace } = stage;
  const client = await stage.open();
  const attachmentId = await upload(workspace);
  await addNoteWith(workspace, 'a', []);
  await addComment(workspace, 'a', { attachments: [{ attachmentId }] });
  const events = await stage.receivedBy(client);
  const added = events.find(({ event }) => event === 'comment.add');
  const { url, expiresAt, ...facts } = added!.data.targetComment.attachments[0];
  expect(facts).toMatchObject({ attachmentId, fileName: 'shot.png', width: 3 });
  expect(new URL(url).origin).toBe(new URL(stage.url({})).origin);
  expect((await download(url)).statusCode).toBe(200);
  expect(expiresAt).toBeGreaterThan(Date.now());
  const [payload] = await eventPayloads(workspace, 'comment.add');
  expect(payload.targetComment.attachments).toEqual([facts]);
});
