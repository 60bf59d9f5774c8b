import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import type { WebState } from '../../http/console/web-app.ts';
import { hashBuildInputs } from './build-inputs.ts';
import { type PreparedWeb, prepareWeb } from './prepare-web.ts';

/** A build that counts its runs and waits for a file, if it is told to. */
const BUILD = `
import { appendFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
const folder = process.argv[2];
appendFileSync('runs.txt', 'x');
console.log(process.cwd() + '/packages/console: ' + JSON.stringify(['HOME', 'PATH', 'VITEST'].filter((name) => name in process.env)));
if (existsSync('fails')) { console.error('\\x1b[31mUnexpected token\\x1b[0m'); process.exit(3); }
while (existsSync('waits')) await new Promise((resolve) => setTimeout(resolve, 10));
mkdirSync(folder + '.new/console', { recursive: true });
writeFileSync(folder + '.new/console/index.html', 'the page');
renameSync(folder + '.new', folder);
`;

const stops: (() => Promise<void>)[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A project with sources and a build of its own. */
function newProject() {
  const root = mkdtempSync(join(tmpdir(), 'redpen-web-'));
  folders.push(root);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const folder of ['build', 'client/src', 'elements', 'console'])
    write(`packages/${folder}/a.ts`, folder);
  for (const room of ['lib', 'report', 'shapes']) write(`src/${room}/a.ts`, room);
  write('packages/build.ts', BUILD);
  write('package-lock.json', '{}');
  write('node_modules/vite/package.json', '{}');
  write('runs.txt', '');
  return {
    root,
    write,
    remove: (path: string) => rmSync(join(root, path), { recursive: true }),
    runs: () => readFileSync(join(root, 'runs.txt'), 'utf8').length,
    cache: join(root, 'node_modules/.cache/redpen-web'),
  };
}

function newLog() {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

function begin(root: string, { log } = newLog()): PreparedWeb {
  const web = prepareWeb(log, { root });
  stops.push(web.stop);
  web.start();
  return web;
}

/** The state once it no longer changes. */
const settled = async (web: PreparedWeb): Promise<WebState> => {
  await expect.poll(async () => (await web.state()).state).not.toBe('building');
  return web.state();
};
const pageOf = (state: WebState) =>
  state.state === 'ready' ? state.files.get('console/index.html')?.bytes.toString() : state;

test('the first start builds, and tells the build nothing of the settings of the service; the next one finds it', async () => {
  const { root, runs, cache } = newProject();
  const { lines, log } = newLog();
  expect(pageOf(await settled(begin(root, { lines, log })))).toBe('the page');
  expect(lines.map(({ msg }) => msg)).toEqual([
    'building the console, which takes a few seconds',
    'the console is built',
  ]);
  expect(readdirSync(cache)).toEqual([await hashBuildInputs(root)]);
  const again = newLog();
  expect(pageOf(await settled(begin(root, again)))).toBe('the page');
  expect([runs(), again.lines]).toEqual([1, []]);
});

test('a change of a source is built, of a test is not', async () => {
  const { root, write, runs } = newProject();
  await settled(begin(root));
  write('packages/console/a.test.tsx', 'a test');
  write('packages/console/dist/a.js', 'compiled');
  write('src/lib/b.test.ts', 'a test');
  write('src/api/a.ts', 'no part of a package');
  await settled(begin(root));
  expect(runs()).toBe(1);
  for (const [path, count] of [
    ['packages/elements/a.ts', 2],
    ['src/lib/a.ts', 3],
    ['package-lock.json', 4],
  ] as const) {
    write(path, 'other');
    await settled(begin(root));
    expect(runs()).toBe(count);
  }
});

test('two processes that start at once build once', async () => {
  const { root, write, remove, runs } = newProject();
  write('waits', '');
  const logs = [newLog(), newLog()];
  const both = logs.map((log) => begin(root, log));
  await expect
    .poll(() => logs.flatMap(({ lines }) => lines.map(({ msg }) => msg)).sort())
    .toEqual(['another process builds the console', 'building the console, which takes a few seconds']);
  for (const web of both) expect(await web.state()).toEqual({ state: 'building' });
  remove('waits');
  for (const web of both) expect(pageOf(await settled(web))).toBe('the page');
  expect(runs()).toBe(1);
});

test('a failed build shows what it printed, without colors and folders of the machine, and the next start tries again', async () => {
  const { root, write, remove, runs, cache } = newProject();
  write('fails', '');
  const { lines, log } = newLog();
  const web = begin(root, { lines, log });
  const state = await settled(web);
  const reason = 'The build of the console ended with exit code 3.';
  const output = '/packages/console: []\nUnexpected token';
  expect(state).toEqual({ state: 'failed', reason, log: output });
  expect(lines.at(-1)).toMatchObject({ level: 50, msg: 'the console is missing', reason, output });
  expect(readdirSync(cache)).toEqual([]);
  remove('fails');
  expect(pageOf(await settled(begin(root)))).toBe('the page');
  expect(runs()).toBe(2);
});

test('a stop ends a build and releases its lock', async () => {
  const { root, write, remove, cache } = newProject();
  write('waits', '');
  const { lines, log } = newLog();
  const web = begin(root, { lines, log });
  await expect.poll(() => readFileSync(join(root, 'runs.txt'), 'utf8')).toBe('x');
  await web.stop();
  expect(readdirSync(cache)).toEqual([]);
  expect(lines.map(({ level }) => level)).toEqual([30]);
  remove('waits');
  expect(pageOf(await settled(begin(root)))).toBe('the page');
});

test('the lock of a process that was killed is taken over', async () => {
  const { root, cache } = newProject();
  const lock = join(cache, `${await hashBuildInputs(root)}.lock`);
  mkdirSync(lock, { recursive: true });
  utimesSync(lock, new Date(0), new Date(0));
  expect(pageOf(await settled(begin(root)))).toBe('the page');
  expect(existsSync(lock)).toBe(false);
});

test('builds of earlier sources are removed except three, and old remains of killed builds, too', async () => {
  const { root, write, cache } = newProject();
  write('node_modules/.cache/redpen-web/remains.123/a', '');
  utimesSync(join(cache, 'remains.123'), new Date(0), new Date(0));
  const hashes: string[] = [];
  for (let change = 0; change < 6; change++) {
    write('packages/console/a.ts', String(change));
    hashes.push(await hashBuildInputs(root));
    await settled(begin(root));
    utimesSync(join(cache, hashes.at(-1)!), change, change);
  }
  await expect.poll(() => readdirSync(cache).sort()).toEqual(hashes.slice(2).sort());
});

test('a delivered build is used if it belongs to the sources, or if there are none', async () => {
  const { root, write, remove, runs } = newProject();
  write('packages/dist/console/index.html', 'delivered');
  write('packages/dist/inputs', `${await hashBuildInputs(root)}\n`);
  expect(pageOf(await settled(begin(root)))).toBe('delivered');
  write('packages/console/a.ts', 'changed');
  expect(pageOf(await settled(begin(root)))).toBe('the page');
  expect(runs()).toBe(1);
  remove('packages/build.ts');
  expect(pageOf(await settled(begin(root)))).toBe('delivered');
});

test.each([
  [
    'neither a build nor sources',
    (root: string) => rmSync(join(root, 'packages'), { recursive: true }),
    /contains neither a built console nor its sources/,
  ],
  [
    'no packages that build',
    (root: string) => rmSync(join(root, 'node_modules/vite'), { recursive: true }),
    /are not installed\. Run npm ci/,
  ],
  [
    'no folder that it may write to',
    (root: string) => writeFileSync(join(root, 'node_modules/.cache'), ''),
    /cannot write to its folder redpen-web \(ENOTDIR\)\. Run node packages\/build\.ts as the owner/,
  ],
  [
    'only some of its sources',
    (root: string) => rmSync(join(root, 'src/report'), { recursive: true }),
    /^The console cannot be prepared: the log of the service says why\.$/,
  ],
])('an installation with %s says so in a sentence', async (_, spoil, sentence) => {
  const { root, runs } = newProject();
  spoil(root);
  const { lines, log } = newLog();
  expect(await settled(begin(root, { lines, log }))).toEqual({
    state: 'failed',
    reason: expect.stringMatching(sentence),
    log: undefined,
  });
  expect(lines.at(-1)).toMatchObject({ level: 50, reason: expect.stringMatching(sentence) });
  expect(JSON.stringify(await settled(begin(root)))).not.toContain(root);
  expect(runs()).toBe(0);
});

test('files are read with their types and compressed copies', async () => {
  const { root, write } = newProject();
  const folder = `node_modules/.cache/redpen-web/${await hashBuildInputs(root)}`;
  write(`${folder}/console/index.html`, 'the page');
  write(`${folder}/console/assets/main-1a.js`, 'script');
  write(`${folder}/console/assets/main-1a.js.br`, 'small');
  write(`${folder}/client/overlay.js`, 'script');
  write(`${folder}/inputs`, 'hash');
  const state = await settled(begin(root));
  if (state.state !== 'ready') throw new Error(state.state);
  expect([...state.files.keys()].sort()).toEqual([
    'client/overlay.js',
    'console/assets/main-1a.js',
    'console/index.html',
  ]);
  expect(state.files.get('console/assets/main-1a.js')).toMatchObject({
    br: Buffer.from('small'),
    gzip: undefined,
    isImmutable: true,
    mimeType: 'text/javascript; charset=utf-8',
    etag: state.files.get('client/overlay.js')?.etag,
  });
  expect(state.files.get('client/overlay.js')?.isImmutable).toBe(false);
});
