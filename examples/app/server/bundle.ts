import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

export interface Asset {
  type: string;
  body: string | Uint8Array;
}

const folder = join(import.meta.dirname, '../page');

/** The files of the page by their paths, with its scripts bundled. The client loads some of its parts on first use. */
export async function bundlePage(): Promise<Map<string, Asset>> {
  const bundle = await rolldown({ input: join(folder, 'main.ts'), platform: 'browser' });
  const { output } = await bundle.generate({ minify: true });
  await bundle.close();
  const assets = new Map<string, Asset>();
  for (const file of output) {
    if (file.type === 'chunk') assets.set(`/${file.fileName}`, { type: 'text/javascript', body: file.code });
  }
  for (const [path, name, type] of [
    ['/', 'index.html', 'text/html; charset=utf-8'],
    ['/style.css', 'style.css', 'text/css'],
    ['/comments.css', 'comments.css', 'text/css'],
    ['/icon.svg', 'icon.svg', 'image/svg+xml'],
  ] as const) {
    assets.set(path, { type, body: await readFile(join(folder, name)) });
  }
  return assets;
}
