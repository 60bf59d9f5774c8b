import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../lib/make-folder.ts';
import { openBucketClient } from './blob-bucket.ts';

/** An archive of any size in a store. */
export interface StoredArchive {
  name: string;
  bytes: number;
}

/** Keeps archives that are written once, as streams. Names are file names, without folders. */
export interface ArchiveStore {
  /** The place, for people, without credentials. */
  place: string;
  list(): Promise<StoredArchive[]>;
  /** An archive is listed once `finish` has resolved; until then, and after `discard`, there is none. */
  write(name: string): Promise<{ sink: Writable; finish(): Promise<void>; discard(): Promise<void> }>;
  /** Throws if there is none of that name. */
  read(name: string): Promise<Readable>;
  remove(name: string): Promise<void>;
}

/** Bytes of one part of an upload; an upload has at most 10,000 of them, so an archive at most 640 GB. */
const UPLOAD_PART_BYTES = 64 * 1024 * 1024;

/** Opens `file:///some/folder` or `s3://bucket/prefix?…`, as `openBlobStore` does. */
export function openArchiveStore(
  address: string,
  { partBytes = UPLOAD_PART_BYTES }: { partBytes?: number } = {},
): ArchiveStore {
  const url = new URL(address);
  return url.protocol === 'file:' ? openArchiveFolder(fileURLToPath(url)) : openArchiveBucket(url, partBytes);
}

const PARTIAL = '.partial';
const LEFTOVER_AFTER_MS = 24 * 3_600_000;

function openArchiveFolder(folder: string): ArchiveStore {
  return {
    place: folder,
    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      const found: StoredArchive[] = [];
      for (const name of names.sort()) {
        if (!name.endsWith(PARTIAL)) found.push({ name, bytes: (await stat(join(folder, name))).size });
      }
      return found;
    },
    async write(name) {
      await makeFolder(folder, 0o700);
      await removeLeftovers(folder);
      return await writeFile(join(folder, name));
    },
    read: (name) => readFileAt(join(folder, name)),
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

/** Removes what killed processes left, which is known by its age: a process that writes changes its file. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(PARTIAL)) continue;
    const { mtimeMs } = await stat(join(folder, name));
    if (mtimeMs < Date.now() - LEFTOVER_AFTER_MS) await rm(join(folder, name), { force: true });
  }
}

/** Writes a file under a temporary name, and renames it once it is on the disk. Replaces what a killed process left. */
export async function writeFile(path: string): ReturnType<ArchiveStore['write']> {
  const partial = path + PARTIAL;
  const sink = createWriteStream(partial, { mode: 0o600, flush: true });
  const closed = once(sink, 'close');
  closed.catch(() => {});
  await once(sink, 'open');
  return {
    sink,
    async finish() {
      await closed;
      await rename(partial, path);
    },
    async discard() {
      sink.destroy();
      await closed.catch(() => {});
      await rm(partial, { force: true });
    },
  };
}

/** Opens a file; rejects if it cannot be opened. */
export async function readFileAt(path: string): Promise<Readable> {
  const source = createReadStream(path);
  await once(source, 'open');
  return source;
}

function openArchiveBucket(url: URL, partBytes: number): ArchiveStore {
  const { open: connect, bucket, pathOf } = openBucketClient(url);
  return {
    place: `s3://${bucket}/${pathOf('')}`,
    async list() {
      const { sdk, client } = await connect();
      const prefix = pathOf('');
      const found: StoredArchive[] = [];
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix, Delimiter: '/' });
      for await (const page of pages) {
        for (const { Key, Size = 0 } of page.Contents ?? []) {
          found.push({ name: Key!.slice(prefix.length), bytes: Size });
        }
      }
      return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    async write(name) {
      const { client } = await connect();
      const { Upload } = await import('@aws-sdk/lib-storage');
      const sink = new PassThrough({ highWaterMark: 1024 * 1024 });
      const upload = new Upload({
        client,
        params: { Bucket: bucket, Key: pathOf(name), Body: sink, ContentType: 'application/x-tar' },
        partSize: partBytes,
        queueSize: 1,
      });
      const done = upload.done();
      done.catch((error: Error) => sink.destroy(error));
      return {
        sink,
        finish: async () => void (await done),
        async discard() {
          sink.destroy();
          await upload.abort();
          await done.catch(() => {});
        },
      };
    },
    async read(name) {
      const { sdk, client } = await connect();
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: pathOf(name) }));
      return Body as Readable;
    },
    async remove(name) {
      const { sdk, client } = await connect();
      await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: pathOf(name) }));
    },
  };
}
