// Copies of the checkout in which mutants are made, and the runs of its tests there.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Ends a test that waits for ever, so that it fails by its name instead of holding up its whole call. */
const TEST_MS = 450_000;
/** Ends a call that takes this much longer than twice what its tests need. */
const CALL_MS = 600_000;

export interface Outcome {
  /** Seconds of each test file that passed. */
  passed: Record<string, number>;
  failed: string[];
  /** True if nothing failed, be it a test or something else. */
  isClean: boolean;
}

const running = new Set<number>();
const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const pid of running) process.kill(-pid, 'SIGKILL');
    process.exit(1);
  });
}

/** The files of the checkout, with new ones that are not committed yet. */
export const listFiles = (): string[] => {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 }).split('\0');
  return files.filter((file) => file !== '' && existsSync(join(ROOT, file)));
};

/**
 * Copies the checkout and the installed packages to a new folder within `work`, which stays until this process ends.
 * Files of packages are links to the same ones; caches are left out, because a test that writes them would change those
 * of the checkout.
 */
export function copyCheckout(work: string): string {
  const copy = makeFolder(work, 'mutants-');
  const modules = join(copy, 'node_modules');
  execFileSync('cp', ['--parents', '-P', '-t', copy, ...listFiles()], { cwd: ROOT });
  mkdirSync(modules);
  const packages = readdirSync(join(ROOT, 'node_modules')).filter(
    (name) => !name.startsWith('.') || name === '.bin' || name === '.package-lock.json',
  );
  const paths = packages.map((name) => join(ROOT, 'node_modules', name));
  try {
    execFileSync('cp', ['-al', '-t', modules, ...paths], { stdio: 'ignore' });
  } catch {
    // Another file system has no links to them.
    execFileSync('cp', ['-a', '-t', modules, ...paths]);
  }
  // Some tests ask Git for the files, or clone them.
  const identity = ['-c', 'user.name=mutants', '-c', 'user.email=mutants@localhost'];
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
  execFileSync('git', ['add', '--all'], { cwd: copy });
  execFileSync('git', [...identity, 'commit', '--quiet', '--message', 'Copy'], { cwd: copy });
  return copy;
}

/** A folder that the user of the database server, who is another one for root, may enter. */
function makeFolder(parent: string, prefix: string): string {
  const folder = realpathSync(mkdtempSync(join(parent, prefix)));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
}

interface Options {
  env?: Record<string, string>;
  bail?: number;
  /** Seconds that the files need. Without them, a call may take as long as it wants. */
  seconds?: number;
}

/** Runs test files in a copy, or all without any. */
export async function runTests(copy: string, files: readonly string[], options: Options): Promise<Outcome> {
  const { env, bail = 0, seconds } = options;
  // Of its own, so that nothing stays of a call that is killed. Short, because sockets are in it.
  const temp = makeFolder(tmpdir(), 'm-');
  const report = join(temp, 'report.json');
  const log = openSync(`${copy}.log`, 'w');
  const modules = join(copy, 'node_modules');
  const limits = [`--testTimeout=${TEST_MS}`, `--hookTimeout=${TEST_MS}`, `--bail=${bail}`];
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const paths = files.map((file) => join(copy, file));
  const child = spawn('node', [join(modules, 'vitest/vitest.mjs'), 'run', ...limits, ...reports, ...paths], {
    cwd: copy,
    detached: true,
    stdio: ['ignore', log, log],
    env: {
      NODE_COMPILE_CACHE: join(modules, '.cache/node'),
      ...process.env,
      PATH: [join(modules, '.bin'), process.env.PATH].join(delimiter),
      TMPDIR: temp,
      ...env,
    },
  });
  const pid = child.pid!;
  const kill = () => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Nothing of it is left.
    }
  };
  running.add(pid);
  const timer = seconds !== undefined && setTimeout(kill, CALL_MS + 2_000 * seconds);
  const code = await new Promise((resolve) => child.on('exit', resolve));
  if (timer) clearTimeout(timer);
  // What a call leaves running would slow down the next.
  kill();
  running.delete(pid);
  closeSync(log);
  const outcome: Outcome = { passed: {}, failed: [], isClean: code === 0 };
  for (const { name, status, startTime, endTime } of readResults(report)) {
    if (status === 'failed') outcome.failed.push(relative(copy, name));
    else outcome.passed[relative(copy, name)] = Math.round((endTime - startTime) / 1_000);
  }
  rmSync(temp, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
  return outcome;
}

interface Result {
  name: string;
  status: string;
  startTime: number;
  endTime: number;
}

/** The results of each file; none if Vitest ended before. */
const readResults = (report: string): Result[] =>
  existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : [];
