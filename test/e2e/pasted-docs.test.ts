import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Step } from './pasted/doc-steps.ts';
import { newReader, type Reader, readPage } from './pasted/reader.ts';

// A reader pastes the pages into terminals, block by block, and sees what they promise.

// Longer than a wait in a terminal, whose error says what it waited for.
vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 900_000 });

/** Number of blocks that need what a test lacks: keys, a model, another database, Docker, a site of the reader. */
const NOT_RUN = 22;

const readme = readPage('README.md');
const pages = readdirSync(join(import.meta.dirname, '../../docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const isFor = (name: string) => (step: Step) => step.terminal === name;
const tour = readme.filter(isFor('main'));

const dataDir = mkdtempSync(join(tmpdir(), 'redpen-pasted-'));
let reader: Reader;

beforeAll(async () => {
  reader = await newReader(dataDir);
  await reader.paste(readme.filter(isFor('service')));
});
afterEach(() => reader.leave('service'));
afterAll(async () => {
  await reader?.terminal('service')?.interrupt();
  reader?.leave();
  rmSync(dataDir, { recursive: true, force: true });
});

test('the README can be pasted block by block', async () => {
  await reader.paste(tour);
});

test('the README can be pasted again on the same data, by a terminal without bracketed paste', async () => {
  await reader.paste(tour, { bracketed: false });
});

test.each(pages)('%s can be pasted block by block', async (page) => {
  await reader.paste(readPage(page));
});

test('the live client sends what is typed in the foreground, and stays connected after Ctrl-D', async () => {
  const page = readPage('docs/live-documents.md');
  const client = page.findIndex(({ code }) => code.startsWith('node examples/live-client.ts'));
  await reader.paste(page.slice(0, client), { bracketed: false });
  const inForeground = { ...page[client]!, code: 'node examples/live-client.ts acme/home/body', stays: true };
  await reader.paste([inForeground]);
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
