import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { atEnd } from '../../run/at-end.ts';
import { NODE_COMPILE_CACHE } from '../../run/compile-cache.ts';
import { readSteps, type Step } from './doc-steps.ts';
import { faultIn, missingJson, missingText } from './promises.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const root = join(import.meta.dirname, '../../..');
/** Ports of the service, the sample site and the webhook receiver in the pages. */
const PORTS = ['8080', '8090', '4000'];

/** The shell blocks of a page of the project. */
export const readPage = (page: string): Step[] => readSteps(page, readFileSync(join(root, page), 'utf8'));

interface PasteOptions {
  /** If new terminals use bracketed paste, as by default. */
  bracketed?: boolean;
  /** If commands of Redpen run in new terminals without npm, which takes half of their time. */
  hasQuickNpm?: boolean;
}

/** A user with a checkout, without its programs on PATH, who pastes blocks into terminals. */
export interface Reader {
  /** Pastes blocks in order, each into its terminal, and expects the output that the page promises. */
  paste(steps: Step[], options?: PasteOptions): Promise<void>;
  terminal(name: string): Terminal | undefined;
  /** Closes all terminals except those with these names. */
  leave(...names: string[]): void;
}

/** A reader whose service uses this data folder, and free ports instead of those of the pages. */
export async function newReader(dataDir: string): Promise<Reader> {
  const ports = new Map<string, string>();
  for (const port of PORTS) ports.set(port, await freePort());
  const withOwnPorts = (text: string) =>
    text.replaceAll(new RegExp(`\\b(?:${PORTS.join('|')})\\b`, 'g'), (port) => ports.get(port)!);
  const env: Record<string, string> = {
    ...readersEnvironment(),
    PORT: ports.get('8080')!,
    REDPEN_DATA_DIR: dataDir,
  };
  const terminals = new Map<string, Terminal>();

  async function pasteStep(step: Step, terminal: Terminal): Promise<void> {
    terminal.paste(withOwnPorts(step.code));
    const fine = { failed: 0, stopped: 0, fault: undefined };
    const expectFine = (outcome: object) =>
      expect(
        { ...fine, ...outcome, fault: faultIn(terminal.shown()) },
        `${step.where} shows:\n${terminal.shown()}`,
      ).toEqual(fine);
    if (!step.stays) expectFine(await terminal.done());
    for (const { kind, text } of step.promises) {
      const find = kind === 'json' ? missingJson : missingText;
      const missing = () => find(withOwnPorts(text), terminal.shown());
      await terminal.until(
        () => missing() === undefined || faultIn(terminal.shown()) !== undefined,
        () => `What ${step.where} promises (${missing()})`,
      );
    }
    expectFine({});
  }

  return {
    async paste(steps, { bracketed = true, hasQuickNpm = false } = {}) {
      const PATH = hasQuickNpm ? `${quickNpm()}${delimiter}${env.PATH}` : env.PATH!;
      for (const step of steps.filter(({ notRun }) => notRun === undefined)) {
        const terminal =
          terminals.get(step.terminal) ??
          (await openTerminal({ cwd: root, env: { ...env, PATH }, bracketed }));
        terminals.set(step.terminal, terminal);
        await pasteStep(step, terminal);
      }
    },
    terminal: (name) => terminals.get(name),
    leave(...names) {
      for (const [name, terminal] of terminals) {
        if (names.includes(name)) continue;
        terminal.close();
        terminals.delete(name);
      }
    },
  };
}

/** A folder with an `npm` that starts what the script `redpen` says, and is that of the machine for all else. */
function quickNpm(): string {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-npm-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const script = `#!/bin/sh
if [ "$1 $2 $3 $4" = 'run --silent redpen --' ]; then
  shift 4
  export PATH="$PWD/node_modules/.bin:$PATH"
  ${scripts.redpen} "$@"
fi
export PATH="\${PATH#*:}"
exec npm "$@"
`;
  writeFileSync(join(folder, 'npm'), script, { mode: 0o755 });
  return folder;
}

async function freePort(): Promise<string> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return String(port);
}

function readersEnvironment(): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(REDPEN_|DATABASE_URL$|REDIS_URL$|HOST$|NODE_|VITEST|npm_|CI$|NO_COLOR$)/.test(name),
  ) as [string, string][];
  const path = process.env.PATH!.split(delimiter).filter((part) => !part.includes('node_modules'));
  return {
    ...Object.fromEntries(inherited),
    PATH: path.join(delimiter),
    NODE_COMPILE_CACHE,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'no-lookups.mjs')}`,
  };
}
