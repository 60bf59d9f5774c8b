import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { trace } from '@opentelemetry/api';
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { addDocs } from '../src/http/docs-site/site.ts';
import { launchBrowser } from '../src/outside/browser/launch-browser.ts';
import { createGuard } from '../src/outside/net/ssrf-guard.ts';

// docs/security.md lists what is kept off here.

const root = join(import.meta.dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

interface Locked {
  dev?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Packages that only report how others are used, or look for new versions of them. */
const REPORTERS =
  /^(@scarf\/|posthog|@posthog\/|@segment\/|analytics-node|mixpanel|@?amplitude|@datadog\/|dd-trace|newrelic|@?bugsnag|@?rollbar|applicationinsights|@vercel\/analytics|universal-analytics|insight$|update-notifier)/;

test('no package comes along whose purpose is to report', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Locked> };
  const installed = Object.entries(packages)
    .filter(([path, { dev }]) => path.includes('node_modules/') && !dev)
    .map(([path, entry]) => ({ name: path.split('node_modules/').at(-1)!, ...entry }));
  expect(installed.filter(({ name }) => REPORTERS.test(name)).map(({ name }) => name)).toEqual([]);
  // Lighthouse depends on Sentry, whose files are deleted after the installation.
  const users = installed.filter(
    ({ name, dependencies, optionalDependencies }) =>
      !name.startsWith('@sentry/') &&
      Object.keys({ ...dependencies, ...optionalDependencies }).some((other) => other.startsWith('@sentry/')),
  );
  expect(users.map(({ name }) => name)).toEqual(['lighthouse']);
});

test('npm runs no script of a package, and neither looks for news nor reports', () => {
  expect(textOf('.npmrc').trim().split('\n')).toEqual(
    expect.arrayContaining(['ignore-scripts=true', 'audit=false', 'fund=false', 'update-notifier=false']),
  );
  expect(textOf('bootstrap.mjs')).toContain("DO_NOT_TRACK: '1'");
  expect(textOf('Dockerfile')).toMatch(/^ENV .*DO_NOT_TRACK=1/m);
});

test('Lighthouse reports no error of an audit that does not ask for it', async () => {
  const path = fileURLToPath(new URL('lib/sentry.js', import.meta.resolve('lighthouse')));
  const { Sentry } = (await import(pathToFileURL(path).href)) as {
    Sentry: { init(options: object): Promise<void>; captureException: unknown; _shouldSample(): boolean };
  };
  const silent = Sentry.captureException;
  const { _shouldSample: shouldSample } = Sentry;
  onTestFinished(() => void Object.assign(Sentry, { _shouldSample: shouldSample }));
  Sentry._shouldSample = () => true;
  await Sentry.init({ url: 'https://example.com/', flags: {}, environmentData: {} });
  expect(Sentry.captureException).toBe(silent);
  expect(textOf('src/outside/lighthouse/audit-process.ts')).not.toContain('enableErrorReporting');
});

test('the runtime of Stagehand reaches nothing but the browser', async () => {
  const extensionDir = fileURLToPath(new URL('extension/', import.meta.resolve('@browserbasehq/stagehand')));
  const runtime = new Worker(join(root, 'src/outside/browser-agent/stagehand-runtime.ts'), {
    workerData: { extensionDir },
    env: {},
    execArgv: [],
  });
  onTestFinished(async () => void (await runtime.terminate()));
  await once(runtime, 'message');
  const evaluate = async (expression: string) => {
    const answered = once(runtime, 'message');
    runtime.postMessage({ kind: 'evaluate', id: 1, expression, awaitPromise: true });
    const [answer] = (await answered) as [unknown];
    return answer;
  };
  expect(await evaluate("fetch('https://api.browserbase.com/v1/logs', { method: 'POST' })")).toEqual({
    kind: 'evaluated',
    id: 1,
    error: 'There is no way out of here.',
  });
  expect(
    await evaluate('[typeof XMLHttpRequest, typeof navigator.sendBeacon, WebSocket.name]'),
  ).toMatchObject({ value: ['undefined', 'undefined', 'BrowserSocket'] });
});

test('nothing records the spans that clients of models and Stagehand offer to OpenTelemetry', async () => {
  await Promise.all([import('@ai-sdk/openai'), import('@browserbasehq/stagehand')]);
  const span = trace.getTracer('redpen').startSpan('call');
  expect(span.isRecording()).toBe(false);
  span.end();
});

test('Chromium starts without reports, updates and services of its own', async () => {
  const { browser, end } = await launchBrowser({
    chromePath: process.env.CHROME_PATH,
    guard: createGuard({ allowHosts: [] }),
    log: () => {},
  });
  onTestFinished(end);
  const session = await browser.newBrowserCDPSession();
  const { commandLine } = await session.send('SystemInfo.getInfo');
  for (const flag of [
    'disable-background-networking',
    'disable-breakpad',
    'disable-component-update',
    'disable-domain-reliability',
    'disable-field-trial-config',
    'metrics-recording-only',
  ])
    expect(commandLine).toContain(`--${flag}`);
});

test('the page of the reference sends nothing to its makers', async () => {
  const app = fastify();
  await addDocs(app, { endpoints: [], files: [], streams: [] });
  const page = await app.inject({ url: '/docs' });
  expect(page.headers['content-security-policy']).toContain("connect-src 'self'");
  expect(textOf('src/http/docs-site/browser/reference.js')).toContain('telemetry: false');
});

test('ONNX Runtime prepares no report: it leaves no device id and no queue of events', async () => {
  const home = mkdtempSync(join(tmpdir(), 'redpen-home-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const program = `
    const { loadModel } = await import(${JSON.stringify(pathToFileURL(join(root, 'src/outside/embed/local/local-model.ts')).href)});
    const model = await loadModel('int8');
    await model.run([[101, 102]]);
    await model.close();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: home,
    env: { HOME: home, TMPDIR: home },
  });
  expect(readdirSync(home, { recursive: true })).toEqual([]);
});
