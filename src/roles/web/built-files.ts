import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { WebFile, WebFiles } from '../../http/console/web-app.ts';

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Reads the files of a build into memory, by their paths. */
export async function readBuiltFiles(folder: string): Promise<WebFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const present = new Set(paths);
  const read = (path: string) => readFile(join(folder, path));
  const optional = (path: string) => (present.has(path) ? read(path) : undefined);
  const files = paths
    .filter((path) => MIME_TYPES[extname(path)] !== undefined)
    .map(async (path): Promise<[string, WebFile]> => {
      const [bytes, br, gzip] = await Promise.all([
        read(path),
        optional(`${path}.br`),
        optional(`${path}.gz`),
      ]);
      return [
        path,
        {
          bytes,
          br,
          gzip,
          etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
          mimeType: MIME_TYPES[extname(path)]!,
          isImmutable: path.includes('/assets/'),
        },
      ];
    });
  return new Map(await Promise.all(files));
}
