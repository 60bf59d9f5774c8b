import type { S3Client } from '@aws-sdk/client-s3';
import type { BlobStore } from './blob-store.ts';

/** The bucket of an address `s3://bucket/prefix?endpoint=…&region=…&forcePathStyle=true`, and the keys below its prefix. */
export interface BucketClient {
  open(): Promise<{ sdk: typeof import('@aws-sdk/client-s3'); client: S3Client }>;
  bucket: string;
  /** The key in the bucket. */
  pathOf(key: string): string;
}

/** Credentials come from the SDK's own chain. `onDate` receives the `date` header of each response. */
export function openBucketClient(url: URL, onDate?: (date: string) => void): BucketClient {
  const bucket = url.hostname;
  const folder = decodeURIComponent(url.pathname.replace(/^\/+|\/+$/g, ''));

  // Loaded on demand: the SDK is large, and most installations keep their blobs in a folder.
  let opening: ReturnType<BucketClient['open']> | undefined;
  return {
    bucket,
    pathOf: (key) => (folder === '' ? key : `${folder}/${key}`),
    open() {
      opening ??= import('@aws-sdk/client-s3').then((sdk) => {
        const client = new sdk.S3Client({
          endpoint: url.searchParams.get('endpoint') ?? undefined,
          region: url.searchParams.get('region') ?? 'us-east-1',
          forcePathStyle: url.searchParams.get('forcePathStyle') === 'true',
          // Services other than AWS refuse the checksums that the SDK adds by default.
          requestChecksumCalculation: 'WHEN_REQUIRED',
          responseChecksumValidation: 'WHEN_REQUIRED',
        });
        client.middlewareStack.add(
          (next) => async (request) => {
            const answer = await next(request);
            const { date } = (answer.response as { headers?: Record<string, string> }).headers ?? {};
            if (date !== undefined) onDate?.(date);
            return answer;
          },
          { step: 'deserialize', priority: 'low' },
        );
        return { sdk, client };
      });
      return opening;
    },
  };
}

/** Blobs in a bucket of S3 or a compatible service; see `openBucketClient`. */
export function openBucket(url: URL, onDate?: (date: string) => void): BlobStore {
  const { open, bucket, pathOf } = openBucketClient(url, onDate);

  return {
    async put(key, bytes, mimeType) {
      const { sdk, client } = await open();
      const target = { Bucket: bucket, Key: pathOf(key) };
      await client.send(new sdk.PutObjectCommand({ ...target, Body: bytes, ContentType: mimeType }));
    },

    async get(key) {
      const { sdk, client } = await open();
      try {
        const found = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: pathOf(key) }));
        const bytes = (await found.Body?.transformToByteArray()) ?? new Uint8Array();
        return { bytes, mimeType: found.ContentType ?? 'application/octet-stream' };
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined;
        throw error;
      }
    },

    async deletePrefix(prefix) {
      const { sdk, client } = await open();
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: pathOf(prefix) });
      for await (const page of pages) {
        const Objects = (page.Contents ?? []).map(({ Key }) => ({ Key: Key! }));
        if (Objects.length === 0) continue;
        const removed = await client.send(
          new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
        );
        const problem = removed.Errors?.[0];
        if (problem) throw new Error(`The bucket kept a blob it was asked to delete: ${problem.Code}`);
      }
    },

    async *list() {
      const { sdk, client } = await open();
      const prefix = pathOf('');
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
        for (const { Key } of page.Contents ?? []) yield Key!.slice(prefix.length);
      }
    },
  };
}
