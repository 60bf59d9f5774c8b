import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSteps, type Step } from './pasted/doc-steps.ts';
import { faultIn, missingJson, missingText } from './pasted/promises.ts';
import { openTerminal, type Terminal } from './pasted/terminal.ts';

// A reader who pastes the pages into terminals, block by block, gets what they say.

const root = join(import.meta.dirname, '../..');
const NOT_RUN = 0;

const readPage = (page: string) => readSteps(page, readFileSync(join(root, page), 'utf8'));
const pages = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

/** Ports of the pages, and free ones that take their place. */
const ports = new Map<string, string>();
const dataDir = mkdtempSync(join(tmpdir(), 'redpen-pasted-'));
let env: Record<string, string>;
let service: Terminal;

async function freePort(): Promise<string> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return String(port);
}

const withOwnPorts = (text: string) =>
  text.replaceAll(/\b(?:8080|8090|4000)\b/g, (port) => ports.get(port) ?? port);

/** The environment of a reader who has the project's folder and nothing of it on the search path. */
function readersEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(REDPEN_|DATABASE_URL$|REDIS_URL$|HOST$|NODE_|VITEST|npm_|CI$|NO_COLOR$)/.test(name),
  ) as [string, string][];
  const path = process.env.PATH!.split(delimiter).filter((part) => !part.includes('node_modules'));
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(delimiter),
    PORT: ports.get('8080')!,
    REDPEN_DATA_DIR: dataDir,
  };
}

/** Pastes blocks in order, each into its terminal, and answers the terminals; new ones are opened as they are named. */
async function pasteAll(
  steps: Step[],
  { bracketed }: { bracketed: boolean },
): Promise<Map<string, Terminal>> {
  const terminals = new Map<string, Terminal>();
  for (const step of steps.filter(({ notRun }) => notRun === undefined)) {
    const terminal = terminals.get(step.terminal) ?? (await openTerminal({ cwd: root, env, bracketed }));
    terminals.set(step.terminal, terminal);
    terminal.paste(withOwnPorts(step.code));
    const outcome = step.stays ? { failed: 0, stopped: 0 } : await terminal.done();
    for (const { kind, text } of step.promises) {
      const missing = () =>
        (kind === 'json' ? missingJson : missingText)(withOwnPorts(text), terminal.shown());
      await terminal.until(
        () => missing() === undefined,
        () => `What ${step.where} promises (${missing()})`,
      );
    }
    const shown = `${step.where} shows:\n${terminal.shown()}`;
    expect({ ...outcome, fault: faultIn(terminal.shown()) }, shown).toEqual({
      failed: 0,
      stopped: 0,
      fault: undefined,
    });
  }
  return terminals;
}

async function pastePage(steps: Step[], options: { bracketed: boolean }): Promise<void> {
  const terminals = await pasteAll(steps, options);
  for (const terminal of terminals.values()) terminal.close();
}

const isOfService = ({ terminal }: Step) => terminal === 'service';
const isOfDemo = ({ terminal }: Step) => terminal === 'demo';

beforeAll(async () => {
  for (const port of ['8080', '8090', '4000']) ports.set(port, await freePort());
  env = readersEnvironment();
  const terminals = await pasteAll(readPage('README.md').filter(isOfService), { bracketed: true });
  service = terminals.get('service')!;
});

afterAll(async () => {
  await service?.interrupt();
  service?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('the demo shows findings and ends with Ctrl-C', async () => {
  const terminals = await pasteAll(readPage('README.md').filter(isOfDemo), { bracketed: true });
  const demo = terminals.get('demo')!;
  await demo.interrupt();
  demo.close();
});

const tour = readPage('README.md').filter((step) => !isOfService(step) && !isOfDemo(step));

test('the README can be pasted block by block', async () => {
  await pastePage(tour, { bracketed: true });
});

test('the README can be pasted again on the same data, by a terminal without bracketed paste', async () => {
  await pastePage(tour, { bracketed: false });
});

test.each(pages)('%s can be pasted block by block', async (page) => {
  await pastePage(readPage(page), { bracketed: true });
});

test('few blocks of the pages are not run, each for a reason', () => {
  const steps = ['README.md', ...pages].flatMap(readPage);
  expect(steps.filter(({ notRun }) => notRun)).toHaveLength(NOT_RUN);
});
