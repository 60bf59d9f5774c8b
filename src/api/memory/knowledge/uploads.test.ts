import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { deleteMarkedFiles } from '../../../files/stored-files.ts';
import { pruneUploads } from '../../../store/knowledge/knowledge-uploads.ts';

const TEXT = '- Must be short.\n- Must be clear.\n';
const TYPE = 'text/markdown';

async function createUpload(workspace: TestWorkspace, more: object = {}) {
  const data = { mimeType: TYPE, fileSize: TEXT.length, fileName: 'rules.md', ...more };
  const { body } = await workspace.post('/v2/memory/knowledge/upload-url', data);
  return body.result as { uploadUrl: string; fileRef: string; expiresAt: number };
}

async function put(url: string, text = TEXT, type = TYPE) {
  const { app } = await testApp();
  const { pathname, search } = new URL(url);
  const answer = await app.inject({
    method: 'PUT',
    url: pathname + search,
    headers: { 'content-type': type },
    payload: text,
  });
  const body = answer.json();
  return [answer.statusCode, body.error?.status ?? body.result.status];
}

const ingest = async (workspace: TestWorkspace, fileRef: string, more: object = {}) => {
  const data = { source: 'fileRef', fileRef, mimeType: TYPE, ...more };
  const { status, body } = await workspace.post('/v2/memory/knowledge/ingest', data);
  return [status, body.error?.status ?? body.result.status];
};

test('a file can be uploaded once, as announced, and ingested once', async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const { uploadUrl, fileRef, expiresAt } = await createUpload(workspace, { organizationId: 'acme' });
  expect(expiresAt - Date.now()).toBeGreaterThan(14 * 60_000);
  expect(await ingest(workspace, fileRef)).toEqual([400, 'FAILED_PRECONDITION']);
  expect(await put(uploadUrl, TEXT, 'text/plain')).toEqual([400, 'INVALID_ARGUMENT']);
  expect(await put(uploadUrl, `${TEXT}!`)).toEqual([400, 'INVALID_ARGUMENT']);
  expect(await put(uploadUrl.replace('expires=1', 'expires=2'))).toEqual([403, 'PERMISSION_DENIED']);
  expect(await put(uploadUrl, 'x'.repeat(31_457_281))).toEqual([400, 'INVALID_ARGUMENT']);
  expect(await put(uploadUrl)).toEqual([200, 'success']);
  expect(await put(uploadUrl)).toEqual([400, 'FAILED_PRECONDITION']);
  expect(await ingest(other, fileRef)).toEqual([403, 'PERMISSION_DENIED']);
  expect(await ingest(workspace, fileRef, { organizationId: 'other' })).toEqual([403, 'PERMISSION_DENIED']);
  expect(await ingest(workspace, fileRef, { mimeType: 'text/csv' })).toEqual([400, 'INVALID_ARGUMENT']);
  expect(await ingest(workspace, fileRef, { organizationId: 'acme' })).toEqual([200, 'processing']);
  expect(await ingest(workspace, fileRef)).toEqual([400, 'FAILED_PRECONDITION']);

  const { body } = await workspace.post('/v2/memory/knowledge/list');
  expect(body.result[0]).toMatchObject({ fileName: 'rules.md', organizationId: 'acme' });
  const { app } = await testApp();
  const link = new URL(body.result[0].originalDownloadUrl);
  const file = await app.inject(link.pathname + link.search);
  expect([file.statusCode, file.body]).toEqual([200, TEXT]);
  expect(file.headers).toMatchObject({
    'content-disposition': 'attachment; filename="rules.md"',
    'x-content-type-options': 'nosniff',
  });
  for (const [from, to] of [
    ['purpose=original', 'purpose=upload'],
    ['expires=', 'expires=9'],
    [`key=${workspace.apiKeyId}`, `key=${other.apiKeyId}`],
    ['signature=', 'signature=A'],
  ] as const) {
    const tampered = await app.inject(link.pathname + link.search.replace(from, to));
    expect([from, tampered.statusCode, tampered.json().error.status]).toEqual([
      from,
      403,
      'PERMISSION_DENIED',
    ]);
  }
});

test('pending uploads are limited to 50, and deleted if they are not ingested in time', async () => {
  const workspace = await newWorkspace();
  const uploads = await Promise.all(Array.from({ length: 50 }, () => createUpload(workspace)));
  const refused = await workspace.post('/v2/memory/knowledge/upload-url', { mimeType: TYPE, fileSize: 1 });
  expect([refused.status, refused.body.error.status]).toEqual([429, 'RESOURCE_EXHAUSTED']);
  const { uploadUrl, fileRef } = uploads[0]!;
  expect(await put(uploadUrl)).toEqual([200, 'success']);

  const { deps } = await testApp();
  const mine = deps.db.selectFrom('knowledgeUploads').where('apiKeyId', '=', workspace.apiKeyId);
  const { blobKey } = await mine.select('blobKey').where('blobKey', 'is not', null).executeTakeFirstOrThrow();
  await deps.db
    .updateTable('knowledgeUploads')
    .set({ expiresAt: Date.now() - 1 })
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  expect(await ingest(workspace, fileRef)).toEqual([400, 'FAILED_PRECONDITION']);
  await pruneUploads(deps.db, Date.now());
  await deleteMarkedFiles(deps.db, deps.outside.blobs, Date.now());
  expect(await deps.outside.blobs.get(blobKey!)).toBeUndefined();
  expect(await mine.select('uploadId').execute()).toHaveLength(50);
  await pruneUploads(deps.db, Date.now() + 25 * 3_600_000);
  expect(await mine.select('uploadId').execute()).toEqual([]);
});
