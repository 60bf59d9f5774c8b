import { randomUUID } from 'node:crypto';
import { open, opendir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import type { BlobStore } from './blob-store.ts';

// Encoded keys contain no comma, so these suffixes distinguish a blob, its type and a folder of the same name.
const BLOB = ',blob';
const TYPE = ',type';

/** Blobs as files. A write is atomic: after a crash, a blob is complete or missing. */
export function openFolder(root: string): BlobStore {
  const encode = (key: string) => key.split('/').map(encodeURIComponent).join('/');
  const pathOf = (key: string) => join(root, encode(key));

  return {
    async put(key, bytes, mimeType) {
      const path = pathOf(key);
      // The type is written first, so that a visible blob always has one.
      await writeWhole(path, TYPE, Buffer.from(mimeType));
      await writeWhole(path, BLOB, bytes);
    },

    async get(key) {
      const path = pathOf(key);
      const [bytes, type] = await Promise.all([readIfThere(path + BLOB), readIfThere(path + TYPE)]);
      return bytes && type ? { bytes, mimeType: type.toString() } : undefined;
    },

    async deletePrefix(prefix) {
      const path = join(root, encode(`${prefix}*`));
      const folder = dirname(path);
      const start = path.slice(folder.length + 1, -1);
      // The prefix of a folder with all that is in it.
      if (start === '' && folder !== root) return await rm(folder, { recursive: true, force: true });
      const names = await readdir(folder).catch(orIfMissing([] as string[]));
      for (const name of names) {
        if (name.startsWith(start)) await rm(join(folder, name), { recursive: true, force: true });
      }
    },

    list: () => listKeys(root, ''),
  };
}

async function* listKeys(folder: string, prefix: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch(orIfMissing(undefined));
  for await (const entry of entries ?? []) {
    if (entry.isDirectory()) {
      yield* listKeys(join(folder, entry.name), `${prefix}${decodeURIComponent(entry.name)}/`);
    } else if (entry.name.endsWith(BLOB)) {
      yield prefix + decodeURIComponent(entry.name.slice(0, -BLOB.length));
    }
  }
}

async function writeWhole(path: string, ending: string, bytes: Uint8Array) {
  const temporary = `${path},${randomUUID()}`;
  try {
    const file = await openMakingFolder(temporary);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path + ending);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Tries twice, because a concurrent `deletePrefix` may remove the new folder. */
async function openMakingFolder(path: string) {
  for (let attempt = 1; ; attempt++) {
    try {
      await makeFolder(dirname(path), 0o700);
      return await open(path, 'wx', 0o600);
    } catch (error) {
      if (attempt === 2 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

const orIfMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return value;
    throw error;
  };

const readIfThere = (path: string) => readFile(path).catch(orIfMissing(undefined));
