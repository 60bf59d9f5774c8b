import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { isThorough } from '../run/rounds.ts';
import { fillDataFolder } from '../service/data-folder.ts';
import type { Step } from './pasted/doc-steps.ts';
import { newReader, type Reader, readPage } from './pasted/reader.ts';

// A reader pastes the pages into terminals, block by block, and sees what they promise.

// Longer than a wait in a terminal, whose error says what it waited for.
vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 900_000 });

/** Number of blocks that need what a test lacks: keys, a model, another database, Docker, a site of the reader. */
const NOT_RUN = 22;

const root = join(import.meta.dirname, '../..');
const readme = readPage('README.md');
const pages = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const isFor = (name: string) => (step: Step) => step.terminal === name;
const tour = readme.filter(isFor('main'));

const dataDir = mkdtempSync(join(tmpdir(), 'redpen-pasted-'));
let reader: Reader;

beforeAll(async () => {
  await fillDataFolder(dataDir);
  reader = await newReader(dataDir);
  await reader.paste(readme.filter(isFor('service')));
});
afterEach(() => reader.leave('service'));
afterAll(async () => {
  await reader?.terminal('service')?.interrupt();
  reader?.leave();
  rmSync(dataDir, { recursive: true, force: true });
  for (const name of ['picture.json', 'finding.webp']) rmSync(join(root, name), { force: true });
});

test('the README can be pasted block by block', async () => {
  await reader.paste(tour);
});

test.runIf(isThorough)(
  'the README can be pasted again on the same data, by a terminal without bracketed paste',
  async () => {
    await reader.paste(tour, { bracketed: false });
  },
);

const LIVE = 'docs/live-documents.md';

test.runIf(isThorough).each(pages.filter((page) => page !== LIVE))(
  '%s can be pasted block by block',
  async (page) => {
    await reader.paste(readPage(page), { hasQuickNpm: true });
  },
);

test(`${LIVE} can be pasted by a terminal without bracketed paste, whose client sends what is typed in the foreground, and stays connected after Ctrl-D`, async () => {
  const page = readPage(LIVE);
  await reader.paste(page, { bracketed: false, hasQuickNpm: true });
  const reset = page.find(({ code }) => code.includes('/v2/crdt/add'))!;
  const client = page.find(({ code }) => code.startsWith('node examples/live-client.ts'))!;
  const inForeground = { ...client, code: 'node examples/live-client.ts acme/home/body', stays: true };
  await reader.paste([reset, inForeground]);
  const terminal = reader.terminal('main')!;
  const shows = (line: string) =>
    terminal.until(
      () => terminal.shown().split('\n').includes(line),
      () => line,
    );
  terminal.paste(', typed by Ada');
  await shows('  | Hello, typed by Ada');
  // After Ctrl-D, the client still shows what another client writes.
  terminal.paste('\x04');
  await reader.paste([
    ...page.slice(0, 1).map((step) => ({ ...step, terminal: 'backend' })),
    { ...page.find(({ code }) => code.includes('Hello, everybody'))!, terminal: 'backend', promises: [] },
  ]);
  await shows('  | Hello, everybody');
  await terminal.interrupt();
});

test('only the listed number of blocks is not run', () => {
  const steps = [...readme, ...pages.flatMap(readPage)];
  expect(steps.length).toBeGreaterThan(70);
  expect(steps.filter(({ notRun }) => notRun)).toHaveLength(NOT_RUN);
  expect(steps.filter(({ code }) => code.includes('…') && !code.includes('=…'))).toEqual([]);
});
