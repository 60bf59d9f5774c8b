import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../src/outside/browser/find-chromium.ts';
import { type Service, startService } from '../e2e/service.ts';
import { until } from '../until.ts';
import { holdUndo } from './hold-undo.ts';

/** Long enough on a busy machine; it only ends tests that hang. */
const PATIENCE_MS = 300_000;

/** The built console on a real service, in a real browser. */
export interface ConsoleStage {
  service: Service;
  /** Signs in with a link of the operator, in a window of its own, and opens a page of the first API key. */
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
  /** A link to use in place of one of the operator. */
  link?: string;
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
  return {
    get service() {
      return service;
    },
    open: async (path = '/', options = {}) => {
      const link = options.link ?? (await makeLink(settings));
      return await openWindow(browser, service.url, link, path, options);
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
    env: { ...inherited, ...env },
  });
  return stdout.trim();
}

async function openWindow(
  browser: Browser,
  url: string,
  link: string,
  path: string,
  { colorScheme = 'light', width = 1280 }: WindowOptions,
): Promise<ConsoleWindow> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  context.setDefaultTimeout(PATIENCE_MS);
  await holdUndo(context);
  const page = await context.newPage();
  const problems = watchProblems(page, url);
  await page.goto(link);
  if (link.includes('#code=rpi_')) await page.getByRole('button', { name: 'Join' }).click();
  await page.waitForURL(/\/console\/k\//);
  const apiKeyId = decodeURIComponent(/\/k\/([^/?#]+)/.exec(page.url())![1]!);
  const goTo = async (to: string) => {
    await page.goto(`${url}/console/k/${encodeURIComponent(apiKeyId)}${to === '/' ? '' : to}`);
  };
  if (path !== '/') await goTo(path);
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
