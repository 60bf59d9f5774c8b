import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './find-chromium.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'find-chromium-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function program(name: string, mode = 0o755) {
  const path = join(folder, 'bin', name);
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(path, '#!/bin/sh\n');
  await chmod(path, mode);
  return path;
}

/** Resolves with true if a browser can print its version. */
const starts = (path: string, env: Record<string, string> = {}) =>
  promisify(execFile)(path, ['--version', '--no-sandbox'], { env: { ...process.env, ...env } }).then(
    () => true,
    () => false,
  );

test('the browser of the setting is used, and must exist', async () => {
  const path = await program('my-own');
  expect(await findChromium({ chromePath: path })).toEqual({ path, env: {} });
  await expect(findChromium({ chromePath: join(folder, 'none') })).rejects.toThrow(/CHROME_PATH/);
});

test('an installed browser is preferred to the bundled one', async () => {
  await program('chromium', 0o644);
  const path = await program('google-chrome');
  expect((await findChromium({ searchPath: `/nowhere:${join(folder, 'bin')}` })).path).toBe(path);
});

test('the bundled libraries are used if the system lacks them', async () => {
  const cacheDir = join(folder, 'bare');
  const { path, env } = await findChromium({ searchPath: '', cacheDir });
  expect(await readdir(join(path, '../al2023/lib'))).toContain('libnss3.so');
  expect(env.LD_LIBRARY_PATH === undefined).toBe(await starts(path));

  await writeFile(path, '#!/bin/sh\nexit 0\n');
  expect((await findChromium({ searchPath: '', cacheDir })).env).not.toHaveProperty('LD_LIBRARY_PATH');
  await writeFile(path, '#!/bin/sh\necho "$LD_LIBRARY_PATH" | grep -q al2023/lib\n');
  const bare = await findChromium({ searchPath: '', cacheDir });
  expect(await starts(path, bare.env)).toBe(true);
});

test('two processes that unpack the bundled browser concurrently both get a complete one', async () => {
  const cacheDir = join(folder, 'cache');
  await mkdir(join(cacheDir, 'unpacking-old'), { recursive: true });
  await utimes(join(cacheDir, 'unpacking-old'), 0, 0);
  const script = `
    import { findChromium } from ${JSON.stringify(new URL('./find-chromium.ts', import.meta.url).href)};
    console.log(JSON.stringify(await findChromium({ searchPath: '', cacheDir: ${JSON.stringify(cacheDir)} })));
  `;
  const unpack = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const [one, two] = await Promise.all([unpack(), unpack()]);
  const { path, env } = JSON.parse(one.stdout);
  expect(JSON.parse(two.stdout)).toEqual({ path, env });
  expect((await stat(path)).size).toBeGreaterThan(50_000_000);
  expect(await readdir(cacheDir)).toEqual([path.split('/').at(-2)]);
  const before = (await stat(path)).mtimeMs;
  await unpack();
  expect((await stat(path)).mtimeMs).toBe(before);
  const { stdout } = await promisify(execFile)(path, ['--version', '--no-sandbox'], {
    env: { ...process.env, ...env },
  });
  expect(stdout).toMatch(/^Google Chrome|^Chromium|^HeadlessChrome|\d+\.\d+/);
});
