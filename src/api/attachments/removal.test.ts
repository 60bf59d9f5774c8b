import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { untilBlocks } from '../../../test/database/lock-waits.ts';
import { ann, PLACE } from '../../../test/documents/annotations.ts';
import {
  addNoteWith,
  announce,
  blobKeysOf,
  DELETE_ATTACHMENT,
  download,
  GET_ATTACHMENT,
  png,
  upload,
} from '../../../test/documents/attachments.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { updateWithFiles } from '../../access/writing/attached-files.ts';
import { deleteRemovedAttachments } from '../../files/attachments.ts';
import { deleteMarkedFiles, putFile } from '../../files/stored-files.ts';
import { deleteSuggestions } from '../../store/annotations/agent-suggestions.ts';
import { createAttachment, removeAttachments } from '../../store/attachments/attachments.ts';
import { runMigration } from '../../store/documents/document-migrations.ts';
import { lockDocument } from '../../store/documents/documents.ts';
import { countStored, listStored } from '../../store/platform/stored-bytes.ts';
import { runDeletion } from '../../store/privacy/data-deletions.ts';

const HOUR = 3_600_000;
const never = new AbortController().signal;
const on = { ...PLACE, annotationId: 'a' };

/** A workspace with a comment that holds a file, and the link to that file. */
async function withFile() {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    folderId: 'plans',
    createFolder: true,
    documents: [{ documentId: 'home' }],
  });
  const attachmentId = await upload(workspace);
  await addNoteWith(workspace, 'a', [attachmentId], { location: { id: 'top' } });
  const { url } = await workspace.must(GET_ATTACHMENT, { ...PLACE, attachmentId });
  const blobKey = (await blobKeysOf(workspace.apiKeyId)).get(attachmentId)!;
  return { workspace, attachmentId, url: url as string, blobKey };
}

const isStored = async (blobKey: string): Promise<boolean> =>
  (await (await testApp()).deps.outside.blobs.get(blobKey)) !== undefined;

async function prune(now = Date.now()): Promise<void> {
  const { deps } = await testApp();
  await deleteRemovedAttachments(deps.db, deps.outside.blobs, now);
}

const rowsOf = async ({ apiKeyId }: TestWorkspace): Promise<number> => (await blobKeysOf(apiKeyId)).size;

const ways: Record<string, (workspace: TestWorkspace, attachmentId: string) => Promise<unknown>> = {
  'its comment is deleted': ({ must }) =>
    must('/v2/commentannotations/comments/delete', { ...on, commentIds: [1] }),
  'its annotation is deleted': ({ must }) =>
    must('/v2/commentannotations/delete', { ...PLACE, annotationIds: ['a'] }),
  'its document is deleted': ({ must }) =>
    must('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['home'] }),
  'the folder of its document is deleted': ({ must }) =>
    must('/v2/organizations/folders/delete', { organizationId: 'acme', folderId: 'plans' }),
  'the data of its location is deleted': ({ must, apiKeyId, token }) =>
    must('/v1/organizations/documents/locations/data/delete', {
      ...PLACE,
      apiKey: apiKeyId,
      authToken: token,
      location: { id: 'top' },
    }),
  async 'its annotation is a suggestion that a run deletes'(workspace) {
    const { deps } = await testApp();
    const rows = await deps.db
      .selectFrom('annotations')
      .selectAll()
      .where('apiKeyId', '=', workspace.apiKeyId)
      .execute();
    await deps.db.transaction().execute((tx) => deleteSuggestions(tx, workspace, PLACE, rows));
  },
  'its organization is deleted': ({ must }) =>
    must('/v2/organizations/delete', { organizationIds: ['acme'] }),
  'its comment no longer lists it': ({ must }) =>
    must('/v2/commentannotations/comments/update', {
      ...on,
      commentIds: [1],
      updatedData: { attachments: [], from: ann },
    }),
  'it is deleted itself': ({ must }, attachmentId) => must(DELETE_ATTACHMENT, { ...PLACE, attachmentId }),
  async 'the author of its comment is erased'({ workspaceId, apiKeyId, post }) {
    const { deps } = await testApp();
    const { body } = await post('/v2/users/data/delete', { userIds: ['ann'] });
    const { jobId } = body.data ?? body.result.data;
    await runDeletion(deps.db, deps.jobs, { workspaceId, apiKeyId, jobId }, never);
  },
};

test.for(Object.keys(ways))('a file is deleted when %s', async (way) => {
  const { workspace, attachmentId, url, blobKey } = await withFile();
  expect((await download(url)).statusCode).toBe(200);
  await ways[way]!(workspace, attachmentId);
  // Its link ends at once, its bytes with the next upkeep.
  expect((await download(url)).statusCode).toBe(404);
  await prune();
  expect([await isStored(blobKey), await rowsOf(workspace)]).toEqual([false, 0]);
});

test('a file that is announced while its document is deleted goes with it', async () => {
  const { workspace } = await withFile();
  const { deps } = await testApp();
  let deleting: Promise<unknown> | undefined;
  await deps.db.transaction().execute(async (tx) => {
    await lockDocument(tx, workspace, PLACE, { create: false });
    const file = { fileName: 'late.png', mimeType: 'image/png', byteSize: 1, uploaderId: null };
    await createAttachment(tx, workspace, { ...PLACE, ...file });
    deleting = ways['its document is deleted']!(workspace, '');
    await untilBlocks(tx);
  });
  await deleting;
  await prune();
  expect(await rowsOf(workspace)).toBe(0);
});

test('a file that a comment takes while it is deleted goes with it', async () => {
  const { workspace } = await withFile();
  const { deps } = await testApp();
  const attachmentId = await upload(workspace);
  const caller = { ...workspace, user: undefined };
  const attachments = [{ attachmentId }];
  const change = await updateWithFiles(deps.db, caller, {
    annotation: on,
    commentIds: [1],
    changes: { attachments, triggerNotification: false, from: ann },
  });
  let deleting: Promise<unknown> | undefined;
  await deps.db.transaction().execute(async (tx) => {
    await change.run(tx);
    deleting = ways['its comment is deleted']!(workspace, '');
    await untilBlocks(tx);
  });
  await deleting;
  await prune();
  expect(await rowsOf(workspace)).toBe(0);
});

test('comments, annotations and documents are deleted only where their files are let go', () => {
  const deletion =
    /deleteFrom\('(?:documents|annotations|comments)|delete from (?:documents|annotations|comments)\b/;
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const deleting = files.filter((file) => deletion.test(readFileSync(file, 'utf8')));
  expect(deleting.map((file) => file.replace('src/store/', '')).sort()).toEqual(
    [
      'annotations/change-comments.ts',
      'annotations/delete-annotations.ts',
      // The files have moved with the document.
      'documents/move-document.ts',
      'documents/documents.ts',
      'documents/folders.ts',
      'documents/organizations.ts',
      'privacy/erasure.ts',
    ].sort(),
  );
});

test('a file that no comment takes is deleted after a day, and one that was never uploaded with it', async () => {
  const { workspace, blobKey: held } = await withFile();
  const unused = await upload(workspace);
  await announce(workspace, { size: 10 });
  const blobKey = (await blobKeysOf(workspace.apiKeyId)).get(unused)!;
  await prune(Date.now() + 23 * HOUR);
  expect([await isStored(blobKey), await rowsOf(workspace)]).toEqual([true, 3]);
  await prune(Date.now() + 25 * HOUR);
  expect([await isStored(blobKey), await isStored(held), await rowsOf(workspace)]).toEqual([false, true, 1]);
});

test('an unused file goes with its document, its deletion and the erasure of its user', async () => {
  const { workspace } = await withFile();
  const { deps } = await testApp();
  const ada = await newUserToken(workspace, {
    userId: 'ada',
    resources: [{ type: 'document', id: 'home', organizationId: 'acme', accessRole: 'editor' }],
  });
  const byUser = await upload(ada);
  const { workspaceId, apiKeyId } = workspace;
  const { body } = await workspace.post('/v2/users/data/delete', { userIds: ['ada'] });
  const { jobId } = body.data ?? body.result.data;
  await runDeletion(deps.db, deps.jobs, { workspaceId, apiKeyId, jobId }, never);
  const deleted = await upload(workspace);
  await workspace.must(DELETE_ATTACHMENT, { ...PLACE, attachmentId: deleted });
  for (const attachmentId of [byUser, deleted]) {
    const { status } = await workspace.post(GET_ATTACHMENT, { ...PLACE, attachmentId });
    expect(status).toBe(404);
  }
  await prune();
  expect(await rowsOf(workspace)).toBe(1);
  const left = await upload(workspace);
  await workspace.must('/v2/organizations/documents/delete', {
    organizationId: 'acme',
    documentIds: ['home'],
  });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  const again = await workspace.post(GET_ATTACHMENT, { ...PLACE, attachmentId: left });
  expect(again.status).toBe(404);
  await prune();
  expect(await rowsOf(workspace)).toBe(0);
});

test('the files of other comments stay, and a deleted attachment leaves its comment with an event', async () => {
  const { workspace, attachmentId } = await withFile();
  const other = await upload(workspace);
  await addNoteWith(workspace, 'b', [other]);
  await workspace.must(DELETE_ATTACHMENT, { ...PLACE, attachmentId });
  const [comment] = await workspace.must('/v2/commentannotations/comments/get', on);
  expect(comment).toMatchObject({ commentText: 'See.', attachments: [], isEdited: true, from: ann });
  const { deps } = await testApp();
  const events = await deps.db
    .selectFrom('events')
    .select('name')
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('name', '=', 'comment.update')
    .execute();
  expect(events).toHaveLength(1);
  await prune();
  expect([...(await blobKeysOf(workspace.apiKeyId)).keys()]).toEqual([other]);
});

test('files follow their document to another id, and those of no comment too', async () => {
  const { workspace, attachmentId, url } = await withFile();
  const unused = await upload(workspace);
  const { deps } = await testApp();
  const { migrationId } = await workspace.must('/v2/organizations/documents/migrate', {
    ...PLACE,
    newDocumentId: 'new',
  });
  const { workspaceId, apiKeyId } = workspace;
  await runMigration(deps.db, { workspaceId, apiKeyId, organizationId: 'acme', migrationId }, never);
  expect((await download(url)).statusCode).toBe(200);
  for (const [id, status] of [
    [attachmentId, 'attached'],
    [unused, 'uploaded'],
  ]) {
    const moved = await workspace.must(GET_ATTACHMENT, {
      organizationId: 'acme',
      documentId: 'new',
      attachmentId: id,
    });
    expect(moved).toMatchObject({ status, documentId: 'new' });
  }
  await prune();
  expect(await rowsOf(workspace)).toBe(2);
});

test('a process that ends between the upload and its record leaves no file, nor one that ends while it deletes', async () => {
  const { workspace, blobKey: held } = await withFile();
  const { deps } = await testApp();
  const { db, outside } = deps;
  const { attachmentId } = await announce(workspace, { size: png().length });
  // The upload is stored, and the process ends before it records that.
  const orphan = await putFile(db, outside.blobs, workspace, {
    bytes: png(),
    mimeType: 'image/png',
    folder: 'attachments',
  });
  expect(await workspace.must(GET_ATTACHMENT, { ...PLACE, attachmentId })).toMatchObject({
    status: 'announced',
  });
  expect(await isStored(orphan)).toBe(true);
  await deleteMarkedFiles(db, outside.blobs, Date.now() + 2 * HOUR);
  expect([await isStored(orphan), await isStored(held)]).toEqual([false, true]);
  // The row is removed, and the process ends before it deletes the file.
  await ways['its comment is deleted']!(workspace, '');
  await removeAttachments(db, Date.now());
  expect(await isStored(held)).toBe(true);
  await deleteMarkedFiles(db, outside.blobs, Date.now());
  expect(await isStored(held)).toBe(false);
});

test('many nodes that do the upkeep at the same time delete each file once', async () => {
  const { workspace } = await withFile();
  const ids = await Promise.all(Array.from({ length: 20 }, () => upload(workspace)));
  for (const attachmentId of ids) await workspace.must(DELETE_ATTACHMENT, { ...PLACE, attachmentId });
  const { deps } = await testApp();
  const now = Date.now();
  const removed = await Promise.all([1, 2, 3, 4].map(() => removeAttachments(deps.db, now)));
  const mine = removed.flat().filter(({ apiKeyId }) => apiKeyId === workspace.apiKeyId);
  expect(mine).toHaveLength(20);
  await deleteMarkedFiles(deps.db, deps.outside.blobs, now);
});

test('files count as stored bytes until they are deleted', async () => {
  const { workspace } = await withFile();
  const { deps } = await testApp();
  const bytes = async () => {
    await countStored(deps.db, workspace.apiKeyId);
    return (await listStored(deps.db, [workspace.apiKeyId]))[0]!.fileBytes;
  };
  expect(await bytes()).toBe(png().length);
  await announce(workspace, { size: 1_000_000 });
  expect(await bytes()).toBe(png().length);
  await ways['its comment is deleted']!(workspace, '');
  await prune();
  expect(await bytes()).toBe(0);
});
