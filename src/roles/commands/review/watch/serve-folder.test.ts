import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedFolder, serveFolder } from './serve-folder.ts';

let root: string;
let served: ServedFolder;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'redpen-served-'));
  const site = join(root, 'site');
  mkdirSync(join(site, 'docs'), { recursive: true });
  mkdirSync(join(site, '.git'));
  writeFileSync(join(root, 'secret.txt'), 'secret');
  mkdirSync(join(root, 'site-of-others'));
  writeFileSync(join(root, 'site-of-others', 'secret.txt'), 'secret');
  for (const [name, text] of Object.entries({
    'index.html': 'start',
    'docs/index.html': 'docs',
    'a b.html': 'blank',
    'style.css': 'css',
    'app.mjs': 'js',
    'logo.svg': '<svg/>',
    'empty.txt': '',
    data: '?',
    '.env': 'secret',
    '.git/config': 'secret',
  }))
    writeFileSync(join(site, name), text);
  symlinkSync(join(root, 'secret.txt'), join(site, 'link.txt'));
  served = await serveFolder(site);
});
afterAll(async () => {
  await served.close();
  rmSync(root, { recursive: true });
});

interface Answer {
  status: number | undefined;
  type: string | undefined;
  location: string | undefined;
  text: string;
}

/** Sends a path as it is, which `fetch` would normalize. */
const get = (path: string, more: { method?: string; headers?: Record<string, string> } = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(served.url);
    request({ hostname, port, path, ...more }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        const { 'content-type': type, location } = response.headers;
        resolve({ status: response.statusCode, type, location, text });
      });
    })
      .on('error', reject)
      .end();
  });

test.each([
  ['/', 'text/html; charset=utf-8', 'start'],
  ['/docs/', 'text/html; charset=utf-8', 'docs'],
  ['/docs/?page=2', 'text/html; charset=utf-8', 'docs'],
  ['/a%20b.html', 'text/html; charset=utf-8', 'blank'],
  ['/style.css', 'text/css; charset=utf-8', 'css'],
  ['/app.mjs', 'text/javascript; charset=utf-8', 'js'],
  ['/logo.svg', 'image/svg+xml', '<svg/>'],
  ['/empty.txt', 'text/plain; charset=utf-8', ''],
  ['/data', 'application/octet-stream', '?'],
])('%s is served as %s', async (path, type, text) => {
  expect(await get(path)).toMatchObject({ status: 200, type, text });
});

test('a folder without its slash is redirected, and never to another host', async () => {
  expect(await get('/docs?a=1')).toMatchObject({ status: 301, location: '/docs/?a=1' });
  for (const path of ['//docs', '///docs']) expect((await get(path)).location ?? '/').toMatch(/^\/(?!\/)/);
});

test.each([
  '/../secret.txt',
  '/docs/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/..%5csecret.txt',
  '/../site-of-others/secret.txt',
  '/%2e%2e%2fsite-of-others%2fsecret.txt',
  '/link.txt',
  '/.env',
  '/%2eenv',
  '/.git/config',
  '/docs/%00',
  '/%zz',
  '/missing.html',
  '/style.css/',
])('%s is not served', async (path) => {
  const { status, text } = await get(path);
  expect(status).toBe(404);
  expect(text).not.toContain('secret');
});

test('nothing is served under another name of the host, and nothing is written', async () => {
  expect(await get('/', { headers: { host: 'evil.example' } })).toMatchObject({ status: 403, text: '' });
  expect(await get('/', { method: 'POST' })).toMatchObject({ status: 405 });
  expect(await get('/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
});
