import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../src/outside/browser/find-chromium.ts';
import { NODE_COMPILE_CACHE } from '../e2e/compile-cache.ts';
import { type Service, startService } from '../e2e/service.ts';
import { PATIENCE_MS } from '../patience.ts';
import { until } from '../until.ts';
import { holdUndo } from './hold-undo.ts';

/** The built console on a real service, in a real browser. */
export interface ConsoleStage {
  service: Service;
  /**
   * Opens a page of the first API key in a window of its own. The windows share one session of the operator, so a test
   * that signs out gives a link of its own.
   */
  open(path?: string, options?: WindowOptions): Promise<ConsoleWindow>;
  /** Makes a link of the operator, or with words of `redpen console link`. */
  link(...words: string[]): Promise<string>;
  /** Kills the service and starts it again on the same data and port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface WindowOptions {
  colorScheme?: 'light' | 'dark';
  width?: number;
  /** A link to sign in with, in place of the shared session. */
  link?: string;
}

/** What a window has after it has signed in. */
interface Entrance {
  apiKeyId: string;
  state: Awaited<ReturnType<BrowserContext['storageState']>>;
}

export interface ConsoleWindow {
  page: Page;
  apiKeyId: string;
  /** Calls an operation as the page does, and returns its data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  call(path: string, data: object): Promise<any>;
  goTo(path: string): Promise<void>;
  /** Everything that must not happen: errors in the console, reports of the policy, requests to other origins. */
  problems: string[];
}

export async function createConsoleStage(env: Record<string, string> = {}): Promise<ConsoleStage> {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-console-'));
  const settings = { REDPEN_DATA_DIR: folder, ...env };
  let service = await startService(settings);
  const { path: executablePath, env: variables } = await findChromium({
    chromePath: process.env.CHROME_PATH,
  });
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, ...variables } as Record<string, string>,
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  await waitForBuild(service.url);
  let shared: Promise<Entrance> | undefined;
  const enterOnce = async () => await enter(browser, await makeLink(settings));
  return {
    get service() {
      return service;
    },
    open: async (path = '/', options = {}) => {
      if (options.link === undefined) shared ??= enterOnce();
      const entrance = await (options.link === undefined ? shared! : enter(browser, options.link));
      return await openWindow(browser, service.url, entrance, path, options);
    },
    link: (...words) => makeLink(settings, words),
    async restart() {
      const { port } = new URL(service.url);
      await service.kill('SIGKILL');
      service = await startService({ ...settings, PORT: port });
    },
    async close() {
      await browser.close();
      await service.kill('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const CLI = join(import.meta.dirname, '../../src/cli.ts');

/** Prints a one-time link as an operator does. */
async function makeLink(env: Record<string, string>, words: string[] = []): Promise<string> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(DATABASE_URL|REDIS_URL|REDPEN_\w+)$/.test(name)),
  );
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'console', 'link', ...words], {
    env: { NODE_COMPILE_CACHE, ...inherited, ...env },
  });
  return stdout.trim();
}

/** Signs in with a link. */
async function enter(browser: Browser, link: string): Promise<Entrance> {
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(link);
  if (link.includes('#code=rpi_')) await page.getByRole('button', { name: 'Join' }).click();
  await page.waitForURL(/\/console\/k\//);
  const apiKeyId = decodeURIComponent(/\/k\/([^/?#]+)/.exec(page.url())![1]!);
  const state = await context.storageState();
  await context.close();
  return { apiKeyId, state };
}

async function openWindow(
  browser: Browser,
  url: string,
  { apiKeyId, state }: Entrance,
  path: string,
  { colorScheme = 'light', width = 1280 }: WindowOptions,
): Promise<ConsoleWindow> {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height: 900 },
    storageState: state,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  await holdUndo(context);
  const page = await context.newPage();
  const problems = watchProblems(page, url);
  const goTo = async (to: string) => {
    await page.goto(`${url}/console/k/${encodeURIComponent(apiKeyId)}${to === '/' ? '' : to}`);
  };
  await goTo(path);
  return { page, apiKeyId, call: (name, data) => callAs(page, apiKeyId, name, data), goTo, problems };
}

/** Sends a request from the page, with the session of its cookie. */
async function callAs(page: Page, apiKeyId: string, path: string, data: object): Promise<unknown> {
  const answer = await page.evaluate(
    async ([to, key, body]) => {
      const headers = { 'content-type': 'application/json', 'x-redpen-key': key };
      const response = await fetch(to, { method: 'POST', headers, body });
      return (await response.json()) as { result?: { data: unknown }; error?: { message: string } };
    },
    [path, apiKeyId, JSON.stringify({ data })] as const,
  );
  if (!answer.result) throw new Error(`${path}: ${answer.error?.message}`);
  return answer.result.data;
}

function watchProblems(page: Page, url: string): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('request', (request) => {
    const to = request.url();
    if (/^(https?|wss?):/.test(to) && new URL(to).host !== new URL(url).host)
      problems.push(`request to ${to}`);
  });
  return problems;
}

/** The first start builds the console beside the service. */
async function waitForBuild(url: string): Promise<void> {
  const isBuilt = async () => (await (await fetch(`${url}/console/`)).text()).includes('id="root"');
  await until(isBuilt, 'the console to be built');
}
