import { type ChildProcess, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_COMPILE_CACHE } from '../run/compile-cache.ts';
import { logReader } from '../run/log-watch.ts';

const CLI = join(import.meta.dirname, '../../src/cli.ts');

/** How a review says that a page, an agent or the whole could not be reviewed; one that watches goes on. */
const FAILURE = /could not (be reviewed|be done|do the review|review\b).*/;

export interface Ended {
  /** The exit code, or the signal that ended the process. */
  code: number | NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  /** Resolves once standard error has the text, or the process has ended. Rejects once the command says that it failed. */
  says(text: string | RegExp): Promise<void>;
  /** The same for standard output. Resolves with what it has by then. */
  prints(text: string): Promise<string>;
  ended: Promise<Ended>;
}

/** A folder in which a command runs, with a folder for temporary files of its own. */
export interface Place {
  folder: string;
  temp: string;
  /** What is left of commands: names of temporary files, and processes that use the folder. */
  leftovers(): { files: string[]; processes: string[] };
  remove(): void;
}

export function newPlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rp-')));
  const [folder, temp] = [join(root, 'work'), join(root, 't')];
  mkdirSync(folder);
  mkdirSync(temp);
  return {
    folder,
    temp,
    leftovers: () => ({ files: readdirSync(temp), processes: processesOf(temp) }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Command lines of the processes that know a folder by their arguments, environment or working directory. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const known = [command, readFileSync(`/proc/${pid}/environ`, 'utf8'), readlinkSync(`/proc/${pid}/cwd`)];
      return known.some((text) => text.includes(folder)) ? [`${pid} ${command}`] : [];
    } catch {
      // It has ended.
      return [];
    }
  });
}

/** Starts `redpen` with these words, as `npm run redpen` does. */
export function startRedpen(
  place: Place,
  words: string[],
  environment: Record<string, string> = {},
): Running {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(DATABASE_URL|REDIS_URL|REDPEN_\w+|CI)$/.test(name)),
  );
  const child = spawn(process.execPath, [CLI, ...words], {
    cwd: place.folder,
    env: { ...inherited, NODE_COMPILE_CACHE, TMPDIR: place.temp, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.on('data', logReader(`redpen ${words[0]}`));
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    for (const look of waiting) look();
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
    for (const look of waiting) look();
  });
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code, signal) => resolve({ code: code ?? signal, stdout, stderr })),
  );
  const waitFor = async (holds: () => boolean): Promise<void> => {
    const held = new Promise<void>((resolve, reject) => {
      const look = () => {
        if (holds()) resolve();
        else if (FAILURE.test(stderr)) reject(new Error(`The command has failed: ${stderr}`));
      };
      waiting.add(look);
      look();
    });
    await Promise.race([held, ended]);
  };
  return {
    child,
    ended,
    says: (text) => waitFor(() => (typeof text === 'string' ? stderr.includes(text) : text.test(stderr))),
    async prints(text) {
      await waitFor(() => stdout.includes(text));
      return stdout;
    },
  };
}

export const runRedpen = (
  place: Place,
  words: string[],
  environment?: Record<string, string>,
): Promise<Ended> => startRedpen(place, words, environment).ended;
