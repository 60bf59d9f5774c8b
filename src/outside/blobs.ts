import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BlobStore } from './outside.ts';

/** Keys are made by the service: path segments of letters, digits, `_` and `-`. */
const KEY = /^[\w-]+(\/[\w-]+)*$/;

/**
 * Opens the store a URL names: `file:///folder`, or `s3://bucket/prefix?region=…&endpoint=…&forcePathStyle=true`
 * with credentials from the places that AWS clients look at.
 */
export function openBlobStore(url: string): BlobStore {
  const store = url.startsWith('s3:') ? openBucket(new URL(url)) : openFolder(fileURLToPath(url));
  const checked = (key: string): string => {
    if (!KEY.test(key)) throw new Error(`Not a blob key: ${key}`);
    return key;
  };
  return {
    put: (key, bytes, mimeType) => store.put(checked(key), bytes, mimeType),
    get: (key) => store.get(checked(key)),
    deletePrefix: (prefix) => store.deletePrefix(checked(prefix)),
  };
}

/** Bytes behind one line of JSON that tells their type, in one file, so that neither is there without the other. */
function openFolder(root: string): BlobStore {
  return {
    async put(key, bytes, mimeType) {
      const path = join(root, key);
      const fresh = `${path}.${randomUUID()}`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const head = Buffer.from(`${JSON.stringify({ mimeType })}\n`);
      try {
        await writeFile(fresh, Buffer.concat([head, bytes]), { mode: 0o600, flush: true });
        await rename(fresh, path);
      } catch (error) {
        await rm(fresh, { force: true });
        throw error;
      }
    },
    async get(key) {
      let file: Buffer;
      try {
        file = await readFile(join(root, key));
      } catch (error) {
        if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
        throw error;
      }
      const end = file.indexOf('\n');
      const { mimeType } = JSON.parse(file.toString('utf8', 0, end)) as { mimeType: string };
      return { bytes: new Uint8Array(file.subarray(end + 1)), mimeType };
    },
    async deletePrefix(prefix) {
      await rm(join(root, prefix), { recursive: true, force: true });
    },
  };
}

function openBucket(url: URL): BlobStore {
  const bucket = url.hostname;
  const prefix = url.pathname.replace(/^\/|\/$/g, '');
  const full = (key: string): string => (prefix === '' ? key : `${prefix}/${key}`);
  // The client is large and most installations never use it.
  const sdk = import('@aws-sdk/client-s3');
  const client = sdk.then(
    ({ S3Client }) =>
      new S3Client({
        ...(url.searchParams.has('region') && { region: url.searchParams.get('region')! }),
        ...(url.searchParams.has('endpoint') && { endpoint: url.searchParams.get('endpoint')! }),
        forcePathStyle: url.searchParams.get('forcePathStyle') === 'true',
      }),
  );
  client.catch(() => {});
  return {
    async put(key, bytes, mimeType) {
      const { PutObjectCommand } = await sdk;
      await (await client).send(new PutObjectCommand({ Bucket: bucket, Key: full(key), Body: bytes, ContentType: mimeType }));
    },
    async get(key) {
      const { GetObjectCommand, NoSuchKey } = await sdk;
      try {
        const object = await (await client).send(new GetObjectCommand({ Bucket: bucket, Key: full(key) }));
        const bytes = await object.Body?.transformToByteArray();
        return bytes && { bytes, mimeType: object.ContentType ?? 'application/octet-stream' };
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    async deletePrefix(blobPrefix) {
      const { DeleteObjectsCommand, ListObjectsV2Command } = await sdk;
      for (;;) {
        const listed = await (await client).send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `${full(blobPrefix)}/` }));
        const Objects = (listed.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
        if (Objects.length === 0) return;
        const { Errors = [] } = await (await client).send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }));
        if (Errors.length > 0) throw new Error(`${Errors.length} blobs could not be deleted: ${Errors[0]!.Message}`);
      }
    },
  };
}
