import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const IS_TEXT = /\.(?:html|js|css|svg|txt|json)$/;
/** A smaller file is sent in one packet anyway. */
const MIN_BYTES = 1_000;

/** Writes a copy of each text file for every encoding of browsers beside it, if that is smaller. */
export async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && IS_TEXT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(path);
      if (bytes.length < MIN_BYTES) return;
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      const copies = await Promise.all([
        promisify(brotliCompress)(bytes, { params }).then((copy) => [`${path}.br`, copy] as const),
        promisify(gzip)(bytes, { level: 9 }).then((copy) => [`${path}.gz`, copy] as const),
      ]);
      await Promise.all(
        copies.filter(([, copy]) => copy.length < bytes.length).map(([name, copy]) => writeFile(name, copy)),
      );
    }),
  );
}
