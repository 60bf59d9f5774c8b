import { beforeAll, expect, test, vi } from 'vitest';
import { createClient, type Redpen } from '../../packages/client/src/index.ts';
import { openDatabase } from '../../src/db/connections/connect.ts';
import { deleteRemovedAttachments } from '../../src/files/attachments.ts';
import { openBlobStore } from '../../src/outside/storage/open-blob-store.ts';
import { type FakeS3, startFakeS3 } from '../../src/outside/storage/testing-s3.ts';
import { png } from '../documents/attachments.ts';
import { atEnd } from '../run/at-end.ts';
import { expectLog } from '../run/log-watch.ts';
import { until } from '../run/until.ts';
import { type LiveTenant, newLiveTenant } from '../service/live-tenant.ts';
import { ownService } from '../service/worker-service.ts';

const place = { organizationId: 'acme', documentId: 'home' };

let s3: FakeS3;
let tenant: LiveTenant;
let ada: Redpen;
/** Deletes the files of deleted attachments, as a worker does every minute. */
let prune: () => Promise<void>;
beforeAll(async () => {
  s3 = await startFakeS3();
  atEnd(() => s3.close());
  const credentials = { AWS_ACCESS_KEY_ID: 'key-id', AWS_SECRET_ACCESS_KEY: 'key-secret' };
  const address = `s3://blobs/redpen?endpoint=${encodeURIComponent(s3.url)}&forcePathStyle=true`;
  const service = await ownService({ ...credentials, REDPEN_BLOB_URL: address });
  tenant = await newLiveTenant(() => service);
  ada = createClient({ baseUrl: service.url, getUserToken: () => tenant.token('ada') });
  for (const [name, value] of Object.entries(credentials)) vi.stubEnv(name, value);
  atEnd(() => vi.unstubAllEnvs());
  const database = await openDatabase({ databaseUrl: service.databaseUrl, onError: () => {} });
  atEnd(() => database.close());
  const blobs = openBlobStore(address);
  prune = () => deleteRemovedAttachments(database.db, blobs, Date.now());
});

const attachments = () =>
  [...s3.objects].filter(([key]) => key.startsWith('blobs/redpen/') && key.includes('/attachments/'));

/** Uploads a picture, and adds a thread whose comment holds it. */
async function addPicture(bytes: Buffer<ArrayBuffer>) {
  const file = new File([bytes], 'Grüße.png', { type: 'image/png' });
  const { attachmentId } = await ada.attachments.upload(file, place);
  const added = await ada.annotations.add({
    ...place,
    commentAnnotations: [{ commentData: [{ attachments: [{ attachmentId }] }] }],
  });
  return { attachmentId, annotationId: Object.keys(added)[0]! };
}

test('the file of a comment is an object of the bucket, and goes with the comment', async () => {
  const bytes = Buffer.from(png(40, 30));
  const { attachmentId, annotationId } = await addPicture(bytes);
  expect(attachments()).toEqual([[expect.any(String), { bytes, mimeType: 'image/png' }]]);
  const [thread] = await ada.annotations.all({ ...place, annotationIds: [annotationId] }, { max: 9 });
  const [attachment] = thread!.comments![0]!.attachments!;
  expect(attachment).toMatchObject({ attachmentId, name: 'Grüße.png', width: 40, height: 30 });
  const url = String(attachment!.url);
  const file = await fetch(url);
  expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
  expect(file.headers.get('content-type')).toBe('image/png');

  await ada.annotations.delete({ ...place, annotationIds: [annotationId] });
  expect((await fetch(url)).status).toBe(404);
  await prune();
  await until(() => attachments().length === 0, 'the object to be gone');
});

test('a file that is deleted leaves the bucket, and the others stay', async () => {
  const kept = await addPicture(Buffer.from(png(1, 2)));
  const gone = await addPicture(Buffer.from(png(3, 4)));
  expect(attachments()).toHaveLength(2);
  await ada.attachments.delete({ ...place, attachmentId: gone.attachmentId });
  await prune();
  await until(() => attachments().length === 1, 'one object to be gone');
  const { url } = await ada.attachments.get({ ...place, attachmentId: kept.attachmentId });
  expect((await fetch(url!)).status).toBe(200);
});

test('while the bucket is away, an upload is refused and leaves nothing, and the same link works later', async () => {
  expectLog(/ServiceUnavailable/);
  const { attachmentId, uploadUrl } = await ada.attachments.create({
    ...place,
    fileName: 'a.txt',
    mimeType: 'text/plain',
    size: 5,
  });
  const put = async () => {
    const headers = { 'content-type': 'text/plain' };
    const answer = await fetch(uploadUrl, { method: 'PUT', headers, body: 'words' });
    return { status: answer.status, error: ((await answer.json()) as { error?: unknown }).error };
  };
  const before = attachments().length;
  s3.isAway = true;
  expect(await put()).toMatchObject({ status: 503, error: { status: 'UNAVAILABLE' } });
  expect(await ada.attachments.get({ ...place, attachmentId })).toMatchObject({ status: 'announced' });
  s3.isAway = false;
  expect(await put()).toEqual({ status: 200, error: undefined });
  expect(await ada.attachments.get({ ...place, attachmentId })).toMatchObject({ status: 'uploaded' });
  expect(attachments()).toHaveLength(before + 1);
});
