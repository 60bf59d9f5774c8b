import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';

const repository = new URL('..', import.meta.url).pathname;
const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Locked {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string[];
  link?: boolean;
}

/** Source of a fake npm: it records its arguments and installs what the lockfile lists. */
const FAKE_NPM = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const args = process.argv.slice(2);
appendFileSync('npm-calls.txt', args.join(' ') + '\\n');
if (process.env.FAKE_NPM_PRINTS) console.log('printed by npm');
if (process.env.FAKE_NPM_EXIT) process.exit(Number(process.env.FAKE_NPM_EXIT));
// Slow on purpose, like a real installation.
await new Promise((resolve) => setTimeout(resolve, 300));
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
if (args.includes('--omit=dev')) for (const path in packages) if (packages[path].dev) delete packages[path];
for (const path in packages) {
  mkdirSync(path || 'node_modules', { recursive: true });
  if (path) writeFileSync(join(path, 'package.json'), '{}');
}
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
`;

/** Source of a server that stops slowly, ignores a second signal, and exits after some minutes if a test fails. */
const SERVER = `
const keepAlive = setTimeout(() => {}, 900_000);
let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => { console.log('stopped by', signal); clearTimeout(keepAlive); process.exitCode = 7; }, 200);
  });
}
console.log('up', ...process.argv.slice(2));
`;

const write = (folder: string, path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

/** Creates a small project around a copy of bootstrap.mjs: `locked` in its lockfile, `installed` in node_modules. */
const newProject = (locked: Record<string, Locked>, installed?: Record<string, Locked>) => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-bootstrap-'));
  folders.push(folder);
  const lockfile = (packages: Record<string, Locked>) =>
    JSON.stringify({
      packages: Object.fromEntries(Object.entries(packages).map(([k, v]) => [`node_modules/${k}`, v])),
    });
  cpSync(join(repository, 'bootstrap.mjs'), join(folder, 'bootstrap.mjs'));
  write(folder, 'package-lock.json', lockfile(locked));
  write(folder, 'fake-npm.mjs', FAKE_NPM);
  write(folder, 'npm-calls.txt', '');
  write(folder, 'src/main.ts', "console.log('main', ...process.argv.slice(2));\n");
  if (installed) {
    write(folder, 'node_modules/.package-lock.json', lockfile(installed));
    for (const name of Object.keys(installed)) write(folder, `node_modules/${name}/package.json`, '{}');
  }
  return folder;
};

const npmCalls = (folder: string) =>
  readFileSync(join(folder, 'npm-calls.txt'), 'utf8').split('\n').filter(Boolean);

const start = (folder: string, file: string, args: string[], env: Record<string, string> = {}) => {
  const child = spawn(file, args, {
    cwd: folder,
    env: {
      ...process.env,
      npm_node_execpath: process.execPath,
      npm_execpath: join(folder, 'fake-npm.mjs'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  const waiters: (() => void)[] = [];
  const collect = (chunk: Buffer) => {
    output += chunk;
    for (const waiter of waiters) waiter();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output }));
  });
  const prints = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => output.includes(text) && resolve();
      waiters.push(check);
      check();
      void ended.then(() => reject(new Error(`It ended without printing "${text}": ${output}`)));
    });
  return { child, ended, prints };
};

const bootstrap = (folder: string, args: string[], env?: Record<string, string>) =>
  start(folder, process.execPath, ['bootstrap.mjs', ...args], env).ended;

const left = { left: { version: '1.0.0' } };
const withTool = { ...left, tool: { version: '2.0.0', dev: true } };

test('start runs the server with its arguments, and does not call npm if everything is installed', async () => {
  const folder = newProject(left, left);
  const { code, output } = await bootstrap(folder, ['start', '--help', 'a b']);
  expect({ code, output }).toEqual({ code: 0, output: 'main --help a b\n' });
  expect(npmCalls(folder)).toEqual([]);
});

test('an installation leaves standard output to the command', async () => {
  const folder = newProject(left);
  write(folder, 'src/cli.ts', "console.log('cli', ...process.argv.slice(2));\n");
  const started = start(folder, process.execPath, ['bootstrap.mjs', 'redpen', 'mcp'], {
    FAKE_NPM_PRINTS: '1',
  });
  const stdout = text(started.child.stdout!);
  const { output } = await started.ended;
  expect([await stdout, output]).toEqual(['cli mcp\n', expect.stringContaining('printed by npm')]);
});

test('start needs no development packages, and test installs them', async () => {
  const folder = newProject(withTool, left);
  expect((await bootstrap(folder, ['start'])).code).toBe(0);
  expect(npmCalls(folder)).toEqual([]);
  await bootstrap(folder, ['test']);
  expect(npmCalls(folder)).toEqual(['ci --include=dev --no-audit --no-fund --loglevel=error']);
});

test('start needs no links to packages of the repository, and test makes them', async () => {
  const folder = newProject({ ...left, '@redpen/client': { link: true } }, left);
  expect((await bootstrap(folder, ['start'])).code).toBe(0);
  expect(npmCalls(folder)).toEqual([]);
  await bootstrap(folder, ['test']);
  expect(npmCalls(folder)).toHaveLength(1);
});

test('start installs the packages that it needs if nothing is installed, and says why and how long that takes', async () => {
  const folder = newProject(withTool);
  const { code, output } = await bootstrap(folder, ['start']);
  expect(output.replace(/\d+ s\./, 'N s.').split('\n')).toEqual([
    'redpen: installing missing packages with npm ci --omit=dev (nothing is installed yet).',
    'redpen: this usually takes a minute or two; npm shows no progress.',
    'redpen: installed in N s.',
    'main',
    '',
  ]);
  expect(code).toBe(0);
  expect((await bootstrap(folder, ['start'])).output).toBe('main\n');
  expect(npmCalls(folder)).toEqual(['ci --omit=dev --no-audit --no-fund --loglevel=error']);
});

test('start keeps installed development packages when it has to install', async () => {
  const folder = newProject(withTool, { ...withTool, left: { version: '0.9.0' } });
  const { output } = await bootstrap(folder, ['start']);
  expect(output).toContain('(left is 0.9.0 and not 1.0.0)');
  expect(npmCalls(folder)).toEqual(['ci --include=dev --no-audit --no-fund --loglevel=error']);
});

test('packages that only build the console are needed until a built console is there, as in the image', async () => {
  const folder = newProject({}, {});
  const packages = {
    '': { dependencies: { left: '1.0.0' } },
    'node_modules/left': { version: '1.0.0', dependencies: { deep: '1.0.0' } },
    'node_modules/left/node_modules/deep': { version: '1.0.0', peerDependencies: { wide: '1.0.0' } },
    'node_modules/wide': { version: '1.0.0' },
    'node_modules/deep': { version: '2.0.0' },
    'node_modules/builder': { version: '1.0.0', dependencies: { deep: '2.0.0' } },
    'packages/console': { dependencies: { builder: '1.0.0' } },
  };
  const installed = Object.fromEntries(Object.entries(packages).filter(([path]) => /left|wide/.test(path)));
  write(folder, 'package-lock.json', JSON.stringify({ packages }));
  write(folder, 'node_modules/.package-lock.json', JSON.stringify({ packages: installed }));
  for (const path of Object.keys(installed)) write(folder, `${path}/package.json`, '{}');
  write(folder, 'packages/dist/console/index.html', '');
  expect((await bootstrap(folder, ['start'])).output).toBe('main\n');
  rmSync(join(folder, 'packages/dist'), { recursive: true });
  expect((await bootstrap(folder, ['start'])).output).toContain('(deep is missing)');
});

test('a package that the service needs is missed beside a built console, however deep it is', async () => {
  const folder = newProject({}, {});
  const packages = {
    '': { dependencies: { left: '1.0.0' } },
    'node_modules/left': { version: '1.0.0', dependencies: { deep: '1.0.0' } },
    'node_modules/left/node_modules/deep': { version: '1.0.0' },
  };
  write(folder, 'package-lock.json', JSON.stringify({ packages }));
  write(folder, 'packages/dist/console/index.html', '');
  write(
    folder,
    'node_modules/.package-lock.json',
    JSON.stringify({ packages: { 'node_modules/left': packages['node_modules/left'] } }),
  );
  write(folder, 'node_modules/left/package.json', '{}');
  expect((await bootstrap(folder, ['start'])).output).toContain('(deep is missing)');
});

test('a package whose folder was deleted is installed again', async () => {
  const folder = newProject(left, left);
  rmSync(join(folder, 'node_modules/left'), { recursive: true });
  expect((await bootstrap(folder, ['start'])).output).toContain('(left is missing)');
  expect(npmCalls(folder)).toHaveLength(1);
});

test('optional packages are installed only on their own platform', async () => {
  const optional = { version: '1.0.0', optional: true };
  const here = { ...optional, os: process.platform, cpu: [process.arch] };
  const elsewhere = {
    ...left,
    system: { ...optional, os: ['plan9'], cpu: [process.arch] },
    machine: { ...optional, os: process.platform, cpu: 'pdp11' },
    excluded: { ...optional, os: [`!${process.platform}`] },
    nested: optional,
  };
  const content = newProject(elsewhere, left);
  expect((await bootstrap(content, ['start'])).output).toBe('main\n');
  const lacking = newProject({ ...elsewhere, native: here }, left);
  expect((await bootstrap(lacking, ['start'])).output).toContain('(native is missing)');
});

test('two concurrent starts install once, and both run', async () => {
  const folder = newProject(left);
  const both = await Promise.all([bootstrap(folder, ['start']), bootstrap(folder, ['start'])]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  for (const { output } of both) expect(output).toContain('main\n');
  expect(npmCalls(folder)).toHaveLength(1);
});

test('the exit code of a failed installation is passed on, and nothing is started', async () => {
  const folder = newProject(left);
  const { code, output } = await bootstrap(folder, ['start'], { FAKE_NPM_EXIT: '42' });
  expect(code).toBe(42);
  expect(output).toContain('redpen: npm ci failed with exit code 42, see above. Nothing was started.');
  expect(output).not.toMatch(/^main|installed in/m);
});

/** Node flags that simulate Node 20. */
const asNode20 = [
  '--import',
  "data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })",
];
const ownNode = `node-${process.platform}-${process.arch}`;
const bundledNode = {
  [ownNode]: { version: '24.0.0', optional: true, os: process.platform, cpu: process.arch },
};

test('users of an old Node are told that a newer one is installed, users of a new Node are not', async () => {
  const hint = `this includes Node 24, so the Node 20 of this machine is sufficient.`;
  const old = newProject({ ...left, ...bundledNode });
  const { output } = await start(old, process.execPath, [...asNode20, 'bootstrap.mjs', 'start']).ended;
  expect(output).toContain(`(nothing is installed yet); ${hint}\n`);
  const fresh = newProject({ ...left, ...bundledNode });
  expect((await bootstrap(fresh, ['start'])).output).not.toContain('this includes Node');
});

test('a new Node does not need the bundled one, as in the image; an old one does', async () => {
  const folder = newProject({ ...left, ...bundledNode }, { ...left, ...bundledNode });
  rmSync(join(folder, 'node_modules', ownNode), { recursive: true });
  expect((await bootstrap(folder, ['start'])).output).toBe('main\n');
  expect(npmCalls(folder)).toEqual([]);
  const { output } = await start(folder, process.execPath, [...asNode20, 'bootstrap.mjs', 'start']).ended;
  expect(output).toContain(`(${ownNode} is missing)`);
  expect(npmCalls(folder)).toHaveLength(1);
});

test('a missing package in a read-only folder is reported, and npm does not run', async () => {
  const folder = newProject(left, left);
  rmSync(join(folder, 'node_modules/left'), { recursive: true });
  // Simulated, since root may write everywhere.
  const readOnly =
    "data:text/javascript,import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';" +
    "fs.accessSync = () => { throw new Error('EACCES'); }; syncBuiltinESMExports();";
  const { code, output } = await start(folder, process.execPath, [
    '--import',
    readOnly,
    'bootstrap.mjs',
    'start',
  ]).ended;
  expect({ code, output }).toEqual({
    code: 1,
    output: `redpen: left is missing, and this user may not write to ${join(folder, 'node_modules')}. Run npm ci as the owner of the folder.\n`,
  });
  expect(npmCalls(folder)).toEqual([]);
});

test('test checks types, then style, then runs the tests with the arguments, and stops at the first failure', async () => {
  const folder = newProject(left, left);
  for (const [name, bin] of [
    ['typescript', 'tsc'],
    ['@biomejs/biome', 'biome'],
    ['vitest', 'vitest'],
  ] as const) {
    write(folder, `node_modules/${name}/package.json`, JSON.stringify({ bin: { [bin]: 'bin.cjs' } }));
    write(
      folder,
      `node_modules/${name}/bin.cjs`,
      `console.log('${bin}', ...process.argv.slice(2)); process.exit(process.env.FAILS === '${bin}' ? 3 : 0)`,
    );
  }
  const all = await bootstrap(folder, ['test', 'src/lib']);
  const linesOf = ({ code, output }: Awaited<ReturnType<typeof bootstrap>>) => ({
    code,
    // The checks of types run beside each other.
    lines: output
      .trimEnd()
      .replaceAll(/ --checkers \d/g, '')
      .split('\n')
      .toSorted(),
  });
  const checks = [
    'biome check --error-on-warnings .',
    'tsc --noEmit',
    'tsc --noEmit --project packages/client',
    'tsc --noEmit --project packages/console',
  ];
  expect(linesOf(all)).toEqual({ code: 0, lines: [...checks, 'vitest run src/lib'] });
  expect(all.output.trimEnd().split('\n').at(-1)).toBe('vitest run src/lib');
  expect(linesOf(await bootstrap(folder, ['check']))).toEqual({ code: 0, lines: checks });
  const stopped = await bootstrap(folder, ['test'], { FAILS: 'biome' });
  expect(linesOf(stopped)).toEqual({ code: 3, lines: checks });
  expect((await bootstrap(folder, ['test'], { FAILS: 'vitest' })).code).toBe(3);

  write(folder, 'node_modules/vitest/bin.cjs', "console.log('rounds:', process.env.SUITE_ROUNDS)");
  const rounds = async (command: string) =>
    (await bootstrap(folder, [command], { SUITE_ROUNDS: 'few' })).output.split('\n').at(-2);
  expect([await rounds('test'), await rounds('test:all')]).toEqual(['rounds: few', 'rounds: all']);
});

test('an unknown command is refused with the usage', async () => {
  const folder = newProject(left, left);
  expect(await bootstrap(folder, ['serve'])).toMatchObject({
    code: 2,
    output: expect.stringContaining('start|test|test:all|check|demo|redpen'),
  });
});

for (const [how, flags] of [
  ['instead of the bootstrap', []],
  ['as its child, if Node cannot replace itself', ['--import', 'data:text/javascript,delete process.execve']],
] as const) {
  test(`a signal stops the server that runs ${how}, and its exit code is returned`, async () => {
    const folder = newProject(left, left);
    write(folder, 'src/main.ts', SERVER);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { child, prints, ended } = start(folder, process.execPath, [...flags, 'bootstrap.mjs', 'start']);
      await prints('up');
      child.kill(signal);
      expect(await ended).toEqual({ code: 7, output: `up\nstopped by ${signal}\n` });
    }
  });
}

test('SIGTERM to npm start stops the server, waits for it and returns its exit code', async () => {
  const folder = newProject(left, left);
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  write(folder, 'package.json', JSON.stringify({ name: 'trial', private: true, type: 'module', scripts }));
  write(folder, 'src/main.ts', SERVER);
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  const { child, prints, ended } = start(folder, npm, ['start', '--', '--port=0']);
  await prints('up --port=0');
  child.kill('SIGTERM');
  const { code, output } = await ended;
  expect(output).toContain('stopped by SIGTERM');
  expect(code).toBe(7);
});
