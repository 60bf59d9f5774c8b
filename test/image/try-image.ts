// Builds the image without a container engine, and tries it: `node test/image/try-image.ts [--base FOLDER] FOLDER`. Needs
// root, mmdebstrap, util-linux and iproute2 of Debian, and for the build a network; the tries have none. It takes ten
// minutes, three of which are the tries, so it is not a part of .ci/run.
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { instructions, listOf } from '../house/image.ts';
import { endTest } from '../run/log-watch.ts';
import { until } from '../run/until.ts';
import { buildRoot, createBase, type ImageConfig, megabytesOf } from './build-root.ts';
import { type Container, startContainer, USER } from './container.ts';
import { createWorkspace, walkCommands } from './walk-commands.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { base: { type: 'string' }, kept: { type: 'boolean' } },
});
const folder = resolve(positionals[0] ?? '/tmp/redpen-image');
const base = resolve(values.base ?? join(folder, 'base'));
const root = join(folder, 'root');
const configFile = join(folder, 'image.json');

const say = (line: string) => process.stdout.write(`${line}\n`);

if (process.env.REDPEN_TRY_INSIDE === undefined) {
  if (!values.kept) build();
  // The tries run in a network of their own, which has nothing but loopback.
  const again = [process.execPath, import.meta.filename, '--kept', folder];
  const inside = spawnSync(
    'unshare',
    ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...again],
    {
      stdio: 'inherit',
      env: { PATH: process.env.PATH, REDPEN_TRY_INSIDE: '1' },
    },
  );
  process.exit(inside.status ?? 1);
}

function build(): void {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(base)) createBase(base);
  writeFileSync(configFile, JSON.stringify(buildRoot(base, root)));
  say(`The image has ${megabytesOf(root)} MB.`);
}

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Scripts of the world</title>
<meta name="viewport" content="width=device-width">
<body style="font: 24px/1.6 sans-serif; margin: 40px"><h1>Scripts of the world</h1>
<p>Latin Ünïcödé, Ελληνικά, Кириллица</p><p lang="zh">简体中文 繁體中文</p><p lang="ja">日本語 かな カナ</p>
<p lang="ko">한국어</p><p lang="ar">العربية</p><p lang="hi">हिन्दी</p><p lang="th">ภาษาไทย</p>
<p>Emoji 😀 🚀 🎉 👩‍💻</p><img src="/picture.png" width="80" height="40">`;

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const failures: string[] = [];
const check = (what: string, holds: boolean, detail = '') => {
  say(`${holds ? 'ok    ' : 'FAILED'} ${what}`);
  if (!holds) failures.push(`${what} ${detail}`);
};

function newData(): string {
  const data = join(folder, 'data');
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data);
  chownSync(data, Number(USER), Number(USER));
  return data;
}

const config: ImageConfig = JSON.parse(readFileSync(configFile, 'utf8'));
const command = [...listOf('ENTRYPOINT'), ...listOf('CMD')];
const health: string[] = JSON.parse(
  /CMD (\[.*\])$/.exec(instructions.find(({ name }) => name === 'HEALTHCHECK')?.text ?? '')?.[1] ?? '[]',
);

const started = async (container: Container) =>
  until(() => container.output().includes('"msg":"ready"'), 'the service to be ready');

const zombies = async (container: Container): Promise<string> =>
  (await container.exec(['sh', '-c', 'cat /proc/[0-9]*/stat | grep ") Z " || true'])).output;

/** Serves, reports its health, and refuses writes to its root. */
async function tryService(container: Container): Promise<void> {
  await started(container);
  const url = `http://127.0.0.1:${config.env.PORT}`;
  const healthy = (await (await fetch(`${url}/health`)).json()) as { version: string };
  check('GET /health answers with the version', typeof healthy.version === 'string');
  for (const path of ['/live', '/ready']) {
    check(`GET ${path} answers 200`, (await fetch(`${url}${path}`)).status === 200);
  }
  check('the console is served', (await (await fetch(`${url}/console`)).text()).includes('id="root"'));
  check('the guides are served', (await fetch(`${url}/docs`)).status === 200);
  const { code } = await container.exec(health);
  check('the health check passes', code === 0);
  const { output: who } = await container.exec(['id', '--user']);
  check('the service is not root', who.trim() === USER);
  const { output: bundle } = await container.exec([
    'node',
    '--input-type=module',
    '--eval',
    "console.log(await (await import('/app/src/roles/bundle/find-bundle.ts')).findBundled('run-service'))",
  ]);
  check('the service starts from its bundle', bundle.endsWith('/run-service.mjs\n'), bundle);
  const cache = config.env.NODE_COMPILE_CACHE ?? 'no setting';
  const unreadable = await container.exec([
    'sh',
    '-c',
    'test -n "$(find "$0" -type f -print -quit)" && find "$0" ! -readable',
    cache,
  ]);
  check(
    'the compile cache can be read',
    unreadable.code === 0 && unreadable.output === '',
    unreadable.output,
  );
  for (const place of ['/app', '/home/node', '/usr', '/opt', '/var']) {
    const touch = await container.exec(['touch', `${place}/written`]);
    check(`${place} cannot be written to`, touch.code !== 0);
  }
}

async function tryInit(container: Container): Promise<void> {
  await container.exec(['sh', '-c', '(sleep 0.2 &) ; (exec sleep 0.1 &)']);
  const { output } = await container.exec(['sh', '-c', 'sleep 1; cat /proc/1/comm']);
  check('tini is the first process', output.trim() === 'tini', output);
  check('no process is left dead', (await zombies(container)) === '', await zombies(container));
}

const data = newData();
const site = createServer(({ url }, answer) => {
  if (url === '/picture.png') answer.setHeader('content-type', 'image/png').end(PICTURE);
  else answer.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE);
});
await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
const page = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;

const env = { ...config.env, REDPEN_BROWSER_SANDBOX: 'off', REDPEN_LOG: 'json' };
const container = startContainer(root, data, { ...config, env, command });
await tryService(container);
const problems = await walkCommands(container, await createWorkspace(container), page, say);
failures.push(...problems);
await tryInit(container);
const code = await container.stop();
check('SIGTERM ends the service cleanly', code === 0 && container.output().includes('"msg":"stopped"'));

// Without settings, where the container may make user namespaces, the browser has its sandbox.
const sandboxed = startContainer(root, data, { ...config, command });
await started(sandboxed);
const doctor = await sandboxed.exec(['redpen', 'doctor']);
check('the browser has its sandbox', /started in [^,]*, with its sandbox/.test(doctor.output), doctor.output);
await sandboxed.stop();
await endTest(false).catch((error: Error) => check('the log reports no failure', false, error.message));

site.close();
say(`Pictures are in ${join(data, 'report')}.`);
for (const failure of failures) say(`\nFAILED: ${failure}`);
say(failures.length === 0 ? 'Everything works.' : `${failures.length} failures.`);
process.exitCode = failures.length === 0 ? 0 : 1;
