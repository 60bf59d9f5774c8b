import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { findChromium } from '../../src/outside/browser/find-chromium.ts';
import { fakeModels } from '../fakes/models/fake-models.ts';
import { fakeSite } from '../fakes/site.ts';
import { startSmtpFake } from '../fakes/smtp-server.ts';
import { startTunnel } from '../fakes/tunnel.ts';
import { atEnd } from '../run/at-end.ts';
import { expectLog } from '../run/log-watch.ts';
import { until } from '../run/until.ts';
import { browserProcesses, signalBrowsers } from '../service/browser-processes.ts';
import { type Any, ownTenant } from '../service/own-tenant.ts';
import type { Service } from '../service/service.ts';
import { ownService } from '../service/worker-service.ts';

interface Ready {
  status: string;
  warnings: string[];
  checks: { name: string; status: string; message?: string }[];
}

const readyOf = async ({ url }: Service): Promise<Ready> => {
  const answer = await fetch(`${url}/ready`);
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await answer.json()) as Ready;
};

const statusOf = async (service: Service, name: string): Promise<string | undefined> =>
  (await readyOf(service)).checks.find((check) => check.name === name)?.status;

/** Waits for what takes up to a minute, and looks seldom: an answer of /ready takes the service several queries. */
const untilReady = (holds: () => Promise<boolean>, what: string): Promise<void> =>
  expect.poll(holds, { interval: 500, message: what }).toBe(true);

/** Lines of the log about a check. */
const linesOn = (service: Service, name: string): { level: unknown; msg: string; reason?: string }[] =>
  service
    .output()
    .split('\n')
    .filter((line) => line.includes(`"check":"${name}"`))
    .map((line) => JSON.parse(line));

/** The lines of the log on a check, once there are as many: an answer may be there before the line that goes with it. */
async function awaitLines(service: Service, name: string, count: number) {
  await until(() => linesOn(service, name).length >= count, `${count} lines on ${name}`);
  return linesOn(service, name);
}

test('a failure in operation ends reviews with an error that names the setting, degrades /ready, and is logged once', {
  timeout: 900_000,
  // biome-ignore lint/complexity/noExcessiveLinesPerFunction: one service, which fails in one way after the other.
}, async () => {
  expectLog(/The browser (cannot|could not) be started/);
  expectLog(/Files cannot be kept/);
  const folder = mkdtempSync(join(tmpdir(), 'redpen-degraded-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const site = await fakeSite({ '/': '<title>x</title><h1>Hello</h1>' });
  atEnd(() => site.close());
  const real = await findChromium(process.env.CHROME_PATH ? { chromePath: process.env.CHROME_PATH } : {});
  const chromePath = join(folder, 'chromium');
  const settings = Object.entries(real.env).map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(chromePath, `#!/bin/sh\n${settings.join('')}exec '${real.path}' "$@"\n`);
  chmodSync(chromePath, 0o755);
  const blobs = join(folder, 'blobs');
  mkdirSync(blobs);
  const service = await ownService({
    REDPEN_LOG_LEVEL: 'info',
    REDPEN_PUBLIC_URL: 'https://redpen.example/api',
    REDPEN_BROWSER_SANDBOX: 'off',
    REDPEN_BLOB_URL: pathToFileURL(blobs).href,
    CHROME_PATH: chromePath,
  });
  const { must } = await ownTenant(() => service);
  const run = async (): Promise<Any> => {
    const { executionId } = await must('/v2/agents/execution/run', {
      agentId: 'screenshot',
      url: `${site.url}/`,
    });
    for (;;) {
      const { execution } = await must('/v2/agents/execution/get', { executionId });
      if (execution.status !== 'running') return execution;
      await must('/v2/agents/execution/events', { executionId, waitMs: 1_000 });
    }
  };
  expect((await run()).status).toBe('passed');
  await untilReady(async () => (await statusOf(service, 'browser')) === 'warning', 'a browser check');
  expect(await readyOf(service)).toMatchObject({ status: 'ready', warnings: [] });
  for (const notice of [
    'without its sandbox, since REDPEN_BROWSER_SANDBOX is off',
    'anyone who reaches this service can create workspaces; set REDPEN_SIGNUP',
  ])
    expect(service.output()).toContain(notice);
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    servers: { url: string }[];
  };
  expect(document.servers[0]?.url).toBe('https://redpen.example/api');

  // A file replaces the folder, so that not even root can write there.
  renameSync(blobs, `${blobs}-away`);
  writeFileSync(blobs, '');
  const reason = 'Files cannot be kept (REDPEN_BLOB_URL): a file stands where a folder is meant.';
  for (let times = 0; times < 2; times++)
    expect(await run()).toMatchObject({
      status: 'error',
      error: { code: 'CONTEXT_GATHERING_ERROR', message: reason },
    });
  expect(await readyOf(service)).toMatchObject({ status: 'degraded', warnings: [reason] });
  rmSync(blobs);
  renameSync(`${blobs}-away`, blobs);
  expect((await run()).status).toBe('passed');
  expect(await readyOf(service)).toMatchObject({ status: 'ready', warnings: [] });
  expect(await awaitLines(service, 'files', 2)).toMatchObject([
    { msg: reason, reason: expect.stringContaining(blobs) },
    { msg: 'files: works again' },
  ]);

  // The open browser is killed, and cannot be started again.
  renameSync(chromePath, `${chromePath}-away`);
  const browsers = () => browserProcesses(service.process.pid);
  signalBrowsers('main', 'SIGKILL', service.process.pid);
  await until(() => browsers().length === 0, 'the browser to end');
  const reasonOfBrowser = 'CHROME_PATH names a file that does not exist.';
  // The service notices the end of its browser a moment later.
  let ended: Any;
  await until(async () => {
    ended = await run();
    return ended.error.message.includes('started');
  }, 'a failed start');
  expect(ended).toMatchObject({
    status: 'error',
    error: { message: `The browser could not be started: ${reasonOfBrowser}` },
  });
  expect(await readyOf(service)).toMatchObject({
    status: 'degraded',
    warnings: [`The browser cannot be started: ${reasonOfBrowser}`],
  });
  renameSync(`${chromePath}-away`, chromePath);
  expect((await run()).status).toBe('passed');
  expect(await readyOf(service)).toMatchObject({ status: 'ready', warnings: [] });
  const [, failure, recovery, ...rest] = await awaitLines(service, 'browser', 3);
  expect(failure).toMatchObject({
    msg: `The browser cannot be started: ${reasonOfBrowser}`,
    reason: expect.stringContaining(chromePath),
  });
  expect(recovery).toMatchObject({ msg: 'browser: works again' });
  expect(rest).toEqual([]);
  expect(JSON.stringify(await readyOf(service))).not.toContain(folder);
  expect(await service.kill('SIGTERM')).toBe(0);
});

test('what fails from the start is reported at /ready and in the log, and recovers without a restart', {
  timeout: 900_000,
}, async () => {
  expectLog(/cannot be (used|reached|started)|cannot be turned into vectors/);
  const stopped = await fakeModels(() => ({ text: '' }));
  const openai = stopped.url('openai');
  await stopped.close();
  const smtp = await startSmtpFake();
  const mail = await startTunnel({ host: '127.0.0.1', port: smtp.port });
  atEnd(() => smtp[Symbol.asyncDispose]());
  atEnd(() => mail[Symbol.asyncDispose]());
  await mail.close();
  const service = await ownService({
    REDPEN_ROLES: 'api,worker',
    CHROME_PATH: '/bin/false',
    REDPEN_EMBEDDINGS: 'openai:text-embedding-3-small',
    OPENAI_BASE_URL: openai,
    OPENAI_API_KEY: 'sk-hunter22',
    REDIS_URL: `redis://127.0.0.1:${mail.port}`,
    REDPEN_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    REDPEN_MAIL_FROM: 'redpen@example.com',
  });
  const names = ['browser', 'embeddings', 'mail', 'model', 'redis'];
  const failed = async () =>
    (await readyOf(service)).checks.filter(({ status }) => status === 'failed').map(({ name }) => name);
  await untilReady(async () => (await failed()).sort().join() === names.join(), 'five failed checks');
  const ready = await readyOf(service);
  expect(ready.status).toBe('degraded');
  expect([...ready.warnings].sort()).toEqual([
    'Redis cannot be used (REDIS_URL).',
    expect.stringMatching(/^Texts cannot be turned into vectors \(REDPEN_EMBEDDINGS\)/),
    expect.stringMatching(/^The browser cannot be started: the program of CHROME_PATH ended at once/),
    expect.stringMatching(/^The mail server cannot be used \(REDPEN_SMTP_URL\)/),
    'The model provider openai cannot be reached (OPENAI_BASE_URL).',
  ]);
  expect(JSON.stringify(ready)).not.toMatch(/127\.0\.0\.1|bin\/false|hunter22/);
  for (const name of names) expect(await awaitLines(service, name, 1)).toHaveLength(1);
  expect(service.output()).not.toContain('hunter22');

  await mail.reopen();
  await untilReady(async () => !(await failed()).includes('mail'), 'a connection to the mail server');
  expect(await awaitLines(service, 'mail', 2)).toMatchObject([{}, { msg: 'mail: works again' }]);
  expect(await service.kill('SIGTERM')).toBe(0);
});
