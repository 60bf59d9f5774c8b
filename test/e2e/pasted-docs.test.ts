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
/** Those of the service and of the demo, which stay. */
const staying = new Map<string, Terminal>();

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
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'pasted/no-lookups.mjs')}`,
    REDPEN_DATA_DIR: dataDir,
  };
}

/** Pastes a block and waits for all that the page promises of it. */
async function pasteStep(step: Step, terminal: Terminal): Promise<void> {
  terminal.paste(withOwnPorts(step.code));
  const fine = { failed: 0, stopped: 0, fault: undefined };
  const hold = (outcome: object) =>
    expect(
      { ...fine, ...outcome, fault: faultIn(terminal.shown()) },
      `${step.where} shows:\n${terminal.shown()}`,
    ).toEqual(fine);
  if (!step.stays) hold(await terminal.done());
  for (const { kind, text } of step.promises) {
    const missing = () => (kind === 'json' ? missingJson : missingText)(withOwnPorts(text), terminal.shown());
    await terminal.until(
      () => missing() === undefined || faultIn(terminal.shown()) !== undefined,
      () => `What ${step.where} promises (${missing()})`,
    );
  }
  hold({});
  if (process.env.SHOW) process.stderr.write(`== ${step.where}\n${terminal.shown()}\n`);
}

/** Pastes blocks in order, each into its terminal; terminals are opened as they are named. */
async function pasteAll(
  steps: Step[],
  { bracketed, terminals }: { bracketed: boolean; terminals: Map<string, Terminal> },
): Promise<void> {
  for (const step of steps.filter(({ notRun }) => notRun === undefined)) {
    const terminal = terminals.get(step.terminal) ?? (await openTerminal({ cwd: root, env, bracketed }));
    terminals.set(step.terminal, terminal);
    await pasteStep(step, terminal);
  }
}

async function pastePage(steps: Step[], { bracketed }: { bracketed: boolean }): Promise<void> {
  const terminals = new Map<string, Terminal>();
  try {
    await pasteAll(steps, { bracketed, terminals });
  } finally {
    for (const terminal of terminals.values()) terminal.close();
  }
}

const isOfService = ({ terminal }: Step) => terminal === 'service';
const isOfDemo = ({ terminal }: Step) => terminal === 'demo';

beforeAll(async () => {
  for (const port of ['8080', '8090', '4000']) ports.set(port, await freePort());
  env = readersEnvironment();
  await pasteAll(readPage('README.md').filter(isOfService), { bracketed: true, terminals: staying });
});

afterAll(async () => {
  const service = staying.get('service');
  await service?.interrupt();
  for (const terminal of staying.values()) terminal.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('the demo shows findings and ends with Ctrl-C', async () => {
  await pasteAll(readPage('README.md').filter(isOfDemo), { bracketed: true, terminals: staying });
  await staying.get('demo')!.interrupt();
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
